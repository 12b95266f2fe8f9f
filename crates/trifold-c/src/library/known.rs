//! The functions of a program that the table is about.
//!
//! A name alone does not make a function known: it must not be defined in the program, it must be declared with the
//! type of its row, and it must have no other name for the linker. For example, `extern void trap(int);` is a function
//! of which nothing is known, since only `__builtin_trap` is the compiler's.
//!
//! Programs to be verified define some functions only so that they can be compiled, `int __VERIFIER_nondet_int(void) {
//! return 0; }`. An input that does nothing but to return a number is an input: that number is one of all.

use super::agreement::disagreements;
use super::row::{Returned, Row};
use super::{find, named};
use crate::typed::{Block, Declaration, DeclarationId, DeclarationKind, ExprKind, Program, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// Names that the GNU C library gives functions for the linker, before their own: `scanf` is `__isoc99_scanf`.
const REDIRECTED: [&str; 2] = ["__isoc99_", "__isoc23_"];

/// The known functions of a program.
pub(crate) struct Known {
    rows: BTreeMap<DeclarationId, &'static Row>,
    /// Functions that are others to the linker than their names say, with the other name.
    renamed: BTreeMap<DeclarationId, String>,
}

impl Known {
    pub fn of(program: &Program) -> Known {
        let defined: BTreeSet<DeclarationId> = program.functions.iter().map(|function| function.declaration).collect();
        let stubs = program.functions.iter().filter(|function| only_returns(&function.body));
        let stubs: BTreeSet<DeclarationId> = stubs.map(|function| function.declaration).collect();
        let declared = program.declarations.iter().enumerate();
        let declared = declared.map(|(index, declaration)| (DeclarationId(index as u32), declaration));
        let renamed = renamed(program, &defined);
        let rows = declared.filter_map(|(id, declaration)| {
            let row = row_of(program, declaration).filter(|_| !renamed.contains_key(&id))?;
            let is_stub = || matches!(row.result, Returned::Input(_)) && stubs.contains(&id);
            (row.overrides_body || !defined.contains(&id) || is_stub()).then_some((id, row))
        });
        Known { rows: rows.collect(), renamed }
    }

    /// The other name by which the linker knows a function that is not defined here, or that of a function which has
    /// its name there.
    pub fn other_name(&self, id: DeclarationId) -> Option<&str> {
        self.renamed.get(&id).map(String::as_str)
    }

    /// The row of a function.
    pub fn row(&self, id: DeclarationId) -> Option<&'static Row> {
        self.rows.get(&id).copied()
    }
}

fn row_of(program: &Program, declaration: &Declaration) -> Option<&'static Row> {
    let DeclarationKind::Function { builtin, .. } = declaration.kind else { return None };
    let name = program.text(declaration.name?);
    let row = if builtin { find(name) } else { named(name) }?;
    let agrees = row.name.ends_with('*') || disagreements(row, program, declaration).is_empty();
    agrees.then_some(row)
}

/// The functions that are not defined under their own names, with the names under which they may be.
fn renamed(program: &Program, defined: &BTreeSet<DeclarationId>) -> BTreeMap<DeclarationId, String> {
    let named = |declaration: &Declaration| declaration.name.map_or("", |name| program.text(name)).to_string();
    let others = program.declarations.iter().filter_map(|declaration| {
        let other = declaration.assembler_name.clone()?;
        let name = named(declaration);
        (!is_same(&other, &name)).then_some((other, name))
    });
    // By the name for the linker, the name in the program.
    let others: BTreeMap<String, String> = others.collect();
    let mut found = BTreeMap::new();
    for (index, declaration) in program.declarations.iter().enumerate() {
        let (id, name) = (DeclarationId(index as u32), named(declaration));
        let is_function = matches!(declaration.kind, DeclarationKind::Function { .. });
        let own = declaration.assembler_name.clone().filter(|other| !is_same(other, &name));
        if let Some(other) = own.or_else(|| others.get(&name).cloned())
            && is_function
            && !defined.contains(&id)
        {
            found.insert(id, other);
        }
    }
    found
}

/// Is a name for the linker that of the function itself?
fn is_same(linked: &str, name: &str) -> bool {
    linked == name || REDIRECTED.iter().any(|prefix| linked.strip_prefix(prefix) == Some(name))
}

/// Does a body only return a number, or a variable of its own that has no value?
fn only_returns(body: &Block) -> bool {
    body.statements.iter().all(|statement| match &statement.kind {
        StmtKind::Empty | StmtKind::Declare(_, None) | StmtKind::Return(None) => true,
        StmtKind::Return(Some(value)) => match &value.kind {
            ExprKind::Integer(_) => true,
            ExprKind::Load(place) => matches!(place.kind, ExprKind::Name(_)),
            _ => false,
        },
        _ => false,
    })
}

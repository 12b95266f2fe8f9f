//! The functions of a program that the table is about.
//!
//! A name alone does not make a function known: it must not be defined in the program, it must be declared with the
//! type of its row, and it must have no other name for the linker. For example, `extern void trap(int);` is a function
//! of which nothing is known, since only `__builtin_trap` is the compiler's.

use super::agreement::disagreements;
use super::row::Row;
use super::{find, named};
use crate::typed::{Declaration, DeclarationId, DeclarationKind, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Names that the GNU C library gives functions for the linker, before their own: `scanf` is `__isoc99_scanf`.
const REDIRECTED: [&str; 2] = ["__isoc99_", "__isoc23_"];

/// The known functions of a program.
pub(crate) struct Known {
    rows: BTreeMap<DeclarationId, &'static Row>,
}

impl Known {
    pub fn of(program: &Program) -> Known {
        let defined: BTreeSet<DeclarationId> = program.functions.iter().map(|function| function.declaration).collect();
        let declared = program.declarations.iter().enumerate();
        let rows = declared.filter_map(|(index, declaration)| {
            let id = DeclarationId(index as u32);
            let row = row_of(program, declaration)?;
            (row.overrides_body || !defined.contains(&id)).then_some((id, row))
        });
        Known { rows: rows.collect() }
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
    let is_own = declaration.assembler_name.as_deref().is_none_or(|other| is_same(other, name));
    let agrees = row.name.ends_with('*') || disagreements(row, program, declaration).is_empty();
    (is_own && agrees).then_some(row)
}

/// Is a name for the linker that of the function itself?
pub(crate) fn is_same(linked: &str, name: &str) -> bool {
    linked == name || REDIRECTED.iter().any(|prefix| linked.strip_prefix(prefix) == Some(name))
}

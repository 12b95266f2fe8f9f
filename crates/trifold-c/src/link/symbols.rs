//! The names that a file has for the linker: those that it defines for other files, and those that it uses and does not
//! define. For example, `int f(void) { return g(); }` defines `f` and needs `g`.

use crate::library::Known;
use crate::typed::{Declaration, DeclarationId, DeclarationKind, Expr, ExprKind, Program, Storage};
use std::collections::{BTreeMap, BTreeSet};

/// The names of a file for the linker.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// The names that are defined here for other files.
    pub defines: BTreeSet<String>,
    /// The names that are used here and not defined.
    pub needs: BTreeSet<String>,
    /// Those that are defined only for the case that no other file does.
    pub weak: BTreeSet<String>,
}

impl Program {
    /// The names for the linker.
    pub fn symbols(&self) -> Symbols {
        let mut symbols = Symbols::default();
        let defined: BTreeSet<DeclarationId> = self.definitions().into_values().collect();
        for (id, name) in self.linkable() {
            if defined.contains(&id) {
                let weak = self.declaration(id).weak;
                if weak { &mut symbols.weak } else { &mut symbols.defines }.insert(name.to_string());
            }
        }
        let mut used = BTreeSet::new();
        self.for_each_root(&mut |expr| names_in(expr, &mut used));
        let bodies: BTreeSet<DeclarationId> = self.functions.iter().map(|function| function.declaration).collect();
        // The body of a function that has only a contract here is elsewhere.
        // What the C library defines is that of the library.
        let known = Known::of(self);
        let needed = |id: &DeclarationId| {
            used.contains(id)
                && known.row(*id).is_none()
                && !defined.contains(id)
                && (!bodies.contains(id) || self.declared.contains(id))
        };
        symbols.needs = self.linkable().filter(|(id, _)| needed(id)).map(|(_, name)| name.to_string()).collect();
        symbols
    }

    /// The declarations whose names mean the same in all files. A name that is another one to the linker is left alone.
    pub(super) fn linkable(&self) -> impl Iterator<Item = (DeclarationId, &str)> {
        let declarations = self.declarations.iter().enumerate();
        declarations.filter_map(|(index, declaration)| {
            let name = declaration.name.filter(|_| is_linkable(declaration))?;
            Some((DeclarationId(index as u32), self.text(name)))
        })
    }

    /// The names that are defined here for other files.
    pub(super) fn definitions(&self) -> BTreeMap<String, DeclarationId> {
        let functions = self.functions.iter().map(|function| function.declaration);
        let functions = functions.filter(|id| !self.declaration(*id).inline_only);
        let all: BTreeSet<DeclarationId> =
            functions.chain(self.globals.iter().map(|global| global.declaration)).collect();
        let linkable = self.linkable().filter(|(id, _)| all.contains(id) && !self.declared.contains(id));
        linkable.map(|(id, name)| (name.to_string(), id)).collect()
    }

    fn for_each_root<'p>(&'p self, visit: &mut dyn FnMut(&'p Expr)) {
        for initializer in self.globals.iter().filter_map(|global| global.initializer.as_ref()) {
            initializer.for_each_value(visit);
        }
        self.functions.iter().for_each(|function| function.body.for_each_expr(visit));
    }
}

fn is_linkable(declaration: &Declaration) -> bool {
    let is_external = matches!(
        declaration.kind,
        DeclarationKind::Variable(Storage::External) | DeclarationKind::Function { external: true, builtin: false }
    );
    is_external && declaration.assembler_name.is_none()
}

fn names_in(expr: &Expr, found: &mut BTreeSet<DeclarationId>) {
    if let ExprKind::Name(id) = expr.kind {
        found.insert(id);
    }
    expr.for_each_operand(&mut |operand| names_in(operand, found));
}

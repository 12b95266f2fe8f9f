//! The functions that pointers can point to, by the place in which a program puts them. For example, after
//! `conf->release = free; list->release = conf->release;` a call of `list->release` is one of `free`.
//!
//! These facts choose how a client uses an interface. They are no proof.

use super::classes::Field;
use crate::typed::{DeclarationId, DeclarationKind, Expr, ExprKind, Initializer, PathStep, Program, StmtKind};
use crate::types::{Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// A place for pointers to functions: a member of a struct, or a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Member(Field),
    Variable(DeclarationId),
}

/// The functions that pointers can point to: by the member or variable in which the program puts them. After
/// `conf->release = free; list->release = conf->release;` both members can be `free`.
#[derive(Default)]
pub(super) struct Targets {
    functions: BTreeMap<Slot, BTreeSet<DeclarationId>>,
    /// The places from which others get their values.
    copies: BTreeSet<(Slot, Slot)>,
}

impl Targets {
    pub fn of(program: &Program) -> Targets {
        let mut targets = Targets::default();
        for global in &program.globals {
            let declaration = program.declaration(global.declaration);
            targets.initializer(program, global.declaration, declaration.ty, global.initializer.as_ref());
        }
        for function in &program.functions {
            function.body.for_each_statement(&mut |statement| {
                if let StmtKind::Declare(id, Some(initial)) = &statement.kind {
                    targets.initializer(program, *id, program.declaration(*id).ty, Some(initial));
                }
            });
            function.body.for_each_expr(&mut |expr| targets.expr(program, expr));
        }
        targets.spread();
        targets
    }

    /// Takes functions along copies, until nothing changes.
    fn spread(&mut self) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (from, to) in &self.copies {
                let found = self.functions.get(from).cloned().unwrap_or_default();
                let known = self.functions.entry(*to).or_default();
                changed |= found.into_iter().filter(|function| known.insert(*function)).count() > 0;
            }
        }
    }

    fn initializer(&mut self, program: &Program, id: DeclarationId, ty: TypeId, initial: Option<&Initializer>) {
        for entry in initial.into_iter().flat_map(|initial| &initial.entries) {
            let slot = match (&entry.path[..], program.types.get(ty)) {
                ([], _) => Slot::Variable(id),
                ([PathStep::Member(member)], Type::Record(record)) => Slot::Member((*record, *member)),
                _ => continue,
            };
            entry.value.iter().for_each(|value| self.put(program, slot, value));
        }
    }

    fn put(&mut self, program: &Program, slot: Slot, value: &Expr) {
        if let Some(from) = stored_in(program, value) {
            self.copies.insert((from, slot));
        } else if let Some(function) = direct(value) {
            self.functions.entry(slot).or_default().insert(function);
        }
    }

    fn expr(&mut self, program: &Program, expr: &Expr) {
        match &expr.kind {
            ExprKind::Assign(place, value) => {
                slot(program, place).into_iter().for_each(|slot| self.put(program, slot, value));
            }
            ExprKind::Call(callee, arguments) => {
                let called = direct(callee);
                let function = called.and_then(|id| program.functions.iter().find(|f| f.declaration == id));
                let parameters = function.into_iter().flat_map(|function| &function.parameters);
                for (parameter, argument) in parameters.zip(arguments) {
                    self.put(program, Slot::Variable(*parameter), argument);
                }
            }
            _ => {}
        }
        expr.for_each_operand(&mut |operand| self.expr(program, operand));
    }

    /// The functions that a callee may be.
    pub fn callees(&self, program: &Program, callee: &Expr) -> Vec<DeclarationId> {
        let stored = stored_in(program, callee);
        match stored {
            Some(slot) => self.functions.get(&slot).into_iter().flatten().copied().collect(),
            None => direct(callee).into_iter().collect(),
        }
    }
}

/// The place of a pointer to a function.
fn slot(program: &Program, place: &Expr) -> Option<Slot> {
    match &place.kind {
        ExprKind::Member(object, member) => match program.types.get(object.ty) {
            Type::Record(record) => Some(Slot::Member((*record, *member))),
            _ => None,
        },
        ExprKind::Name(id) if !matches!(program.declaration(*id).kind, DeclarationKind::Function { .. }) => {
            Some(Slot::Variable(*id))
        }
        _ => None,
    }
}

/// The place from which an expression takes a pointer to a function, called or not.
fn stored_in(program: &Program, expr: &Expr) -> Option<Slot> {
    match &without_casts(expr).kind {
        ExprKind::Load(place) => slot(program, place),
        ExprKind::Decay(inner) | ExprKind::AddressOf(inner) | ExprKind::Deref(inner) => stored_in(program, inner),
        _ => None,
    }
}

/// The function that an expression names, if it does.
pub(super) fn direct(expr: &Expr) -> Option<DeclarationId> {
    match &without_casts(expr).kind {
        ExprKind::Decay(inner) | ExprKind::AddressOf(inner) | ExprKind::Deref(inner) => direct(inner),
        ExprKind::Name(id) => Some(*id),
        _ => None,
    }
}

pub(super) fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Convert { operand, .. } => without_casts(operand),
        _ => expr,
    }
}

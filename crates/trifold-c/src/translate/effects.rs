//! Where C leaves the order of evaluation open, and whether it matters.
//!
//! Operands of an operator, arguments of a call, and the two sides of an assignment may be evaluated in any order. The
//! translation goes from left to right. That is one of the ways in which the program may behave, and the only one
//! unless an operand changes what another one uses. Memory is told apart by the members that are accessed; what is
//! reached through pointers to numbers or pointers is taken for one thing.

use super::forms::{called, root};
use super::fresh::fresh_variables;
use super::survey::Survey;
use crate::library::Known;
use crate::typed::{DeclarationId, DeclarationKind, Expr, ExprKind, Function, Program, Storage};
use crate::types::{Qualifiers, RecordId, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Something that is read or written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Thing {
    Variable(DeclarationId),
    Member(RecordId, usize),
    /// What pointers to numbers or pointers lead to.
    Cells,
    /// Whole objects.
    Memory,
}

impl Thing {
    fn overlaps(self, other: Thing) -> bool {
        let in_memory = |thing| !matches!(thing, Thing::Variable(_));
        self == other || self == Thing::Memory && in_memory(other) || other == Thing::Memory && in_memory(self)
    }
}

/// What an expression reads and writes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Effects {
    reads: BTreeSet<Thing>,
    writes: BTreeSet<Thing>,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    fn conflicts(&self, other: &Effects) -> bool {
        let touches = |writes: &BTreeSet<Thing>, other: &Effects| {
            let mut touched = other.reads.iter().chain(&other.writes);
            !writes.is_empty() && touched.any(|thing| writes.iter().any(|written| written.overlaps(*thing)))
        };
        touches(&self.writes, other) || touches(&other.writes, self)
    }
}

/// The effects of all functions.
pub(super) struct EffectTable {
    known: Rc<Known>,
    functions: BTreeMap<DeclarationId, Effects>,
    members: BTreeSet<(RecordId, usize)>,
    objects: BTreeSet<DeclarationId>,
    fresh: BTreeSet<DeclarationId>,
    /// Of a call through a pointer.
    indirect: Effects,
    /// Of a function that is defined nowhere.
    shared: Effects,
}

impl EffectTable {
    pub fn of(program: &Program, survey: &Survey, known: &Rc<Known>) -> EffectTable {
        let mut table = EffectTable {
            known: known.clone(),
            functions: BTreeMap::new(),
            members: survey.members.clone(),
            objects: survey.objects.clone(),
            fresh: fresh_variables(program, &survey.objects, known),
            indirect: Effects::default(),
            shared: Effects::default(),
        };
        // At first no function has an effect, so that none of them is taken for one that is defined nowhere.
        table.functions = program.functions.iter().map(|f| (f.declaration, Effects::default())).collect();
        for id in &survey.shared {
            let thing = if survey.objects.contains(id) { Thing::Memory } else { Thing::Variable(*id) };
            table.shared.reads.insert(thing);
            table.shared.writes.insert(thing);
        }
        loop {
            let mut changed = false;
            for function in &program.functions {
                let effects = table.of_function(program, function);
                if table.functions.get(&function.declaration) != Some(&effects) {
                    changed = true;
                    if survey.functions.contains(&function.declaration) {
                        table.indirect.add(&effects);
                    }
                    table.functions.insert(function.declaration, effects);
                }
            }
            if !changed {
                return table;
            }
        }
    }

    fn of_function(&self, program: &Program, function: &Function) -> Effects {
        let mut effects = Effects::default();
        let visible = |place: &Expr| !self.is_fresh(place);
        function.body.for_each_expr(&mut |expr| self.collect(program, expr, &visible, &mut effects));
        // Other functions have variables of their own.
        let is_shared = |thing: &Thing| match thing {
            Thing::Variable(id) => !is_local(program, *id),
            _ => true,
        };
        effects.reads.retain(is_shared);
        effects.writes.retain(is_shared);
        effects
    }

    fn of_expr(&self, program: &Program, expr: &Expr) -> Effects {
        let mut effects = Effects::default();
        self.collect(program, expr, &|_| true, &mut effects);
        effects
    }

    /// Is it in an object that the function has allocated?
    fn is_fresh(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Member(base, _) => self.is_fresh(base),
            ExprKind::Deref(pointer) => match &pointer.kind {
                ExprKind::Load(variable) => matches!(variable.kind, ExprKind::Name(id) if self.fresh.contains(&id)),
                _ => false,
            },
            _ => false,
        }
    }

    fn collect(&self, program: &Program, expr: &Expr, visible: &dyn Fn(&Expr) -> bool, effects: &mut Effects) {
        match &expr.kind {
            ExprKind::Load(place) if visible(place) => drop(effects.reads.insert(self.thing(program, place))),
            ExprKind::Assign(place, _) if visible(place) => drop(effects.writes.insert(self.thing(program, place))),
            ExprKind::CompoundAssign { place, .. } | ExprKind::Increment { place, .. } if visible(place) => {
                let thing = self.thing(program, place);
                effects.reads.insert(thing);
                effects.writes.insert(thing);
            }
            ExprKind::Call(callee, arguments) => self.collect_call(program, callee, arguments, effects),
            _ => {}
        }
        expr.for_each_operand(&mut |operand| self.collect(program, operand, visible, effects));
    }

    fn collect_call(&self, program: &Program, callee: &Expr, arguments: &[Expr], effects: &mut Effects) {
        let Some(id) = called(callee) else { return effects.add(&self.indirect) };
        match program.declaration(id).kind {
            DeclarationKind::Function { .. } => {}
            _ => return effects.add(&self.indirect),
        }
        if let Some(known) = self.functions.get(&id) {
            return effects.add(known);
        }
        match self.known.row(id) {
            Some(row) if row.changes_memory() => drop(effects.writes.insert(Thing::Memory)),
            Some(_) => {}
            None => self.collect_unknown(program, id, arguments, effects),
        }
    }

    /// A function that is defined nowhere may change what it gets, and the variables that other files know.
    fn collect_unknown(&self, program: &Program, id: DeclarationId, arguments: &[Expr], effects: &mut Effects) {
        let changes = |argument: &Expr| {
            let target = program.types.pointee(argument.ty);
            target.is_some_and(|to| !program.types.qualifiers(to).contains(Qualifiers::CONST))
        };
        if arguments.iter().any(changes) {
            effects.writes.insert(Thing::Memory);
        }
        if !program.declaration(id).system {
            effects.add(&self.shared);
        }
    }

    fn thing(&self, program: &Program, place: &Expr) -> Thing {
        if matches!(program.types.get(place.ty), Type::Record(_) | Type::Array(..)) {
            return match root(place).filter(|id| !self.objects.contains(id)) {
                Some(id) => Thing::Variable(id),
                None => Thing::Memory,
            };
        }
        if let Some(id) = root(place).filter(|id| !self.objects.contains(id)) {
            return Thing::Variable(id);
        }
        match &place.kind {
            ExprKind::Member(base, index) => match program.types.get(base.ty) {
                Type::Record(record) if !self.members.contains(&(*record, *index)) => Thing::Member(*record, *index),
                _ => Thing::Cells,
            },
            _ => Thing::Cells,
        }
    }

    /// Does an expression change anything?
    pub fn changes(&self, program: &Program, expr: &Expr) -> bool {
        !self.of_expr(program, expr).writes.is_empty()
    }

    /// Does an expression assign to a local variable?
    pub fn writes(&self, program: &Program, expr: &Expr, variable: DeclarationId) -> bool {
        self.of_expr(program, expr).writes.contains(&Thing::Variable(variable))
    }

    /// Does an expression change what another one reads?
    pub fn disturbs(&self, program: &Program, expr: &Expr, other: &Expr) -> bool {
        let (writes, reads) = (self.of_expr(program, expr).writes, self.of_expr(program, other).reads);
        writes.iter().any(|written| reads.iter().any(|read| written.overlaps(*read)))
    }

    /// Does the result depend on an order that C leaves open?
    pub fn order_matters(&self, program: &Program, expr: &Expr) -> bool {
        let of = |expr: &Expr| self.of_expr(program, expr);
        match &expr.kind {
            ExprKind::Binary(_, a, b)
            | ExprKind::Index(a, b)
            | ExprKind::PointerOffset { pointer: a, index: b, .. }
            | ExprKind::PointerDifference(a, b)
            | ExprKind::CompoundAssign { place: a, value: b, .. } => of(a).conflicts(&of(b)),
            ExprKind::Assign(place, value) => {
                let stored = self.thing(program, place);
                let written = self.written_here(program, value, place.ty);
                of(place).conflicts(&of(value)) || written.iter().any(|thing| thing.overlaps(stored))
            }
            ExprKind::Call(callee, arguments) => self.conflict(program, arguments.iter().chain([&**callee])),
            _ => false,
        }
    }

    /// Does one of several expressions, which are evaluated in any order, change what another one uses?
    pub fn conflict<'a>(&self, program: &Program, parts: impl Iterator<Item = &'a Expr>) -> bool {
        let parts: Vec<Effects> = parts.map(|part| self.of_expr(program, part)).collect();
        let writers = parts.iter().enumerate().filter(|(_, part)| !part.writes.is_empty());
        let mut pairs = writers.flat_map(|(i, a)| parts.iter().enumerate().map(move |(j, b)| (i != j, a, b)));
        pairs.any(|(differ, a, b)| differ && a.conflicts(b))
    }

    /// What is written by the expression itself, not by functions that it calls: those have returned before the value
    /// of the expression is stored. In `a->v = b->v = 0` both places get the same value, in whatever order.
    fn written_here(&self, program: &Program, expr: &Expr, stored: TypeId) -> BTreeSet<Thing> {
        let mut written = BTreeSet::new();
        let (mut open, mut last) = (Vec::new(), expr);
        while let ExprKind::Assign(place, value) = &last.kind
            && program.types.compatible(last.ty, stored, true)
        {
            open.push(&**place);
            last = value;
        }
        open.push(last);
        while let Some(expr) = open.pop() {
            match &expr.kind {
                ExprKind::Assign(place, _)
                | ExprKind::CompoundAssign { place, .. }
                | ExprKind::Increment { place, .. } => drop(written.insert(self.thing(program, place))),
                // Whatever is done before a sequence point is done before the value is known.
                ExprKind::Statements(_) | ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => continue,
                ExprKind::Comma(_, last) => {
                    open.push(last);
                    continue;
                }
                ExprKind::Conditional(_, middle, otherwise) => {
                    open.extend(middle.as_deref());
                    open.push(otherwise);
                    continue;
                }
                ExprKind::Call(..) => continue,
                _ => {}
            }
            expr.for_each_operand(&mut |operand| open.push(operand));
        }
        written
    }
}

/// A variable that each call of its function has anew.
fn is_local(program: &Program, id: DeclarationId) -> bool {
    matches!(program.declaration(id).kind, DeclarationKind::Parameter | DeclarationKind::Variable(Storage::Automatic))
}

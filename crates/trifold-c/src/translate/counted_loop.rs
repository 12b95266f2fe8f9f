//! Loops that count up through arrays of pointers: `for (i = 0; i < n; i++) … table[i] …`.
//!
//! The element that such a loop has come to is kept in a *cursor*, which goes on by one element where the index
//! goes up by one. So analyses tell the elements that the loop has passed from those that it has not, and when
//! it ends they know that there are no others. For example, after `for (i = 0; i < 64; i++) table[i] = NULL;`
//! all elements are null.
//!
//! # Soundness
//! A cursor gets its element where the loop first uses one, and it is only used while it is in step with the index: no
//! other expression of the loop assigns to the index, and an index that wraps around makes the cursor unknown. It must
//! not keep alive what the program has lost. So the loop changes nothing that leads to the array, and frees nothing on
//! the way there: the program itself leads to the array as long as the cursor does.

use super::Translator;
use super::buffer::{I64, index};
use super::element::{Cursor, PointerArray, is_element};
use super::forms::{called, loaded};
use crate::library::Treatment;
use crate::typed::{DeclarationId, Expr, ExprKind, For, Function};
use crate::types::{Type, TypeId};
use std::collections::BTreeSet;
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, Operand, Scalar, Scope, Statement, VarId};
use trifold_source::Span;

impl<'p> Translator<'p> {
    /// The cursors of a loop; none of them has an element yet. Returns how many there were before.
    pub(super) fn open_cursors(&mut self, parts: &'p For, span: Span) -> usize {
        let before = self.body.cursors.len();
        let Some(counter) = parts.step.as_ref().and_then(counted) else { return before };
        let mut arrays: Vec<&'p Expr> = Vec::new();
        parts.body.for_each_expr(&mut |expr| indexed(expr, counter, &mut arrays));
        for array in arrays {
            let known = self.array_behind(array);
            let (Some(known), Some(path)) = (known, path(array)) else { continue };
            let is_new = self.body.cursors[before..].iter().all(|cursor| cursor.path != path);
            if !is_new || !self.is_steady(parts, counter, array) {
                continue;
            }
            let scope = Scope::Local(self.body.procedure);
            let element = ir::Type::Pointer(Some(known.element));
            let cursor = Cursor {
                counter,
                path,
                known,
                element: self.new_variable("cursor", element, scope, span),
                is_set: self.new_variable("cursor.set", ir::Type::Scalar(Scalar::Bool), scope, span),
                length: self.new_variable("cursor.length", ir::Type::Scalar(I64), scope, span),
            };
            self.set(cursor.is_set, Operand::Scalar(truth(false)), span);
            self.body.cursors.push(cursor);
        }
        before
    }

    /// The structs of the array that an expression points to the elements of.
    fn array_behind(&mut self, pointer: &Expr) -> Option<PointerArray> {
        match &pointer.kind {
            ExprKind::Decay(array) => self.pointer_array_of(array.ty),
            _ if self.is_walker(pointer.ty) => self.c.types.pointee(pointer.ty).and_then(|to| self.pointer_array(to)),
            _ => None,
        }
    }

    /// The cursor of an element of an array.
    pub(super) fn cursor(&self, pointer: &Expr, index: &Expr) -> Option<Cursor> {
        let (counter, path) = (loaded(index)?, path(pointer)?);
        let mut cursors = self.body.cursors.iter().rev();
        cursors.find(|cursor| cursor.counter == counter && cursor.path == path).cloned()
    }

    /// The element that a loop has come to, whose index is within the bounds.
    pub(super) fn cursor_element(
        &mut self,
        cursor: &Cursor,
        (object, at, length): (VarId, ir::Expr, ir::Expr),
        span: Span,
    ) -> VarId {
        let end = self.node();
        let otherwise = self.unless(Condition::Scalar(ir::Expr::Variable(cursor.is_set)), span);
        self.assume_that(is_element(cursor.element), span);
        self.jump(end, span);
        self.body.at = otherwise;
        self.go_to(cursor.element, object, cursor.known, at, span);
        self.set(cursor.length, Operand::Scalar(length), span);
        self.set(cursor.is_set, Operand::Scalar(truth(true)), span);
        self.join(end, span);
        cursor.element
    }

    /// The index has gone up by one.
    pub(super) fn advance_cursors(&mut self, before: usize, span: Span) {
        for number in before..self.body.cursors.len() {
            let cursor = self.body.cursors[number].clone();
            let Some(at) = self.counter(&cursor) else { continue };
            let end = self.node();
            let is_set = ir::Expr::Variable(cursor.is_set);
            let up = ir::Expr::binary(BinaryOp::Greater, at, index(0));
            for condition in [Condition::Scalar(is_set), is_element(cursor.element)] {
                let otherwise = self.unless(condition, span);
                let here = std::mem::replace(&mut self.body.at, otherwise);
                self.jump(end, span);
                self.body.at = here;
            }
            let (element, next) = (cursor.element, cursor.known.next);
            self.emit(Statement::Load { to: element, object: element, field: next }, span);
            let wrapped = self.unless(Condition::Scalar(up), span);
            self.jump(end, span);
            self.body.at = wrapped;
            self.set(cursor.is_set, Operand::Scalar(truth(false)), span);
            self.join(end, span);
        }
    }

    /// The loop ends: there is an element exactly if the index is below the length.
    pub(super) fn close_cursors(&mut self, before: usize, span: Span) {
        for cursor in self.body.cursors.split_off(before) {
            let Some(at) = self.counter(&cursor) else { continue };
            let end = self.node();
            let otherwise = self.unless(Condition::Scalar(ir::Expr::Variable(cursor.is_set)), span);
            let here = std::mem::replace(&mut self.body.at, otherwise);
            self.jump(end, span);
            self.body.at = here;
            let within = ir::Expr::binary(BinaryOp::Less, at, ir::Expr::Variable(cursor.length));
            let over = self.unless(Condition::Scalar(within), span);
            self.assume_that(is_element(cursor.element), span);
            self.jump(end, span);
            self.body.at = over;
            self.assume_that(is_element(cursor.element).negated(), span);
            self.join(end, span);
            self.forget(&[cursor.element], span);
        }
    }

    /// The value of the index of a loop.
    fn counter(&self, cursor: &Cursor) -> Option<ir::Expr> {
        let variable = self.body.variables.get(&cursor.counter).and_then(super::place::Place::variable)?;
        Some(self.converted(ir::Expr::Variable(variable), I64))
    }

    /// Does the loop leave its index alone, and everything that leads to the array, which is there before it?
    fn is_steady(&self, parts: &'p For, counter: DeclarationId, array: &'p Expr) -> bool {
        let labels = self.body.function.is_none_or(|function| !function.labels.is_empty());
        let is_variable = self.body.variables.get(&counter).is_some_and(|place| place.variable().is_some());
        if labels || !self.body.switches.is_empty() || !is_variable || self.survey.objects.contains(&counter) {
            return false;
        }
        let is_declared = |id: &DeclarationId| self.body.variables.contains_key(id) || self.globals.contains_key(id);
        if !variable(array).is_some_and(|id| is_declared(&id)) {
            return false;
        }
        let mut exprs: Vec<&'p Expr> = parts.condition.iter().collect();
        parts.body.for_each_expr(&mut |expr| exprs.push(expr));
        let changes =
            |expr: &&Expr| self.effects.writes(self.c, expr, counter) || self.effects.disturbs(self.c, expr, array);
        let mut types = records_on(array);
        if !matches!(array.kind, ExprKind::Decay(_)) {
            types.extend(self.c.types.pointee(array.ty));
        }
        !exprs.iter().any(changes) && !self.frees(&exprs, &types)
    }

    /// May expressions free an object of one of some types?
    fn frees(&self, exprs: &[&'p Expr], types: &[TypeId]) -> bool {
        if types.is_empty() {
            return false;
        }
        let (mut open, mut seen): (Vec<&'p Expr>, BTreeSet<DeclarationId>) = (exprs.to_vec(), BTreeSet::new());
        while let Some(expr) = open.pop() {
            if let ExprKind::Call(callee, arguments) = &expr.kind {
                let Some(id) = called(callee) else { return true };
                match (self.definition(id), self.known.row(id).map(crate::library::Row::treatment)) {
                    (Some(function), _) if seen.insert(id) => of_function(function, &mut open),
                    (None, Some(Treatment::Free(freed))) => {
                        let pointer = arguments.get(freed).map(|argument| self.uncast(argument));
                        let to = pointer.and_then(|pointer| self.c.types.pointee(pointer.ty));
                        let is_one = |to: TypeId| {
                            *self.c.types.get(to) == Type::Void
                                || types.iter().any(|ty| self.c.types.compatible(*ty, to, false))
                        };
                        if to.is_none_or(is_one) {
                            return true;
                        }
                    }
                    _ => {}
                }
            }
            expr.for_each_operand(&mut |operand| open.push(operand));
        }
        false
    }
}

fn of_function<'p>(function: &'p Function, open: &mut Vec<&'p Expr>) {
    function.body.for_each_expr(&mut |expr| open.push(expr));
}

fn truth(value: bool) -> ir::Expr {
    ir::Expr::Constant(value.into(), Scalar::Bool)
}

/// The variable that goes up by one in each round.
fn counted(step: &Expr) -> Option<DeclarationId> {
    match &step.kind {
        ExprKind::Increment { place, decrement: false, .. } => match place.kind {
            ExprKind::Name(id) => Some(id),
            _ => None,
        },
        ExprKind::Convert { operand, .. } => counted(operand),
        _ => None,
    }
}

/// The expressions that an index chooses elements of.
fn indexed<'p>(expr: &'p Expr, counter: DeclarationId, found: &mut Vec<&'p Expr>) {
    if let ExprKind::Index(pointer, index) = &expr.kind
        && loaded(index) == Some(counter)
    {
        found.push(pointer);
    }
    expr.for_each_operand(&mut |operand| indexed(operand, counter, found));
}

/// Variables and members, by which two expressions are the same.
fn path(expr: &Expr) -> Option<Vec<usize>> {
    let (operand, step) = match &expr.kind {
        ExprKind::Name(id) => return Some(vec![id.index()]),
        ExprKind::Member(base, index) => (base, *index),
        ExprKind::Load(operand) => (operand, usize::MAX),
        ExprKind::Deref(operand) => (operand, usize::MAX - 1),
        ExprKind::Decay(operand) => (operand, usize::MAX - 2),
        _ => return None,
    };
    let mut path = path(operand)?;
    path.push(step);
    Some(path)
}

/// The variable that an expression begins with.
fn variable(expr: &Expr) -> Option<DeclarationId> {
    match &expr.kind {
        ExprKind::Name(id) => Some(*id),
        ExprKind::Member(base, _) => variable(base),
        ExprKind::Load(operand) | ExprKind::Deref(operand) | ExprKind::Decay(operand) => variable(operand),
        _ => None,
    }
}

/// The types of objects on the way that an expression goes through pointers.
fn records_on(expr: &Expr) -> Vec<TypeId> {
    match &expr.kind {
        ExprKind::Member(base, _) => records_on(base),
        ExprKind::Load(operand) | ExprKind::Decay(operand) => records_on(operand),
        ExprKind::Deref(pointer) => {
            let mut types = records_on(pointer);
            types.push(expr.ty);
            types
        }
        _ => Vec::new(),
    }
}

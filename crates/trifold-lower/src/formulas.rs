//! Formulas about states, in terms of the [predicates](crate::predicates).

use crate::predicates::{Link, Pointer, Predicates, u, v, w};
use trifold_ir::{FieldId, Program, StructId, VarId};
use trifold_logic::{Formula, PredicateId, Var};

/// A nullary predicate; what no predicate tracks does not occur.
pub(crate) fn flag(predicate: Option<PredicateId>) -> Formula {
    predicate.map_or(Formula::FALSE, |predicate| Formula::atom(predicate, []))
}

/// A unary predicate, likewise.
pub(crate) fn mark(predicate: Option<PredicateId>, of: Var) -> Formula {
    predicate.map_or(Formula::FALSE, |predicate| Formula::atom(predicate, [of]))
}

impl Predicates {
    pub fn pointer(&self, x: VarId) -> &Pointer {
        &self.pointers[&x]
    }

    pub fn link(&self, field: FieldId) -> &Link {
        &self.links[&field]
    }

    /// "`x` points to `at`."
    pub fn points(&self, x: VarId, at: Var) -> Formula {
        Formula::atom(self.pointer(x).points, [at])
    }

    /// "The field of `from` points to `to`."
    pub fn edge(&self, field: FieldId, from: Var, to: Var) -> Formula {
        Formula::atom(self.link(field).edge, [from, to])
    }

    /// "`x` points to a living object for which the claim holds", a claim about `v`.
    pub fn some(&self, x: VarId, claim: Formula) -> Formula {
        Formula::exists([v()], Formula::and([self.points(x, v()), claim]))
    }

    /// "`x` points to before the object `at`."
    pub fn outside(&self, x: VarId, at: Var) -> Formula {
        Formula::or(self.pointer(x).outside.values().map(|p| Formula::atom(*p, [at.clone()])))
    }

    /// "`x` points to before some object", by a field that is not `except`.
    pub fn is_outside(&self, x: VarId, except: Option<FieldId>) -> Formula {
        let fields = self.pointer(x).outside.iter().filter(|(field, _)| Some(**field) != except);
        Formula::or(fields.map(|(_, p)| Formula::exists([v()], Formula::atom(*p, [v()]))))
    }

    /// "`x` has a value that is neither null nor a pointer to a living object."
    pub fn astray(&self, x: VarId) -> Formula {
        let pointer = self.pointer(x);
        Formula::or([flag(pointer.freed), flag(pointer.dead), self.is_outside(x, None)])
    }

    /// "`x` is null."
    pub fn null(&self, x: VarId) -> Formula {
        let pointer = self.pointer(x);
        Formula::and([self.some(x, Formula::TRUE), flag(pointer.uninit), self.astray(x)].map(Formula::negate))
    }

    /// "`at` is an object of the struct."
    pub fn is_a(&self, structure: StructId, at: Var) -> Formula {
        self.types.get(&structure).map_or(Formula::TRUE, |id| Formula::atom(*id, [at]))
    }

    /// "`at` is on the heap."
    pub fn on_heap(&self, at: Var) -> Formula {
        let elsewhere = self.stack.values().chain(&self.fixed).map(|p| Formula::atom(*p, [at.clone()]));
        Formula::or(elsewhere).negate()
    }

    /// "`at` is part of another object."
    pub fn is_part(&self, program: &Program, at: Var) -> Formula {
        let embedded = self.links.iter().filter(|(field, _)| program[**field].embedded);
        Formula::or(embedded.map(|(_, link)| Formula::exists([u()], Formula::atom(link.edge, [u(), at.clone()]))))
    }

    /// "`at` is what another object begins with, and so has its address in C."
    pub fn is_first_part(&self, program: &Program, at: Var) -> Formula {
        let first = self.links.iter().filter(|(field, _)| program[**field].embedded && program[**field].position == 0);
        Formula::or(first.map(|(_, link)| Formula::exists([u()], Formula::atom(link.edge, [u(), at.clone()]))))
    }

    /// "Some variable other than `except`, or a living object that needs no reference, leads to `at`", as far as the families know.
    pub fn reached(&self, at: Var, except: Option<VarId>) -> Formula {
        let from = |(x, pointer): (&VarId, &Pointer)| {
            let along = pointer.reach.iter().map(|r| Formula::atom(*r, [at.clone()]));
            Formula::or(along.chain([self.points(*x, at.clone()), self.outside(*x, at.clone())]))
        };
        let variables = self.pointers.iter().filter(|(x, _)| Some(**x) != except).map(from);
        let rooted = self.rooted.iter().map(|r| Formula::atom(*r, [at.clone()]));
        Formula::or(variables.chain(rooted).chain([self.on_heap(at.clone()).negate()]))
    }

    /// "Some variable, or a living object that needs no reference, leads to `v`", by definition.
    pub fn reachable(&self, program: &Program) -> Formula {
        let steps = self.links.iter().flat_map(|(field, link)| {
            let there = Formula::atom(link.edge, [w(), u()]);
            let back = Formula::atom(link.edge, [u(), w()]);
            if program[*field].embedded { vec![there, back] } else { vec![there] }
        });
        let [start, end] = [Var::new("s"), v()];
        let path = Formula::Closure {
            start: start.clone(),
            end: end.clone(),
            left: w(),
            right: u(),
            body: Formula::or(steps).into(),
        };
        let held = self
            .pointers
            .keys()
            .map(|x| Formula::or([self.points(*x, start.clone()), self.outside(*x, start.clone())]));
        let roots = Formula::or(held.chain([self.on_heap(start.clone()).negate()]));
        Formula::exists([start.clone()], Formula::and([roots, Formula::or([Formula::equal(start, end), path])]))
    }
}

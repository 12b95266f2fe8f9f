//! Birth and death of objects.

use super::{Lowering, Steps};
use crate::formulas::flag;
use crate::graph::Failure;
use crate::holdings::part_paths;
use crate::predicates::{u, v, w};
use crate::values::{Death, Value, update};
use std::collections::BTreeSet;
use trifold_ir::{FieldId, FindingKind, Operand, ProcId, Region, Statement, StructId, VarId};
use trifold_logic::{Formula, PredicateId, Var};
use trifold_tvl::{Action, New};

impl Lowering<'_> {
    /// `to = new structure`: first the object, then its parts, one after the other.
    pub(super) fn allocate(
        &self,
        procedure: ProcId,
        to: VarId,
        structure: StructId,
        region: Region,
        zeroed: bool,
        may_fail: bool,
    ) -> Steps {
        let mut whole = self.newborn(procedure, structure, region, zeroed);
        self.predicates.assign(&mut whole, to, &Value::object(Formula::atom(PredicateId::IS_NEW, [v()])));
        let mut stages = vec![vec![whole]];
        if may_fail {
            // The parts of an object that is not there are not made either; see `is_there`.
            let mut none = Action::default();
            self.predicates.assign(&mut none, to, &Value::null());
            stages[0].push(none);
        }
        for path in part_paths(self.program, structure) {
            let (last, way) = path.split_last().expect("paths are not empty");
            let part = self.program[*last].ty.target().expect("embedded fields lead to parts");
            let mut action = self.newborn(procedure, part, region, zeroed);
            let container = self.follow(to, way, v());
            let added = Formula::and([container, Formula::atom(PredicateId::IS_NEW, [w()])]);
            let edge = self.predicates.link(*last).edge;
            update(&mut action, edge, &[v(), w()], Formula::or([Formula::atom(edge, [v(), w()]), added]));
            let is_there = self.predicates.some(to, Formula::TRUE);
            action.precondition = Some(is_there.clone());
            let mut alternatives = vec![action];
            if may_fail {
                alternatives.push(Action { precondition: Some(is_there.negate()), ..Action::default() });
            }
            stages.push(alternatives);
        }
        Steps { stages, ..Steps::default() }
    }

    /// Creates an object of the struct that nothing points to yet.
    fn newborn(&self, procedure: ProcId, structure: StructId, region: Region, zeroed: bool) -> Action {
        let predicates = &self.predicates;
        let mut action = Action { new: Some(New::Single), ..Action::default() };
        let mut mark = |predicate: Option<PredicateId>| {
            if let Some(predicate) = predicate {
                let marked = [predicate, PredicateId::IS_NEW].map(|p| Formula::atom(p, [v()]));
                update(&mut action, predicate, &[v()], Formula::or(marked));
            }
        };
        mark(predicates.types.get(&structure).copied());
        match region {
            Region::Heap => {}
            Region::Stack => mark(predicates.stack.get(&procedure).copied()),
            Region::Static => mark(predicates.fixed),
        }
        let fields = &self.program[structure].fields;
        for field in fields.iter().filter(|field| !zeroed && self.program[**field].ty.is_pointer()) {
            mark(predicates.link(*field).uninit.filter(|_| !self.program[*field].embedded));
        }
        fields.iter().for_each(|field| self.first_value(&mut action, *field, zeroed));
        action
    }

    /// "`at` is where the path of fields leads from what `x` points to."
    fn follow(&self, x: VarId, path: &[FieldId], at: Var) -> Formula {
        let Some((last, way)) = path.split_last() else { return self.predicates.points(x, at) };
        // Each step has a variable of its own.
        let before = Var::new(&format!("{}{}", u().name(), path.len()));
        let step = self.predicates.edge(*last, before.clone(), at);
        Formula::exists([before.clone()], Formula::and([self.follow(x, way, before), step]))
    }

    /// "`v` is what `x` points to, or one of its parts."
    fn whole(&self, x: VarId) -> Formula {
        let structs = &self.holdings.variable(x).structs;
        let paths: BTreeSet<Vec<FieldId>> =
            structs.iter().flat_map(|structure| part_paths(self.program, *structure)).collect();
        let parts = paths.iter().map(|path| self.follow(x, path, v()));
        Formula::or([self.predicates.points(x, v())].into_iter().chain(parts))
    }

    /// `free(x)`
    pub(super) fn free(&self, x: VarId) -> Steps {
        let (predicates, name) = (&self.predicates, &self.program[x].name);
        let pointer = predicates.pointer(x);
        let (is_part, on_heap) = (predicates.is_part(self.program, v()), predicates.on_heap(v()));
        let first_part = Formula::and([predicates.is_first_part(self.program, v()), on_heap.clone()]);
        let freeable = Formula::and([is_part.negate(), on_heap]);
        let not_freeable = Formula::and([freeable.clone().negate(), first_part.clone().negate()]);
        let whole = self.whole(x);
        let astray = self.dying_outside(&whole, &BTreeSet::new());
        let invalid = |condition, what: &str| {
            Failure::new(FindingKind::InvalidFree, condition, format!("`{name}` may point to {what}"))
        };
        let parts: BTreeSet<StructId> = self.program.structs.iter().flat_map(|s| self.program.parts(s)).collect();
        let may_be_part = self.holdings.variable(x).structs.iter().any(|structure| parts.contains(structure));
        let failures = vec![
            Failure::new(
                FindingKind::UninitialisedPointer,
                flag(pointer.uninit),
                format!("`{name}` may have no value"),
            ),
            Failure::new(
                FindingKind::DoubleFree,
                flag(pointer.freed),
                format!("`{name}` may point to an object that was freed"),
            ),
            invalid(predicates.some(x, not_freeable), "what is no object of the heap"),
            Failure::new(
                FindingKind::NotAnalysed,
                predicates.some(x, first_part),
                format!("`{name}` may point to the first part of an object"),
            ),
            invalid(flag(pointer.dead), "a local variable"),
            invalid(predicates.is_outside(x, None), "no object"),
            invalid(flag(pointer.freed.filter(|_| may_be_part)), "a part of a freed object"),
            Failure::new(
                FindingKind::NotAnalysed,
                Formula::and([predicates.some(x, freeable.clone()), astray.clone()]),
                "something points to before the object that is freed",
            ),
        ];
        let fine = Formula::and([predicates.some(x, freeable), astray.negate()]);
        let mut frees = Action { precondition: Some(fine), ..Action::default() };
        predicates.kill(&mut frees, &whole, Death::Freed);
        let nothing = Action { precondition: Some(predicates.null(x)), ..Action::default() };
        Steps { failures, focus: Vec::new(), stages: vec![vec![frees, nothing]] }
    }

    /// "Some variable points to before an object that dies", other than those that lose their values at the same time.
    fn dying_outside(&self, dies: &Formula, cleared: &BTreeSet<VarId>) -> Formula {
        let predicates = &self.predicates;
        let of = predicates.pointers.keys().filter(|x| !cleared.contains(x));
        let before = Formula::or(of.map(|x| predicates.outside(*x, v())));
        match before {
            Formula::FALSE => Formula::FALSE,
            before => Formula::exists([v()], Formula::and([dies.clone(), before])),
        }
    }

    /// The end of a block: the object on the stack dies, if it has been reached.
    pub(super) fn end_life(&self, procedure: ProcId, x: VarId) -> Steps {
        let (predicates, name) = (&self.predicates, &self.program[x].name);
        let pointer = predicates.pointer(x);
        let own = predicates.stack.get(&procedure).map_or(Formula::FALSE, |id| Formula::atom(*id, [v()]));
        let own = Formula::and([own, predicates.is_part(self.program, v()).negate()]);
        let whole = self.whole(x);
        let astray = self.dying_outside(&whole, &BTreeSet::new());
        let text = format!("`{name}` may not point to a variable of this procedure");
        let failures = [
            predicates.some(x, own.clone().negate()),
            flag(pointer.freed),
            flag(pointer.dead.filter(|_| !self.holds_own_objects_only(procedure, x))),
            Formula::and([predicates.some(x, own.clone()), astray.clone()]),
        ];
        let failures =
            failures.map(|condition| Failure::new(FindingKind::NotAnalysed, condition, text.clone())).to_vec();
        let fine = Formula::and([predicates.some(x, own), astray.negate()]);
        let mut ends = Action { precondition: Some(fine), ..Action::default() };
        predicates.kill(&mut ends, &whole, Death::OutOfScope);
        let absent = Formula::and([predicates.some(x, Formula::TRUE), flag(pointer.freed)].map(Formula::negate));
        let nothing = Action { precondition: Some(absent), ..Action::default() };
        Steps { failures, focus: Vec::new(), stages: vec![vec![ends, nothing]] }
    }

    /// Is the variable set by nothing but allocation on the stack of its own procedure?
    fn holds_own_objects_only(&self, procedure: ProcId, x: VarId) -> bool {
        let own = |statement: &Statement| match statement {
            Statement::Allocate { region, .. } => *region == Region::Stack,
            Statement::Set { value, .. } => *value == Operand::Uninitialised,
            _ => false,
        };
        let mut sets = self.program[procedure].edges.iter().filter(|edge| edge.statement.assigned() == Some(x));
        self.program[procedure].locals.contains(&x) && sets.all(|edge| own(&edge.statement))
    }

    /// A return: variables lose their values, except the result, and objects of the stack die. At the end of the program the result
    /// is of no use either.
    pub(super) fn leave(&self, procedure: ProcId) -> Steps {
        let body = &self.program[procedure];
        let kept = body.result.filter(|_| procedure != self.entry);
        let cleared: BTreeSet<VarId> =
            body.variables().filter(|x| self.program[*x].ty.is_pointer() && Some(*x) != kept).collect();
        let mut action = Action::default();
        for variable in &cleared {
            self.predicates.assign(&mut action, *variable, &Value::null());
        }
        for variable in body.variables().filter(|x| !self.program[*x].ty.is_pointer() && Some(*x) != kept) {
            self.forget_scalar(&mut action, variable);
        }
        let Some(stack) = self.predicates.stack.get(&procedure) else { return Steps::one(action) };
        let dies = Formula::atom(*stack, [v()]);
        self.predicates.kill(&mut action, &dies, Death::OutOfScope);
        let astray = self.dying_outside(&dies, &cleared);
        action.precondition = Some(astray.clone().negate());
        let text = "something points to before a variable that is no more";
        let failures = vec![Failure::new(FindingKind::NotAnalysed, astray, text)];
        Steps { failures, focus: Vec::new(), stages: vec![vec![action]] }
    }
}

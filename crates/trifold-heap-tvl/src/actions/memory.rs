//! Birth and death of objects. For example, `x = new node` makes an individual of which `is[node]` and `x` hold, and
//! `free(x)` removes it; pointers to it become `freed`.

use super::pointers::is_outside;
use super::{Lowering, Steps};
use crate::actions::flow::Failure;
use crate::actions::values::{Death, Value, update};
use crate::vocabulary::formulas::flag;
use crate::vocabulary::variables::v;
use std::collections::BTreeSet;
use trifold_ir::{FindingKind, Operand, ProcId, Region, Statement, StructId, VarId};
use trifold_logic::{Formula, PredicateId};
use trifold_passes::targets::{Target, slots};
use trifold_tvl::{Action, New};

impl Lowering<'_> {
    /// `to = new structure`
    pub(super) fn allocate(
        &self,
        procedure: ProcId,
        to: VarId,
        structure: StructId,
        region: Region,
        zeroed: bool,
        may_fail: bool,
    ) -> Steps {
        let mut made = self.newborn(procedure, structure, region, zeroed);
        self.predicates.assign(&mut made, to, &Value::object(Formula::atom(PredicateId::IS_NEW, [v()])));
        let mut alternatives = vec![made];
        if may_fail {
            let mut none = Action::default();
            self.predicates.assign(&mut none, to, &Value::null());
            alternatives.push(none);
        }
        Steps { stages: vec![alternatives], ..Steps::default() }
    }

    /// Creates an object of the struct that nothing points to yet.
    fn newborn(&self, procedure: ProcId, structure: StructId, region: Region, zeroed: bool) -> Action {
        let predicates = &self.predicates;
        let mut action = Action { new: Some(New::Single), ..Action::default() };
        let mark = |action: &mut Action, predicate: Option<PredicateId>| {
            if let Some(predicate) = predicate {
                let marked = [predicate, PredicateId::IS_NEW].map(|p| Formula::atom(p, [v()]));
                update(action, predicate, &[v()], Formula::or(marked));
            }
        };
        mark(&mut action, predicates.types.get(&structure).copied());
        match region {
            Region::Heap => {}
            Region::Stack => mark(&mut action, predicates.stack.get(&procedure).copied()),
            Region::Static => mark(&mut action, predicates.fixed),
        }
        self.first_numbers(&mut action);
        for slot in slots(self.program, structure) {
            let Some(link) = predicates.links.of_slot(&slot) else { continue };
            if !self.program[slot.field].ty.is_pointer() {
                self.first_value(&mut action, link, zeroed);
            } else if !zeroed {
                mark(&mut action, predicates.edge(link).uninit);
            }
        }
        action
    }

    /// `free(x)`
    pub(super) fn free(&self, x: VarId) -> Steps {
        let (predicates, program, name) = (&self.predicates, self.program, &self.program[x].name);
        let pointer = predicates.pointer(x);
        let some = |chosen: &dyn Fn(&Target) -> bool, claim| predicates.some(x, chosen, claim);
        let on_heap = predicates.on_heap(v());
        let freeable = some(&Target::is_whole, on_heap.clone());
        let dies = predicates.points(x, v());
        let astray = self.dying_outside(&dies, &BTreeSet::new());
        let invalid = |condition, what: &str| {
            Failure::new(FindingKind::InvalidFree, condition, format!("`{name}` may point to {what}"))
        };
        let first = |target: &Target| target.is_first_part(program);
        let part = |target: &Target| !target.is_whole() && !first(target) && !is_outside(target);
        let may_be_part = pointer.targets.iter().any(|target| !target.is_whole());
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
            invalid(some(&|target| !is_outside(target), on_heap.clone().negate()), "what is no object of the heap"),
            invalid(some(&part, Formula::TRUE), "a part of an object"),
            invalid(flag(pointer.dead), "a local variable"),
            invalid(some(&is_outside, Formula::TRUE), "no object"),
            invalid(flag(pointer.freed.filter(|_| may_be_part)), "a part of a freed object"),
            Failure::new(
                FindingKind::NotAnalysed,
                some(&first, on_heap),
                format!("`{name}` may point to the first part of an object"),
            ),
            Failure::new(
                FindingKind::NotAnalysed,
                Formula::and([freeable.clone(), astray.clone()]),
                "something points to before the object that is freed",
            ),
        ];
        let mut frees = Action { precondition: Some(Formula::and([freeable, astray.negate()])), ..Action::default() };
        predicates.kill(&mut frees, &dies, Death::Freed);
        let nothing = Action { precondition: Some(predicates.null(x)), ..Action::default() };
        Steps { failures, stages: vec![vec![frees, nothing]] }
    }

    /// "Some variable points to before an object that dies", other than those that lose their values at the same time.
    fn dying_outside(&self, dies: &Formula, cleared: &BTreeSet<VarId>) -> Formula {
        let predicates = &self.predicates;
        let of = predicates.shared().filter(|(x, _)| !x.iter().any(|x| cleared.contains(x)));
        let before = Formula::or(of.map(|(x, _)| predicates.points_to_target(x[0], v(), &is_outside)));
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
        let ends = predicates.some(x, &Target::is_whole, own.clone());
        let dies = predicates.points(x, v());
        let astray = self.dying_outside(&dies, &BTreeSet::new());
        let text = format!("`{name}` may not point to a variable of this procedure");
        let failures = [
            predicates.some(x, &|target| !target.is_whole(), Formula::TRUE),
            predicates.some(x, &|_| true, own.negate()),
            flag(pointer.freed),
            flag(pointer.dead.filter(|_| !self.holds_own_objects_only(procedure, x))),
            Formula::and([ends.clone(), astray.clone()]),
        ];
        let failures =
            failures.map(|condition| Failure::new(FindingKind::NotAnalysed, condition, text.clone())).to_vec();
        let mut ends = Action { precondition: Some(Formula::and([ends, astray.negate()])), ..Action::default() };
        predicates.kill(&mut ends, &dies, Death::OutOfScope);
        let points = Formula::exists([v()], predicates.points(x, v()));
        let absent = Formula::and([points, flag(pointer.freed)].map(Formula::negate));
        let nothing = Action { precondition: Some(absent), ..Action::default() };
        Steps { failures, stages: vec![vec![ends, nothing]] }
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

    /// A return: variables lose their values, except the result, and objects of the stack die. At the end of the
    /// program the result is of no use either.
    pub(super) fn leave(&self, procedure: ProcId) -> Steps {
        let body = &self.program[procedure];
        let kept = body.result.filter(|_| procedure != self.entry);
        // Objects that a procedure was given are still needed where it returns to.
        let is_formal = |x: &VarId| {
            procedure != self.entry && self.formals.get(&procedure).is_some_and(|all| all.iter().any(|f| f.kept == *x))
        };
        let cleared: BTreeSet<VarId> = body
            .variables()
            .filter(|x| self.program[*x].ty.is_pointer() && Some(*x) != kept && !is_formal(x))
            .collect();
        let mut action = Action::default();
        for variable in &cleared {
            self.predicates.assign(&mut action, *variable, &Value::null());
        }
        let is_kept = |x: &VarId| {
            let numbers = self.numbers.get(&procedure).filter(|_| procedure != self.entry);
            Some(*x) == kept || numbers.is_some_and(|numbers| numbers.values().any(|number| number == x))
        };
        for variable in body.variables().filter(|x| !self.program[*x].ty.is_pointer() && !is_kept(x)) {
            self.forget_scalar(&mut action, variable);
        }
        let Some(stack) = self.predicates.stack.get(&procedure) else { return Steps::one(action) };
        let dies = Formula::atom(*stack, [v()]);
        self.predicates.kill(&mut action, &dies, Death::OutOfScope);
        let astray = self.dying_outside(&dies, &cleared);
        action.precondition = Some(astray.clone().negate());
        let text = "something points to before a variable that is no more";
        let failures = vec![Failure::new(FindingKind::NotAnalysed, astray, text)];
        Steps { failures, stages: vec![vec![action]] }
    }
}

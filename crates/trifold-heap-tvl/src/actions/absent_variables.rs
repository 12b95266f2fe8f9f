//! The predicates of variables that are not there on a local heap: the variables of other procedures are null while a
//! procedure runs. So their predicates are 0 in its actions, which need neither be asked nor kept up to date; the
//! callers get them back when the procedure returns. With that, the size of actions is a matter of the procedure and
//! not of the program. For example, while `f(p)` runs, `x(v)` of the variable `x` of `main` is 0, so `p = p->n` does
//! not mention it.

use crate::actions::values::update;
use crate::vocabulary::predicates::Predicates;
use crate::vocabulary::variables::v;
use std::collections::BTreeSet;
use trifold_ir::{ProcId, Program, Scope, VarId};
use trifold_logic::{Formula, PredicateId, Var, replace_atoms};
use trifold_tvl::{Action, New};

/// The predicates that are 0 in a procedure.
#[derive(Default)]
pub(crate) struct Absent {
    all: BTreeSet<PredicateId>,
    /// Those that change with the links between objects, if nothing is said of them.
    reach: Vec<PredicateId>,
}

impl Absent {
    /// The predicates of the pointers of other procedures than this one, and of global variables that are null.
    pub fn in_procedure(procedure: ProcId, program: &Program, empty: &[VarId], predicates: &Predicates) -> Absent {
        if predicates.sides.is_none() {
            return Absent::default();
        }
        Absent::of(predicates, &|x| match program[x].scope {
            Scope::Global => empty.contains(&x),
            Scope::Parameter(owner) | Scope::Local(owner) => owner != procedure,
        })
    }

    /// The predicates of pointers that lead nowhere while a procedure is entered: all pointers but its parameters and
    /// global variables that do not just hold results.
    pub fn at_entry(procedure: ProcId, program: &Program, returned: &[VarId], predicates: &Predicates) -> Absent {
        Absent::of(predicates, &|x| match program[x].scope {
            Scope::Global => returned.contains(&x),
            Scope::Parameter(owner) => owner != procedure,
            Scope::Local(_) => true,
        })
    }

    fn of(predicates: &Predicates, is_absent: &dyn Fn(VarId) -> bool) -> Absent {
        let absent =
            || predicates.shared().filter(|(x, _)| x.iter().all(|x| is_absent(*x))).map(|(_, pointer)| pointer);
        let reach: Vec<PredicateId> = absent().flat_map(|pointer| &pointer.reach).map(|(_, reach)| *reach).collect();
        let flags = absent().flat_map(|pointer| [pointer.uninit, pointer.freed, pointer.dead].into_iter().flatten());
        let at = absent().flat_map(|pointer| pointer.at.values().copied());
        let points = absent().map(|pointer| pointer.points);
        Absent { all: points.chain(flags).chain(at).chain(reach.iter().copied()).collect(), reach }
    }

    /// The action without them.
    pub fn leave_out(&self, mut action: Action, predicates: &Predicates) -> Action {
        if self.all.is_empty() {
            return action;
        }
        let zero = |p: PredicateId, arguments: &[Var]| match self.all.contains(&p) {
            true => Formula::FALSE,
            false => Formula::atom(p, arguments.iter().cloned()),
        };
        let clear = |formula: &mut Formula| *formula = replace_atoms(formula, &zero);
        action.focus.iter_mut().for_each(|(formula, _)| clear(formula));
        action.focus.retain(|(formula, _)| *formula != Formula::FALSE);
        action.precondition.iter_mut().for_each(clear);
        action.messages.iter_mut().for_each(|message| clear(&mut message.condition));
        action.updates.iter_mut().for_each(|update| clear(&mut update.formula));
        action.retain.iter_mut().for_each(|retain| clear(&mut retain.formula));
        if let Some(New::Clones { formula, .. } | New::Copies { formula, .. }) = &mut action.new {
            clear(formula);
        }
        let links: BTreeSet<PredicateId> = predicates.edges.values().map(|edge| edge.leads).collect();
        let changes_links = action.updates.iter().any(|update| links.contains(&update.predicate));
        if changes_links || action.new.is_some() || action.retain.is_some() {
            for reach in &self.reach {
                action.updates.retain(|update| update.predicate != *reach);
                update(&mut action, *reach, &[v()], Formula::FALSE);
            }
        }
        action
    }
}

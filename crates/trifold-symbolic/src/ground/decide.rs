//! The decision: ground, solve, and look again with more individuals if it was only for want of them that there is no model.

use super::frame::Frame;
use super::grounder::Grounder;
use super::{Deferral, Key};
use crate::query::{Answer, Query, Solver, Undecided};
use crate::sat::Verdict;
use crate::store::Store;
use rustc_hash::FxHashSet;
use trifold_structure::Individual;

/// How hard the solver tries before it leaves a query undecided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Individuals in addition to those of the structure.
    pub individuals: usize,
    /// Conflicts of the SAT solver, for one query.
    pub conflicts: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { individuals: 8, conflicts: 2_000 }
    }
}

/// The built-in solver.
#[derive(Clone, Default, Debug)]
pub struct BuiltIn {
    /// How hard to try.
    pub limits: Limits,
}

impl Solver for BuiltIn {
    fn solve(&mut self, query: &Query) -> Answer {
        let mut growth = Growth::default();
        let mut conflicts = self.limits.conflicts;
        loop {
            match attempt(query, &growth, &mut conflicts) {
                Attempt::Model(store) => return Answer::Satisfiable(Some(store)),
                Attempt::NoModel => return Answer::Unsatisfiable,
                Attempt::OutOfTime => return Answer::Undecided(Undecided::Conflicts),
                Attempt::TooFew(blamed) => {
                    let reason = || match blamed.iter().find_map(|deferral| rule_of(query, &deferral.key)) {
                        Some(formula) => Undecided::Universe { rule: Box::new(formula) },
                        None => Undecided::Paths,
                    };
                    if !growth.extend(&blamed, self.limits.individuals) {
                        return Answer::Undecided(reason());
                    }
                }
            }
        }
    }
}

fn rule_of(query: &Query, key: &Key) -> Option<trifold_logic::Formula> {
    match key {
        Key::Block(number, _) => query.theory.formula_of(*number).cloned(),
        _ => None,
    }
}

/// What one attempt comes to.
enum Attempt {
    Model(Store),
    NoModel,
    OutOfTime,
    /// There may be a model with more individuals, as these deferrals say.
    TooFew(Vec<Deferral>),
}

/// Grounds the query over the slots that there are by now; `conflicts` are left to be spent.
fn attempt(query: &Query, growth: &Growth, conflicts: &mut u64) -> Attempt {
    let frame = Frame::new(query.structure, &growth.slots);
    let mut grounder = Grounder::new(query.theory, frame, &growth.settled);
    grounder.assert_all(query.requirements);
    loop {
        let assumptions: Vec<_> = grounder.deferrals.iter().map(|deferral| !deferral.lit).collect();
        let sat = &mut grounder.frame.sat;
        let before = sat.conflicts();
        let verdict = sat.solve(&assumptions, *conflicts);
        *conflicts = conflicts.saturating_sub(sat.conflicts() - before);
        match verdict {
            Verdict::Stopped => return Attempt::OutOfTime,
            Verdict::Sat if grounder.add_cuts() => {}
            Verdict::Sat => return Attempt::Model(grounder.frame.decode()),
            Verdict::Unsat => {
                let core = grounder.frame.sat.core();
                let is_blamed = |deferral: &&Deferral| core.contains(&!deferral.lit);
                let blamed: Vec<Deferral> = grounder.deferrals.iter().filter(is_blamed).cloned().collect();
                return if blamed.is_empty() { Attempt::NoModel } else { Attempt::TooFew(blamed) };
            }
        }
    }
}

/// Slots beyond those of the structure, and the deferrals that they settle.
#[derive(Default)]
struct Growth {
    slots: Vec<Vec<Individual>>,
    settled: FxHashSet<Key>,
}

impl Growth {
    /// Adds slots for the witnesses of some deferrals. False when there would be too many.
    fn extend(&mut self, blamed: &[Deferral], limit: usize) -> bool {
        // Those that can be settled come first, and among them what is needed without condition.
        let rank = |deferral: &&Deferral| match &deferral.key {
            Key::Requirement(_) => 0,
            Key::Block(_, environment) if environment.is_empty() => 0,
            Key::Block(..) => 1,
            Key::Neighbour { .. } => 2,
            Key::Cut => 3,
        };
        let best = blamed.iter().map(|deferral| rank(&deferral)).min();
        for deferral in blamed.iter().filter(|deferral| Some(rank(deferral)) == best).take(2) {
            self.slots.extend(deferral.outside.iter().filter(|images| !images.is_empty()).cloned());
            if deferral.key != Key::Cut {
                self.settled.insert(deferral.key.clone());
            }
        }
        self.slots.len() <= limit
    }
}

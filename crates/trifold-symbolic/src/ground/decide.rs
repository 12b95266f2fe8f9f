//! The decision: ground, solve, and try again with more individuals if there is no model only for want of them.
//!
//! For example, `E(v) A(w) …` with no slot for `v` has no model; the deferral of `v` is to blame, so a slot for `v` is
//! added and the clauses are solved again.

use super::frame::Frame;
use super::grounder::Grounder;
use super::{Deferral, Key};
use crate::query::{Answer, Query, Solver, Undecided};
use crate::sat::{Clauses, Lit, Sat, Satisfiability};
use crate::store::Store;
use rustc_hash::FxHashMap;
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
        decide(query, self.limits, &mut Sat::default())
    }
}

/// Answers a query, by means of clauses.
pub(crate) fn decide(query: &Query, limits: Limits, sat: &mut dyn Clauses) -> Answer {
    let size = query.structure.size();
    let mut growth = Growth::default();
    let mut conflicts = limits.conflicts;
    loop {
        match attempt(query, &mut growth, sat, &mut conflicts) {
            Attempt::Model(store) => return Answer::Satisfiable(Some(store)),
            Attempt::NoModel => return Answer::Unsatisfiable,
            Attempt::OutOfTime => return Answer::Undecided(Undecided::Conflicts),
            Attempt::TooFew(blamed) => {
                let reason = || match blamed.iter().find_map(|deferral| rule_of(query, &deferral.key)) {
                    Some(formula) => Undecided::Universe { rule: Box::new(formula) },
                    None => Undecided::Paths,
                };
                if !growth.extend(&blamed, size, limits.individuals) {
                    return Answer::Undecided(reason());
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

/// The outcome of one attempt.
enum Attempt {
    Model(Store),
    NoModel,
    OutOfTime,
    /// There may be a model with more individuals, as these deferrals say.
    TooFew(Vec<Deferral>),
}

/// Grounds the query over the slots that there are by now; `conflicts` are left to be spent.
fn attempt(query: &Query, growth: &mut Growth, sat: &mut dyn Clauses, conflicts: &mut u64) -> Attempt {
    let frame = Frame::new(query.structure, &growth.slots, sat);
    let mut grounder = Grounder::new(query.theory, frame, growth.settled.clone());
    grounder.assert_all(query.requirements);
    if growth.last_steps {
        grounder.add_last_steps();
    }
    loop {
        let assumptions: Vec<_> = grounder.deferrals.iter().map(|deferral| !deferral.lit).collect();
        match grounder.frame.sat.solve(&assumptions, conflicts) {
            Satisfiability::Stopped => return Attempt::OutOfTime,
            Satisfiability::Sat if grounder.add_cuts() => {}
            Satisfiability::Sat => return Attempt::Model(grounder.frame.decode()),
            Satisfiability::Unsat => {
                let blamed = blame(&mut grounder, conflicts);
                match blamed.first().map(rank) {
                    None => return Attempt::NoModel,
                    Some(PATHS..) if !growth.last_steps => {
                        // Only the paths that are left open are at fault. More can be said about them.
                        growth.last_steps = true;
                        grounder.add_last_steps();
                    }
                    Some(_) => return Attempt::TooFew(blamed),
                }
            }
        }
    }
}

/// Few deferrals whose absence makes the clauses contradictory, best to settle first.
fn blame(grounder: &mut Grounder, conflicts: &mut u64) -> Vec<Deferral> {
    let Grounder { frame, deferrals, .. } = grounder;
    let in_core = |core: &[Lit], deferral: &Deferral| core.contains(&!deferral.lit);
    let mut blamed: Vec<Deferral> =
        deferrals.iter().filter(|deferral| in_core(frame.sat.core(), deferral)).cloned().collect();
    blamed.sort_by_key(rank);
    // Without those that are hard to settle, if possible.
    for i in (0..blamed.len()).rev() {
        let Some(tried) = blamed.get(i).cloned() else { continue };
        let others = blamed.iter().filter(|deferral| deferral.lit != tried.lit);
        let assumptions: Vec<Lit> = others.map(|deferral| !deferral.lit).collect();
        if frame.sat.solve(&assumptions, conflicts) == Satisfiability::Unsat {
            blamed.retain(|deferral| in_core(frame.sat.core(), deferral));
        }
    }
    blamed
}

/// The ranks of deferrals about paths in general.
const PATHS: usize = 3;

/// Deferrals that are needed without condition come first, those that cannot be settled last.
fn rank(deferral: &Deferral) -> usize {
    match &deferral.key {
        Key::Requirement(_) => 0,
        Key::Block(_, environment) if environment.is_empty() => 0,
        Key::LastStep { .. } => 1,
        Key::Block(..) => 2,
        Key::Neighbour { .. } => PATHS,
        Key::Cut => PATHS + 1,
    }
}

/// Slots beyond those of the structure, and the deferrals that they settle: how many slots there were then.
#[derive(Default)]
struct Growth {
    slots: Vec<Vec<Individual>>,
    settled: FxHashMap<Key, usize>,
    /// Has the last step of every path been spoken of, and not only where a model was wrong about it?
    last_steps: bool,
}

impl Growth {
    /// Adds slots for the witnesses of some deferrals. False when there would be too many.
    fn extend(&mut self, blamed: &[Deferral], size: usize, limit: usize) -> bool {
        let best = blamed.first().map(rank);
        for deferral in blamed.iter().filter(|deferral| Some(rank(deferral)) == best).take(2) {
            self.slots.extend(deferral.outside.iter().filter(|images| !images.is_empty()).cloned());
            if deferral.key != Key::Cut {
                self.settled.insert(deferral.key.clone(), size + self.slots.len());
            }
        }
        self.slots.len() <= limit
    }
}

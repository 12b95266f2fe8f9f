//! The soundness oracle: the runs of the concrete interpreter must be among those that an analysis speaks of.
//!
//! [`judge`] runs a program. Every state that a run visits must be represented at its point, and every incident must be
//! reported, by any [`Abstraction`]. An analysis may say that it does not speak of a state, and why: it was
//! [stopped](Ending::Stopped), or it is [silent](Silence) after some edge. Otherwise a state that it does not represent
//! is missed, also at a point for which it has no abstract states at all. Silence is [counted](Tally).
//!
//! For example, if a run visits the exit of a loop and an analysis has no location for it, the analysis is
//! [`Wrong::StateMissed`], even if it reports all incidents.

mod abstraction;
mod as_written;
mod tally;
mod way;
mod wrong;

pub use abstraction::{Abstraction, At, Ending, Judgement, Silence, Visit, has_calls};
pub use as_written::AsWritten;
pub use tally::Tally;
pub use wrong::Wrong;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use trifold_ir::{Choices, Exhaustive, FindingKind, Incident, Options, Point, Seeded, State, interpret};
use way::Way;

/// How many runs are compared, and how far they go.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Runs with random choices.
    pub seeds: u64,
    /// Runs that take all choices in turn, at the most.
    pub exhaustive: usize,
    /// How far a run goes.
    pub limits: Options,
}

impl Effort {
    /// So many runs, which are short and make small heaps.
    pub const fn small(seeds: u64, exhaustive: usize) -> Effort {
        Effort { seeds, exhaustive, limits: Options { max_steps: 200, max_objects: 8, leaks_at_end: false } }
    }
}

/// Compares an analysis with runs.
pub fn judge<A: Abstraction>(abstraction: &A, effort: &Effort) -> Result<Tally, Wrong> {
    match abstraction.ending() {
        Ending::Fixpoint => {}
        Ending::Stopped(reason) => return Ok(Tally { stopped: [(reason, 1)].into(), ..Tally::default() }),
        Ending::Contradiction(shown) => return Err(Wrong::Contradiction(shown)),
    }
    let mut oracle = Oracle::new(abstraction, effort.limits);
    oracle.run_all(effort)?;
    Ok(oracle.tally)
}

/// Watches runs of a program that has been analysed.
struct Oracle<'a, A> {
    abstraction: &'a A,
    limits: Options,
    reported: BTreeMap<FindingKind, BTreeSet<At>>,
    ends: BTreeSet<At>,
    blind: BTreeSet<At>,
    /// Edges at which an object may be reported as lost too early.
    early: BTreeSet<At>,
    /// States that have been judged. A set by hash, because states are many; its order is not used.
    seen: BTreeMap<(Point, bool, usize), HashSet<State>>,
    tally: Tally,
}

impl<'a, A: Abstraction> Oracle<'a, A> {
    fn new(abstraction: &'a A, limits: Options) -> Oracle<'a, A> {
        let mut reported: BTreeMap<FindingKind, BTreeSet<At>> = BTreeMap::new();
        for (kind, at) in abstraction.findings() {
            reported.entry(kind).or_default().insert(at);
        }
        let (ends, blind) = (abstraction.ends(), abstraction.blind());
        let leaks = reported.get(&FindingKind::Leak).filter(|_| abstraction.loses_early());
        let early = leaks.cloned().unwrap_or_default();
        let tally = Tally { judged: 1, ..Tally::default() };
        Oracle { abstraction, limits, reported, ends, blind, early, seen: BTreeMap::new(), tally }
    }

    fn run_all(&mut self, effort: &Effort) -> Result<(), Wrong> {
        for seed in 0..effort.seeds {
            self.run(&mut Seeded::new(seed))?;
        }
        let mut choices = Exhaustive::new(3, 12);
        for _ in 0..effort.exhaustive {
            self.run(&mut choices)?;
            if !choices.advance() {
                break;
            }
        }
        Ok(())
    }

    fn run(&mut self, choices: &mut dyn Choices) -> Result<(), Wrong> {
        self.tally.runs += 1;
        let (program, entry) = (self.abstraction.program(), self.abstraction.entry());
        let (limits, mut way, mut wrong) = (self.limits, Way::default(), None);
        let run = interpret(program, entry, &limits, choices, &mut |point, state| {
            way.visit(state);
            if wrong.is_none() {
                let has_lost = way.has_taken(&self.early);
                wrong = self.missed(&Visit { point, state, has_lost, before_call: way.before_call() }, &way);
            }
        });
        match wrong {
            Some(wrong) => Err(wrong),
            None => run.findings.iter().try_for_each(|incident| self.judge_incident(incident, &way)),
        }
    }

    /// Says that a state is missed, if it is.
    fn missed(&mut self, visit: &Visit<'_>, way: &Way) -> Option<Wrong> {
        if way.has_taken(&self.ends) {
            self.be_silent(Silence::NotAnalysed);
            return None;
        }
        let seen = self.seen.entry((visit.point, visit.has_lost, visit.before_call)).or_default();
        if seen.contains(visit.state) {
            return None;
        }
        seen.insert(visit.state.clone());
        match self.abstraction.represents(visit) {
            Judgement::Represented => self.tally.states += 1,
            Judgement::GivenUp => self.tally.given_up += 1,
            Judgement::Silent(silence) => self.be_silent(silence),
            Judgement::Missed(shown) => return Some(Wrong::StateMissed { point: visit.point, shown }),
        }
        None
    }

    /// An incident must be reported, unless the analysis says why it is not.
    fn judge_incident(&mut self, incident: &Incident, way: &Way) -> Result<(), Wrong> {
        let at = (incident.point.procedure, incident.edge);
        if self.reported.get(&incident.kind).is_some_and(|reported| reported.contains(&at)) {
            self.tally.incidents += 1;
            return Ok(());
        }
        let silence = if way.had_taken(&self.ends, incident) {
            Some(Silence::NotAnalysed)
        } else if incident.kind == FindingKind::Leak && way.had_taken(&self.early, incident) {
            Some(Silence::LostEarlier)
        } else if way.had_taken(&self.blind, incident) {
            Some(Silence::Unknown)
        } else {
            self.abstraction.excuse(incident)
        };
        match silence {
            Some(silence) => self.be_silent(silence),
            None => return Err(Wrong::NotReported { kind: incident.kind, at, text: incident.text.clone() }),
        }
        Ok(())
    }

    fn be_silent(&mut self, silence: Silence) {
        *self.tally.silent.entry(silence).or_default() += 1;
    }
}

//! The numbers of judged analyses, runs and states. A test that judges nothing proves nothing, so tests ask for a
//! minimum.
//!
//! For example, the tally of two analyses of which one reached the limit on structures has one judged and one stopped
//! analysis, and `tally.expect(90, 1)` fails.

use super::abstraction::Silence;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;
use trifold_fixpoint::StopReason;

/// How much was judged, and how much was not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Analyses that runs were compared with.
    pub judged: usize,
    /// Analyses that ended before their fixpoint, by the reason.
    pub stopped: BTreeMap<StopReason, usize>,
    /// Runs of the interpreter.
    pub runs: usize,
    /// Different states that are represented.
    pub states: usize,
    /// Incidents that are reported.
    pub incidents: usize,
    /// States for which the search for a representation was given up.
    pub given_up: usize,
    /// Visits and incidents of which the analysis does not speak, by the reason.
    pub silent: BTreeMap<Silence, usize>,
}

impl Tally {
    /// Analyses that were not judged.
    pub fn skipped(&self) -> usize {
        self.stopped.values().sum()
    }

    /// At least so many of a hundred analyses must have been judged, and so many states compared; and nearly all
    /// searches for a representation must have come to an end.
    #[track_caller]
    pub fn expect(&self, percent: usize, states: usize) {
        let all = self.judged + self.skipped();
        assert!(self.judged > 0 && 100 * self.judged >= percent * all, "too few analyses were judged: {self}");
        assert!(self.states >= states, "too few states were compared: {self}");
        assert!(1_000 * self.given_up <= self.states, "too many states were given up: {self}");
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.judged += other.judged;
        self.runs += other.runs;
        self.states += other.states;
        self.incidents += other.incidents;
        self.given_up += other.given_up;
        for (reason, count) in other.stopped {
            *self.stopped.entry(reason).or_default() += count;
        }
        for (silence, count) in other.silent {
            *self.silent.entry(silence).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { judged, stopped, runs, states, incidents, given_up, silent } = self;
        write!(f, "{judged} analyses judged, stopped {stopped:?}; {runs} runs, {states} states, ")?;
        write!(f, "{incidents} incidents; {given_up} states given up, silent {silent:?}")
    }
}

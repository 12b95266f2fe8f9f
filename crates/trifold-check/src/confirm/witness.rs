//! Witnesses: the runs that confirm findings, and why other findings are not confirmed.

use crate::shape::Shape;
use std::collections::BTreeMap;
use trifold_ir::{Cause, FindingKind, Incident, MadeChoice, ProcId, State, TraceStep};

/// A run in which something goes wrong.
#[derive(Clone)]
pub struct Witness {
    /// The failure.
    pub incident: Incident,
    /// The choices in the run for everything that the program leaves open, up to its end.
    pub choices: Vec<i128>,
    /// The heap before the statement at which it happens, where it can be shown.
    pub heap: Option<Shape>,
    /// The heap with which the function is called, if the program does not call it.
    pub input: Option<Shape>,
    /// Was that heap made apart from the choices?
    pub given: bool,
    /// The statements on the way there, one for each line. Calls that have ended are one step.
    pub steps: Vec<TraceStep<Shape>>,
    /// The run as it can be repeated elsewhere, unless there was no time to tell it.
    pub account: Option<Account>,
}

/// A run, told as it must be to be repeated by a compiled program.
#[derive(Clone)]
pub struct Account {
    /// The choices, each with what it decides.
    pub made: Vec<MadeChoice>,
    /// The call of a function that the program does not call, if the run begins with one.
    pub call: Option<Call>,
    /// The procedure that the entry calls at last, such as a client.
    pub start: Option<ProcId>,
}

/// The call of a function that the program does not call.
#[derive(Clone)]
pub struct Call {
    /// The procedure that is called.
    pub procedure: ProcId,
    /// How many states were visited before.
    pub visit: usize,
    /// The state in which it begins.
    pub state: State,
}

/// The kind of a finding, its file and its line.
pub type Key = (FindingKind, String, usize);

/// The findings that runs confirm, by kind and line, and those that only inexact runs come to.
#[derive(Clone, Default)]
pub struct Witnesses {
    confirmed: BTreeMap<Key, Witness>,
    inexact: BTreeMap<Key, Cause>,
}

impl Witnesses {
    /// Does no run confirm anything?
    pub fn is_empty(&self) -> bool {
        self.confirmed.is_empty()
    }

    /// Does a run confirm a finding?
    pub fn confirms(&self, key: &Key) -> bool {
        self.confirmed.contains_key(key)
    }

    /// The run that confirms a finding.
    pub fn get(&self, key: &Key) -> Option<&Witness> {
        self.confirmed.get(key)
    }

    /// All runs that confirm findings.
    pub fn values(&self) -> impl Iterator<Item = &Witness> {
        self.confirmed.values()
    }

    /// What a run depends on that comes to a finding, and does not confirm it because of that.
    pub fn inexact(&self, key: &Key) -> Option<Cause> {
        self.inexact.get(key).copied()
    }

    /// Notes a run that confirms a finding.
    pub(super) fn confirm(&mut self, key: Key, witness: Witness) {
        self.confirmed.insert(key, witness);
    }

    /// Notes an inexact run that comes to a finding.
    pub(super) fn doubt(&mut self, key: Key, cause: Cause) {
        self.inexact.entry(key).or_insert(cause);
    }

    /// Adds others.
    pub fn extend(&mut self, others: Witnesses) {
        self.confirmed.extend(others.confirmed);
        self.inexact.extend(others.inexact);
    }
}

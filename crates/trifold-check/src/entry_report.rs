//! The analysis of one entry, as reports need it: how it comes to functions, and what it found. For example, a client
//! comes to the functions of a module by its interface.

use crate::confirm::{Key, Witness, Witnesses};
use crate::domain::Outcome;
use crate::source::ClientCode;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use trifold_ir::ProcId;

/// How an entry comes to functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Manner {
    /// The program calls them, or they say themselves what they are called with.
    #[default]
    Program,
    /// A client uses the interface.
    Client,
    /// A client uses the interface, but objects that meet in a call do not meet in any other way.
    ClientApart,
    /// Arguments are made up.
    Caller,
}

impl Manner {
    /// That of a client.
    pub fn of_client(code: &ClientCode) -> Manner {
        if code.clients.apart { Manner::ClientApart } else { Manner::Client }
    }

    /// Is it a client?
    pub fn is_client(self) -> bool {
        matches!(self, Manner::Client | Manner::ClientApart)
    }

    /// The name in reports for programs: for whom a verdict holds.
    pub fn name(self) -> &'static str {
        match self {
            Manner::Program => "program",
            Manner::Client => "interface",
            Manner::ClientApart => "interface-without-sharing",
            Manner::Caller => "arguments",
        }
    }
}

/// The analysis of one entry.
pub struct EntryReport {
    /// The name of the entry.
    pub entry: String,
    /// The outcome, or the reason why there was no analysis.
    pub outcome: Result<Outcome, String>,
    /// The findings that runs confirm.
    pub witnesses: Witnesses,
    /// How long it was in which procedure.
    pub times: BTreeMap<ProcId, Duration>,
    /// The procedures that it is about, if it is not about all that it comes to: others are known from elsewhere.
    pub about: Option<BTreeSet<ProcId>>,
    /// How it comes to functions.
    pub manner: Manner,
    /// The preconditions that were looked for, and found.
    pub needs: Vec<String>,
}

impl Default for EntryReport {
    fn default() -> EntryReport {
        EntryReport {
            entry: String::new(),
            outcome: Err(String::new()),
            witnesses: Witnesses::default(),
            times: BTreeMap::new(),
            about: None,
            manner: Manner::Program,
            needs: Vec::new(),
        }
    }
}

impl EntryReport {
    /// The run that confirms a finding. With objects that are made up, a run shows no more than that callers matter.
    pub(crate) fn confirming(&self, key: &Key) -> Option<&Witness> {
        self.witnesses.get(key).filter(|witness| self.counts(witness))
    }

    /// Does a run show a bug of the program itself?
    pub(crate) fn counts(&self, witness: &Witness) -> bool {
        let call = witness.account.as_ref().and_then(|account| account.call.as_ref());
        self.manner != Manner::Caller || call.is_some_and(|call| call.state.objects.is_empty())
    }
}

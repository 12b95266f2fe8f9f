//! Abstract domains as the portfolio sees them, and the outcome of a run of one of them. For example, if one domain
//! proves everything but a leak, and the other one proves that there is no leak, [`better_of`](Outcome::better_of) has
//! no findings.

use crate::budget::{Budget, Round};
use crate::shape::Shape;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use trifold_fixpoint::StopReason;
use trifold_heap_tvl::Precision;
use trifold_ir::{Finding, FindingKind, Point, ProcId, Program, VarId, Verdict};
use trifold_pictures::Summary;
use trifold_report::page::PredicateEntry;

/// An abstract domain.
pub trait HeapDomain: Send + Sync {
    /// Which one it is.
    fn name(&self) -> DomainName;

    /// The rounds that make a difference when it is asked alone. A domain that can go several ways tries each for a
    /// short while first.
    fn rounds(&self) -> &'static [Round];

    /// Analyses all executions that start with a call of the entry.
    fn check(&self, program: &Arc<Program>, entry: ProcId, budget: &Budget) -> Outcome;
}

/// The domains that there are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DomainName {
    /// Separation logic: shape graphs over checkers.
    SeparationLogic,
    /// Three-valued logic: structures.
    ThreeValued,
}

impl DomainName {
    /// The name in reports for programs.
    pub fn name(self) -> &'static str {
        match self {
            DomainName::SeparationLogic => "checkers",
            DomainName::ThreeValued => "tvl",
        }
    }

    /// The name in sentences.
    pub fn in_words(self) -> &'static str {
        match self {
            DomainName::SeparationLogic => "the domain of checkers",
            DomainName::ThreeValued => "the three-valued domain",
        }
    }
}

/// The domains to which a verdict is due: `checkers`, `tvl`, or `checkers+tvl`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Domains(pub BTreeSet<DomainName>);

impl fmt::Display for Domains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|domain| domain.name()).collect();
        f.write_str(&if names.is_empty() { "none".to_string() } else { names.join("+") })
    }
}

/// The findings of a domain about the executions from one entry.
pub struct Outcome {
    /// The domain, or both.
    pub domains: Domains,
    /// Why this domain, if there was a choice.
    pub why: Option<String>,
    /// The failures that may happen.
    pub findings: Vec<Finding<Shape>>,
    /// The procedures that an execution can come to.
    pub procedures: Vec<ProcId>,
    /// Those that may run in ways that were not analysed.
    pub unanalysed: BTreeSet<ProcId>,
    /// Why it ended.
    pub stop: StopReason,
    /// Might something else come out with a larger budget?
    pub cut_short: bool,
    /// How many shapes each program point has.
    pub points: Vec<(Point, usize)>,
    /// The variables of each procedure that were forgotten where no later statement reads them.
    pub forgotten: BTreeMap<ProcId, BTreeSet<VarId>>,
    /// The properties that were tracked, in words.
    pub explanation: String,
    /// The outputs of procedures for their inputs, if summaries are wanted.
    pub summaries: Vec<Summary>,
    /// The shapes themselves, if they are wanted.
    pub shapes: Option<Shapes>,
    /// How much the three-valued domain tracked.
    pub precision: Option<Precision>,
    /// Does it rely on lists that are not longer than memory is large?
    pub counts_lengths: bool,
}

/// The shapes at all program points.
#[derive(Clone)]
pub struct Shapes {
    /// By point.
    pub points: Vec<(Point, Vec<Shape>)>,
    /// The names in their pictures, from which a reader can choose.
    pub predicates: Vec<PredicateEntry>,
    /// The meaning of a variable without an arrow, if it has one.
    pub absent: Option<&'static str>,
    /// The program that they are about, which may have more variables than the one that was translated.
    pub program: Arc<Program>,
}

impl Outcome {
    /// The outcome of a run that was interrupted before anything came out.
    pub fn nothing(domain: DomainName, program: &Program, stop: StopReason) -> Outcome {
        Outcome {
            domains: Domains([domain].into()),
            why: None,
            findings: Vec::new(),
            procedures: program.procedure_ids().collect(),
            unanalysed: program.procedure_ids().collect(),
            stop,
            cut_short: true,
            points: Vec::new(),
            forgotten: BTreeMap::new(),
            explanation: String::new(),
            summaries: Vec::new(),
            shapes: None,
            precision: None,
            counts_lengths: false,
        }
    }

    /// Is something of a kind found?
    pub fn has(&self, kind: FindingKind) -> bool {
        self.findings.iter().any(|found| found.kind == kind)
    }

    /// Were all executions analysed to their end? Those through a call with a cutpoint were not.
    pub fn is_complete(&self) -> bool {
        self.stop.is_fixpoint() && !FindingKind::UNSEEN.into_iter().any(|kind| self.has(kind))
    }

    /// Is it certain that nothing of a kind happens, before something of another kind does?
    fn proves(&self, kind: FindingKind) -> bool {
        self.is_complete() && !self.has(kind)
    }

    /// The verdict, before runs confirm anything.
    pub fn verdict(&self) -> Verdict {
        if self.findings.iter().any(|found| found.kind != FindingKind::NotAnalysed) {
            Verdict::MayFail
        } else if self.is_complete() {
            Verdict::Proved
        } else {
            Verdict::NotAnalysed
        }
    }

    /// The outcomes of two domains on the same program: a property that either proves is proved. Every execution that
    /// has not gone wrong yet is represented in both, so the proofs do not depend on each other.
    pub fn better_of(one: Outcome, another: Outcome) -> Outcome {
        let (mut best, other) = if one.rank() < another.rank() { (one, another) } else { (another, one) };
        let found: BTreeSet<FindingKind> = best.findings.iter().map(|found| found.kind).collect();
        let proved: Vec<FindingKind> = found.into_iter().filter(|kind| other.proves(*kind)).collect();
        best.findings.retain(|found| !proved.contains(&found.kind));
        let name = |outcome: &Outcome| outcome.domains.0.first().map_or("", |domain| domain.in_words());
        let (by, from) = (name(&best), name(&other));
        if proved.is_empty() {
            best.why = Some(format!("by {by}, which found out more than {from}"));
        } else {
            let kinds: Vec<&str> = proved.iter().map(|kind| kind.name()).collect();
            best.why = Some(format!("by {by}; that there is no {} is known from {from}", kinds.join(", no ")));
            best.domains.0.extend(other.domains.0);
            best.counts_lengths |= other.counts_lengths;
        }
        best
    }

    /// The less, the better: completeness, the verdict, and the number of findings that are left.
    fn rank(&self) -> (bool, Verdict, usize) {
        (!self.is_complete(), self.verdict(), self.findings.len())
    }
}

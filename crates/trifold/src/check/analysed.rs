//! What an analysis found, whichever domain it ran in, and the best of what two of them found.

use super::report::Verdict;
use super::summaries::Function;
use crate::pictures::heap;
use std::collections::BTreeSet;
use trifold_ir::{FindingKind, ProcId, Program};
use trifold_lower::Precision;
use trifold_source::Span;
use trifold_tvl::StopReason;
use trifold_tvp::write_structure;

/// What an analysis found.
pub struct Analysed {
    /// The domain, or both.
    pub domain: &'static str,
    /// Why this domain, if there was a choice.
    pub why: Option<String>,
    pub findings: Vec<Found>,
    /// The procedures that a run can come to.
    pub procedures: Vec<ProcId>,
    /// Those that may run in ways that were not seen.
    pub unseen: BTreeSet<ProcId>,
    /// Why it ended before everything was found, if it did.
    pub stop: Option<&'static str>,
    /// For each program point its procedure, and how many structures or graphs it has.
    pub points: Vec<(ProcId, usize)>,
    /// What was tracked, for people.
    pub explanation: String,
    /// What functions make of their inputs, if that is wanted.
    pub summaries: Vec<Function>,
    /// How much the three-valued domain tracked.
    pub precision: Option<Precision>,
}

/// Something that may go wrong.
#[derive(Clone)]
pub struct Found {
    pub kind: FindingKind,
    pub span: Span,
    pub text: String,
    pub at: (ProcId, usize),
    pub definite: bool,
    /// The heap just before, for people.
    pub heap: String,
    pub trace: Vec<TraceStep>,
}

/// A statement on the way to a finding.
#[derive(Clone)]
pub struct TraceStep {
    pub procedure: ProcId,
    pub span: Span,
    /// The heap behind it, for programs.
    pub structure: String,
}

impl Analysed {
    /// By the three-valued domain.
    pub fn by_structures(report: &trifold_lower::Report) -> Analysed {
        let vocabulary = &report.lowered.specification.vocabulary;
        let found = |finding: &trifold_lower::Finding| {
            let picture = heap(&finding.structure, vocabulary);
            let is_empty = picture.nodes.is_empty() && picture.nullary.is_empty();
            let trace = finding.trace.iter().map(|step| TraceStep {
                procedure: step.place.procedure,
                span: step.place.span,
                structure: write_structure(&step.structure, vocabulary),
            });
            Found {
                kind: finding.kind,
                span: finding.span,
                text: finding.text.clone(),
                at: finding.at,
                definite: finding.definite,
                heap: if is_empty { String::new() } else { picture.outline().trim_end().to_string() },
                trace: trace.collect(),
            }
        };
        let count =
            |location: usize| report.analysis.solution.stores_of(location).map(|store| store.as_slice().len()).sum();
        let points = report.lowered.points.iter();
        Analysed {
            domain: "tvl",
            why: None,
            findings: report.findings.iter().map(found).collect(),
            procedures: report.lowered.procedures.clone(),
            unseen: report.unseen(),
            stop: match report.stop {
                StopReason::Fixpoint => None,
                StopReason::StructureLimit => Some("the limit on structures was reached"),
                StopReason::MessageLimit => Some("the limit on messages was reached"),
                StopReason::TooLarge => Some("a structure became too large"),
                StopReason::Interrupted => Some("the time was up"),
            },
            points: points.map(|(point, at)| (point.procedure, count(*at))).collect(),
            explanation: report.families.explain(),
            summaries: Vec::new(),
            precision: Some(report.lowered.precision),
        }
    }

    /// By the domain of checkers.
    pub fn by_checkers(report: &trifold_checkers::Report, program: &Program) -> Analysed {
        let show = |graph: &trifold_checkers::Graph| trifold_checkers::show_graph(graph, program);
        let found = |finding: &trifold_checkers::Finding| {
            let mut trace: Vec<TraceStep> = Vec::new();
            for step in &finding.trace {
                let structure = step.graph.as_ref().map(show).unwrap_or_default();
                // The beginning of a call and its end are one statement.
                if trace.last().is_some_and(|last| (last.procedure, last.span) == (step.at.0, step.span)) {
                    trace.pop();
                }
                trace.push(TraceStep { procedure: step.at.0, span: step.span, structure });
            }
            Found {
                kind: finding.kind,
                span: finding.span,
                text: finding.text.clone(),
                at: finding.at,
                definite: finding.definite,
                heap: show(&finding.graph).trim_end().to_string(),
                trace,
            }
        };
        use trifold_checkers::StopReason;
        Analysed {
            domain: "checkers",
            why: None,
            findings: report.findings.iter().map(found).collect(),
            procedures: report.procedures.clone(),
            unseen: report.unseen(program),
            stop: match report.stop {
                StopReason::Fixpoint => None,
                StopReason::WorkLimit => Some("there are too many shapes and too large ones"),
                StopReason::GraphLimit => Some("there are too many shapes at one place"),
                StopReason::Interrupted => Some("the time was up"),
            },
            points: report.graphs.iter().map(|(point, graphs)| (point.procedure, graphs.len())).collect(),
            explanation: report.explain(program),
            summaries: Vec::new(),
            precision: None,
        }
    }

    /// The time was up before anything came out.
    pub fn nothing(domain: &'static str, program: &Program) -> Analysed {
        Analysed {
            domain,
            why: None,
            findings: Vec::new(),
            procedures: program.procedure_ids().collect(),
            unseen: program.procedure_ids().collect(),
            stop: Some("the time was up"),
            points: Vec::new(),
            explanation: String::new(),
            summaries: Vec::new(),
            precision: None,
        }
    }

    pub fn has(&self, kind: FindingKind) -> bool {
        self.findings.iter().any(|found| found.kind == kind)
    }

    /// Was everything seen? A call with a cutpoint is not analysed any further.
    pub fn is_complete(&self) -> bool {
        self.stop.is_none() && !self.has(FindingKind::NotAnalysed) && !self.has(FindingKind::Cutpoint)
    }

    /// Is it certain that nothing of a kind happens, before something of another kind does?
    fn proves(&self, kind: FindingKind) -> bool {
        self.is_complete() && !self.has(kind)
    }

    pub fn verdict(&self) -> Verdict {
        if self.findings.iter().any(|found| found.kind != FindingKind::NotAnalysed) {
            Verdict::MayFail
        } else if self.is_complete() {
            Verdict::Proved
        } else {
            Verdict::NotAnalysed
        }
    }

    /// What two domains found out about the same program: what either proves is proved. Every run that has not gone wrong yet is represented in
    /// both, so the proofs do not depend on each other.
    pub fn better_of(checkers: Analysed, structures: Analysed) -> Analysed {
        let (rank, other_rank) = (checkers.rank(), structures.rank());
        let (mut best, other) = if rank < other_rank { (checkers, structures) } else { (structures, checkers) };
        let found: BTreeSet<FindingKind> = best.findings.iter().map(|found| found.kind).collect();
        let proved: Vec<FindingKind> = found.into_iter().filter(|kind| other.proves(*kind)).collect();
        best.findings.retain(|found| !proved.contains(&found.kind));
        if proved.is_empty() {
            best.why = Some(format!("by {}, which found out more than {}", name(best.domain), name(other.domain)));
        } else {
            let kinds: Vec<&str> = proved.iter().map(|kind| kind.name()).collect();
            best.why = Some(format!(
                "by {}; that there is no {} is known from {}",
                name(best.domain),
                kinds.join(", no "),
                name(other.domain)
            ));
            best.domain = "checkers+tvl";
        }
        best
    }

    /// The less, the better: the verdict, and the number of kinds and findings that are left.
    fn rank(&self) -> (bool, Verdict, usize) {
        (!self.is_complete(), self.verdict(), self.findings.len())
    }
}

fn name(domain: &str) -> &'static str {
    if domain == "tvl" { "the three-valued domain" } else { "the domain of checkers" }
}

//! What an analysis found, whichever domain it ran in, and the best of what two of them found.

use super::report::Verdict;
use crate::html::{self, PointView, View};
use crate::pictures::{heap, picture};
use crate::summaries::Function;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{FindingKind, ProcId, Program, VarId};
use trifold_logic::Predicate;
use trifold_lower::Precision;
use trifold_report::Picture;
use trifold_source::Span;
use trifold_structure::Structure;
use trifold_tvl::{LocationId, StopReason};
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
    /// Might something else come out without limits?
    pub cut_short: bool,
    /// For each program point its procedure, and how many structures or graphs it has.
    pub points: Vec<(ProcId, usize)>,
    /// The variables of each procedure that were forgotten where nobody reads them any more.
    pub forgotten: BTreeMap<ProcId, BTreeSet<VarId>>,
    /// What was tracked, for people.
    pub explanation: String,
    /// What functions make of their inputs, if that is wanted.
    pub summaries: Vec<Function>,
    /// What a page shows, if one is wanted.
    pub view: Option<View>,
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
    /// Of what is not analysed: does the analysis go on behind it, with nothing known of a part of memory?
    pub goes_on: bool,
    /// The heap just before, for people.
    pub heap: String,
    /// The same for a page, if one is wanted.
    pub picture: Option<Picture>,
    pub trace: Vec<TraceStep>,
}

/// A statement on the way to a finding.
#[derive(Clone)]
pub struct TraceStep {
    pub procedure: ProcId,
    pub span: Span,
    /// The heap behind it, for programs.
    pub structure: String,
    /// The same for a page, if one is wanted.
    pub picture: Option<Picture>,
}

impl Analysed {
    /// By the three-valued domain; if it was interrupted, that is why.
    pub fn by_structures(report: &trifold_lower::Report, for_page: bool, interrupted: &'static str) -> Analysed {
        let vocabulary = &report.lowered.specification.vocabulary;
        let full = |structure: &Structure| picture(structure, vocabulary, "", false);
        let found = |finding: &trifold_lower::Finding| {
            let core = heap(&finding.structure, vocabulary);
            let is_empty = core.nodes.is_empty() && core.nullary.is_empty();
            let trace = finding.trace.iter().map(|step| TraceStep {
                procedure: step.place.procedure,
                span: step.place.span,
                structure: write_structure(&step.structure, vocabulary),
                picture: for_page.then(|| full(&step.structure)),
            });
            Found {
                kind: finding.kind,
                span: finding.span,
                text: finding.text.clone(),
                at: finding.at,
                definite: finding.definite,
                // Where something is not analysed a path ends.
                goes_on: false,
                heap: if is_empty { String::new() } else { core.outline().trim_end().to_string() },
                picture: for_page.then(|| full(&finding.structure)),
                trace: trace.collect(),
            }
        };
        let count =
            |location: LocationId| report.analysis.solution.stores_of(location).map(|store| store.count()).sum();
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
                StopReason::Interrupted => Some(interrupted),
            },
            cut_short: report.cut_short,
            points: points.map(|(point, at)| (point.procedure, count(*at))).collect(),
            forgotten: report.lowered.forgotten(),
            explanation: report.families.explain(),
            summaries: Vec::new(),
            view: for_page.then(|| structures_view(report)),
            precision: Some(report.lowered.precision),
        }
    }

    /// By the domain of checkers; if it was interrupted, that is why.
    pub fn by_checkers(
        report: &trifold_checkers::Report,
        program: &Program,
        for_page: bool,
        interrupted: &'static str,
    ) -> Analysed {
        let show = |graph: &trifold_checkers::Graph| trifold_checkers::show_graph(graph, program);
        let drawn = |graph: &trifold_checkers::Graph| for_page.then(|| html::graph_picture(graph, program));
        let found = |finding: &trifold_checkers::Finding| {
            let mut trace: Vec<TraceStep> = Vec::new();
            for step in &finding.trace {
                let structure = step.graph.as_ref().map(show).unwrap_or_default();
                // The beginning of a call and its end are one statement.
                if trace.last().is_some_and(|last| (last.procedure, last.span) == (step.at.0, step.span)) {
                    trace.pop();
                }
                let picture = step.graph.as_ref().and_then(drawn);
                trace.push(TraceStep { procedure: step.at.0, span: step.span, structure, picture });
            }
            Found {
                kind: finding.kind,
                span: finding.span,
                text: finding.text.clone(),
                at: finding.at,
                definite: finding.definite,
                goes_on: finding.goes_on,
                heap: show(&finding.graph).trim_end().to_string(),
                picture: drawn(&finding.graph),
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
                StopReason::Interrupted => Some(interrupted),
            },
            cut_short: report.cut_short,
            points: report.graphs.iter().map(|(point, graphs)| (point.procedure, graphs.len())).collect(),
            forgotten: report.forgotten.clone(),
            explanation: report.explain(program),
            summaries: Vec::new(),
            view: for_page.then(|| graphs_view(report, program)),
            precision: None,
        }
    }

    /// It was interrupted before anything came out.
    pub fn nothing(domain: &'static str, program: &Program, interrupted: &'static str) -> Analysed {
        Analysed {
            domain,
            why: None,
            findings: Vec::new(),
            procedures: program.procedure_ids().collect(),
            unseen: program.procedure_ids().collect(),
            stop: Some(interrupted),
            cut_short: true,
            points: Vec::new(),
            forgotten: BTreeMap::new(),
            explanation: String::new(),
            summaries: Vec::new(),
            view: None,
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

/// What a page shows of structures: at first variables, fields, and what is freed.
fn structures_view(report: &trifold_lower::Report) -> View {
    let (lowered, solution) = (&report.lowered, &report.analysis.solution);
    let vocabulary = &lowered.specification.vocabulary;
    let is_shown = |predicate: &Predicate| {
        let is_core = predicate.definition.is_none();
        is_core && (predicate.pointer || predicate.arity == 2 || predicate.name.starts_with("freed["))
    };
    let pictures = |location: LocationId| {
        let structures = solution.stores_of(location).flat_map(|store| store.iter());
        structures.map(|structure| picture(structure, vocabulary, "", false)).collect()
    };
    let points = lowered.points.iter();
    let mut predicates = html::predicates(vocabulary, &is_shown);
    html::add_scopes(&mut predicates, &lowered.program);
    View {
        predicates,
        absent: Some(html::ABSENT),
        points: points.map(|(point, at)| (PointView::new(*point, &lowered.program), pictures(*at))).collect(),
    }
}

/// What a page shows of shape graphs.
fn graphs_view(report: &trifold_checkers::Report, program: &Program) -> View {
    let draw = |graph: &trifold_checkers::Graph| html::graph_picture(graph, program);
    let points = report.graphs.iter();
    let points: Vec<(PointView, Vec<Picture>)> =
        points.map(|(point, graphs)| (PointView::new(*point, program), graphs.iter().map(draw).collect())).collect();
    let of_points = points.iter().flat_map(|(_, pictures)| pictures);
    let steps = report.findings.iter().flat_map(|finding| finding.trace.iter().filter_map(|step| step.graph.as_ref()));
    let others: Vec<Picture> = steps.chain(report.findings.iter().map(|finding| &finding.graph)).map(draw).collect();
    View { predicates: html::names_in(of_points.chain(&others)), absent: None, points }
}

fn name(domain: &str) -> &'static str {
    if domain == "tvl" { "the three-valued domain" } else { "the domain of checkers" }
}

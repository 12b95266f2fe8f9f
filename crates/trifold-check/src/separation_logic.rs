//! The separation-logic domain in the portfolio. For example, a first look has a small part of the work of a whole run,
//! and the last resort gives up parts of graphs that cannot be joined.

use crate::budget::{Budget, Round};
use crate::domain::{DomainName, Domains, HeapDomain, Outcome, Shapes};
use crate::shape::Shape;
use std::sync::Arc;
use trifold_heap_sl::{Grain, GraphReport, Options, Progress, ShapeGraph, check_watched};
use trifold_ir::{FindingKind, ProcId, Program, TraceStep, Verdict};
use trifold_passes::dead_fields::without_dead_fields;
use trifold_passes::{CallGraph, without_idle, without_unread};
use trifold_pictures::{graph_picture, names_in};
use trifold_report::Picture;

/// Shape graphs over checkers.
#[derive(Clone, Copy, Debug)]
pub struct SeparationLogic {
    /// Do variables keep their values where no later statement reads them?
    pub keep_dead: bool,
    /// Keep the shapes of all points?
    pub keep_shapes: bool,
    /// Is it a finding if the last reference to an object is lost?
    pub leaks: bool,
}

impl HeapDomain for SeparationLogic {
    fn name(&self) -> DomainName {
        DomainName::SeparationLogic
    }

    fn rounds(&self) -> &'static [Round] {
        &[Round::Look, Round::Further, Round::Whole, Round::LastResort]
    }

    /// Without values that decide nothing and links that no statement reads there is less to do. Only leaks can be
    /// found there that are none. What is proved without the values of fields that are overwritten after calls is
    /// proved, too.
    fn check(&self, program: &Arc<Program>, entry: ProcId, budget: &Budget) -> Outcome {
        if program.contracts.is_empty() {
            let without_dead = without_dead_fields(program, &CallGraph::of(program).reached(entry));
            let outcome = without_dead.map(|without| self.check_lean(&Arc::new(without), entry, budget));
            if let Some(outcome) = outcome.filter(|outcome| outcome.verdict() == Verdict::Proved) {
                return outcome;
            }
        }
        self.check_lean(program, entry, budget)
    }
}

impl SeparationLogic {
    fn check_lean(&self, program: &Arc<Program>, entry: ProcId, budget: &Budget) -> Outcome {
        let without_idle = without_idle(program, entry);
        let lean = without_unread(without_idle.as_ref().unwrap_or(program), entry).or(without_idle);
        let lean = lean.filter(|lean| lean.contracts.is_empty());
        let lean = lean.map(|lean| self.check_as_it_is(&Arc::new(lean), entry, budget));
        let is_certain = |outcome: &Outcome| !outcome.has(FindingKind::Leak) || outcome.stop.is_external();
        lean.filter(is_certain).unwrap_or_else(|| self.check_as_it_is(program, entry, budget))
    }

    fn check_as_it_is(&self, program: &Arc<Program>, entry: ProcId, budget: &Budget) -> Outcome {
        let usual = Options::default();
        let max_work = budget.work(usual.max_work);
        let whole =
            Options { keep_dead: self.keep_dead, leaks: self.leaks, max_work, max_bytes: budget.bytes(), ..usual };
        let options = match budget.round() {
            Round::Look => whole.part(16),
            Round::Further => Options { thorough: true, ..whole.part(4) },
            Round::Whole => Options { thorough: true, ..whole },
            // Graphs that are not told apart at all are few.
            Round::LastResort => Options { grain: Some(Grain::Lossy), ..whole.part(2) },
        };
        let mut step = |at: &Progress| {
            budget.step(at.procedure, &|| {
                let name = &program[at.procedure].name;
                format!("in {name}, {} shape graphs, {} places waiting", at.graphs, at.waiting)
            })
        };
        let outcome = self.outcome(&check_watched(program, entry, &options, &mut step), program);
        // There are more ways to look than the first.
        let is_open = budget.round() == Round::Look && outcome.verdict() != Verdict::Proved;
        Outcome { cut_short: outcome.cut_short || is_open, ..outcome }
    }

    fn outcome(&self, report: &GraphReport, program: &Arc<Program>) -> Outcome {
        let shape = |graph: ShapeGraph| Shape::Graph(Arc::new(graph), program.clone());
        let findings = report.findings.iter().cloned().map(|mut finding| {
            finding.trace = statements(finding.trace);
            finding.map(&shape)
        });
        Outcome {
            domains: Domains([DomainName::SeparationLogic].into()),
            why: None,
            findings: findings.collect(),
            procedures: report.procedures.clone(),
            unanalysed: report.unanalysed(program),
            stop: report.stop,
            cut_short: report.cut_short,
            points: report.graphs.iter().map(|(point, graphs)| (*point, graphs.len())).collect(),
            forgotten: report.forgotten.clone(),
            explanation: report.explain(program),
            summaries: Vec::new(),
            shapes: self.keep_shapes.then(|| shapes(report, program)),
            precision: None,
            counts_lengths: report.counts_lengths,
        }
    }
}

/// The beginning of a call and its end are one statement of a trace.
fn statements(steps: Vec<TraceStep<ShapeGraph>>) -> Vec<TraceStep<ShapeGraph>> {
    let mut trace: Vec<TraceStep<ShapeGraph>> = Vec::new();
    for step in steps {
        let key = |step: &TraceStep<ShapeGraph>| (step.place.procedure, step.place.span);
        if trace.last().is_some_and(|last| key(last) == key(&step)) {
            trace.pop();
        }
        trace.push(step);
    }
    trace
}

/// The graphs of all points. The names that a reader can choose are those that the pictures show.
fn shapes(report: &GraphReport, program: &Arc<Program>) -> Shapes {
    let shape = |graph: &ShapeGraph| Shape::Graph(Arc::new(graph.clone()), program.clone());
    let draw = |graph: &ShapeGraph| graph_picture(graph, program);
    let steps = report.findings.iter().flat_map(|finding| finding.trace.iter().filter_map(|step| step.state.as_ref()));
    let befores = report.findings.iter().map(|finding| &finding.state);
    let pictures: Vec<Picture> = report.graphs.values().flatten().chain(steps).chain(befores).map(draw).collect();
    let points = report.graphs.iter().map(|(point, graphs)| (*point, graphs.iter().map(shape).collect()));
    Shapes { points: points.collect(), predicates: names_in(pictures.iter()), absent: None, program: program.clone() }
}

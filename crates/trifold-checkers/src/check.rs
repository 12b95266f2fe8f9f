//! Checks a program: runs the analysis, and says what it found.

use crate::domain::{Checking, Event, State};
use crate::graph::Graph;
use crate::infer::Shapes;
use crate::show_c::show_as_c;
use crate::store::Grain;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use trifold_fixpoint::{
    EdgeId, LocationId, Observer, ProcedureId, RecordId, Solution, SolverOptions, Statistics, tabulate,
};
use trifold_ir::{FindingKind, Point, ProcId, Program, VarId, behind};
use trifold_source::Span;

/// How to check.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What may be looked at before the analysis is given up. A step costs the square of the size of a graph for each graph that it is
    /// compared with, and millions of that take a second.
    pub max_work: u64,
    /// It is given up, too, when a program point has more graphs than this.
    pub max_graphs: usize,
    /// How much is told apart; if absent, as little as possible is tried first.
    pub grain: Option<Grain>,
    /// Every way of telling apart gets these parts of the work in turn, before what has too many shapes is not told apart at all. If absent, it gets
    /// all of it once, and that is it.
    pub parts: Option<&'static [u64]>,
    /// Do variables keep their values where nobody reads them any more?
    pub keep_dead: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_work: 32_000_000, max_graphs: 500, grain: None, parts: Some(&[16, 4, 1]), keep_dead: false }
    }
}

impl Options {
    /// A check that goes only this part of the way.
    pub fn round(self, part: u64) -> Options {
        Options { max_work: self.max_work / part, parts: None, ..self }
    }
}

/// Why an analysis ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Everything was found.
    Fixpoint,
    /// After [`Options::max_work`].
    WorkLimit,
    /// A program point had more than [`Options::max_graphs`] graphs.
    GraphLimit,
    /// Whoever looked on broke it off.
    Interrupted,
}

/// What is known about a program, or about one kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// It cannot happen.
    Proved,
    /// Part of the program was not analysed, and nothing was found in the rest.
    NotAnalysed,
    /// It may happen: see the findings.
    MayFail,
}

/// Something that may go wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What kind of thing.
    pub kind: FindingKind,
    /// Where.
    pub span: Span,
    /// What exactly.
    pub text: String,
    /// The procedure, and its edge that carries the statement.
    pub at: (ProcId, usize),
    /// Does it happen in every state that the graph represents?
    pub definite: bool,
    /// Does the analysis go on behind what is not analysed, with [⊤](crate::Top) for what it does not know?
    pub goes_on: bool,
    /// The graph on which it was seen.
    pub graph: Graph,
    /// The statements on the way there.
    pub trace: Vec<TraceStep>,
}

/// A statement on the way to a finding.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The procedure, and its edge that carries the statement.
    pub at: (ProcId, usize),
    /// Where it is written.
    pub span: Span,
    /// A graph that represents the state behind it, if it was kept.
    pub graph: Option<Graph>,
}

/// The outcome of a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// What may go wrong, by place and kind, each once.
    pub findings: Vec<Finding>,
    /// Why the analysis ended.
    pub stop: StopReason,
    /// Was it broken off, or another way to check that might have found less?
    pub cut_short: bool,
    /// The procedures that a run can come to.
    pub procedures: Vec<ProcId>,
    /// The graphs of program points.
    pub graphs: BTreeMap<Point, Vec<Graph>>,
    /// The variables of each procedure that were forgotten where nobody reads them any more.
    pub forgotten: BTreeMap<ProcId, BTreeSet<VarId>>,
    /// The most graphs of a point, for one input of its procedure.
    pub most_graphs: usize,
    /// The most often that a point was taken up.
    pub iterations: usize,
    /// Steps of the analysis.
    pub steps: usize,
    /// What they cost.
    pub work: u64,
}

impl Report {
    /// What is known about a kind of finding. Behind something that was not analysed anything can happen.
    pub fn verdict(&self, kind: FindingKind) -> Verdict {
        let found = |kind| self.findings.iter().any(|finding| finding.kind == kind);
        if kind != FindingKind::NotAnalysed && found(kind) {
            Verdict::MayFail
        } else if self.stop != StopReason::Fixpoint || found(FindingKind::NotAnalysed) {
            Verdict::NotAnalysed
        } else {
            Verdict::Proved
        }
    }

    /// What is known about all kinds together.
    pub fn overall(&self) -> Verdict {
        FindingKind::ALL.into_iter().map(|kind| self.verdict(kind)).max().unwrap_or(Verdict::Proved)
    }

    /// The procedures about which findings say too little, since they may run in ways that were not seen.
    pub fn unseen(&self, program: &Program) -> BTreeSet<ProcId> {
        if self.stop != StopReason::Fixpoint {
            return self.procedures.iter().copied().collect();
        }
        let ends = self.findings.iter().filter(|finding| finding.kind == FindingKind::NotAnalysed);
        behind(program, &self.procedures, ends.map(|finding| finding.at))
    }

    /// The checkers of regions, as functions of C.
    pub fn explain(&self, program: &Program) -> String {
        show_as_c(self.graphs.values().flatten(), program)
    }
}

/// Checks what a call of `entry` can come to in a valid program. `go_on` is asked now and then.
///
/// ```
/// use trifold_checkers::{Options, Verdict, check};
/// let text = "struct node { node *next; }
///     entry proc main() {
///         node *x; node *t; x = null;
///         while (*) { t = new node; t->next = x; x = t; }
///         while (x != null) { t = x->next; free(x); x = t; }
///     }";
/// let (program, _) = trifold_ir::parse("lists", text).map_err(|failure| failure.diagnostics)?;
/// let report = check(&program, program.entry.expect("an entry"), &Options::default(), &mut || true);
/// assert_eq!(report.overall(), Verdict::Proved);
/// # Ok::<(), Vec<trifold_source::Diagnostic>>(())
/// ```
pub fn check(program: &Program, entry: ProcId, options: &Options, go_on: &mut dyn FnMut() -> bool) -> Report {
    check_watched(program, entry, options, &mut |_| go_on())
}

/// How far a check is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The procedure in which the last step was taken.
    pub procedure: ProcId,
    /// Graphs that steps have produced.
    pub graphs: usize,
    /// Places that have something left to do.
    pub waiting: usize,
}

/// The same for somebody who wants to know how far it is.
pub fn check_watched(
    program: &Program,
    entry: ProcId,
    options: &Options,
    go_on: &mut dyn FnMut(&Progress) -> bool,
) -> Report {
    let checking = |shapes, grain| Checking::new(program, entry, shapes, grain, options.keep_dead);
    let several = checking(Shapes::Trees, Grain::Coarse).roles.several_links;
    let shapes: &[Shapes] = if several { &[Shapes::Trees, Shapes::Lists] } else { &[Shapes::Trees] };
    let mut ways: Vec<(Grain, Shapes)> = Vec::new();
    for grain in options.grain.map_or_else(|| vec![Grain::Coarse, Grain::Fine], |only| vec![only]) {
        ways.extend(shapes.iter().map(|shapes| (grain, *shapes)));
    }
    let mut reports: Vec<(Grain, Report)> = Vec::new();
    // What is proved at all is mostly proved soon, so every way gets a little time before one gets much.
    for part in options.parts.unwrap_or(&[1]) {
        let options = Options { max_work: options.max_work / part, ..*options };
        let mut open = Vec::new();
        for (grain, shapes) in ways {
            let report = analyse(&checking(shapes, grain), entry, &options, go_on);
            match report.stop {
                _ if report.overall() == Verdict::Proved => return report,
                StopReason::Fixpoint | StopReason::GraphLimit => {}
                // With more work nothing that was found goes away.
                _ if !report.findings.is_empty() => {}
                StopReason::WorkLimit | StopReason::Interrupted => open.push((grain, shapes)),
            }
            reports.push((grain, report));
        }
        ways = open;
        if reports.iter().any(|(_, report)| report.stop == StopReason::Interrupted) {
            break;
        }
    }
    let is_complete = |(_, report): &(Grain, Report)| report.stop == StopReason::Fixpoint;
    let is_interrupted = |(_, report): &(Grain, Report)| report.stop == StopReason::Interrupted;
    // What has too many shapes is not told apart.
    if options.parts.is_some()
        && options.grain.is_none()
        && !reports.iter().any(is_complete)
        && !reports.iter().any(is_interrupted)
    {
        let options = Options { max_work: options.max_work / 2, ..*options };
        reports.push((Grain::Lossy, analyse(&checking(Shapes::Trees, Grain::Lossy), entry, &options, go_on)));
    }
    // Nothing is proved; one that saw everything says most, and the finest of them is most precise.
    let worth = |(grain, report): &(Grain, Report)| (report.stop == StopReason::Fixpoint, *grain);
    let (_, report) = reports.into_iter().max_by_key(worth).expect("there is a way");
    Report { cut_short: report.cut_short || !ways.is_empty(), ..report }
}

fn analyse(
    checking: &Checking<'_>,
    entry: ProcId,
    options: &Options,
    go_on: &mut dyn FnMut(&Progress) -> bool,
) -> Report {
    let mut watch = Watch { options, checking, go_on, events: Vec::new(), stop: StopReason::Fixpoint };
    let inputs = [(ProcedureId(0), checking.initial(entry))];
    let solution = tabulate(checking, &checking.flow, inputs, &SolverOptions::default(), &mut watch);
    let kept = |store: &Vec<State>| store.iter().filter(|state| !state.absorbed).count();
    let graphs = |location: LocationId| {
        let states = solution.stores_of(location).flatten().filter(|state| !state.absorbed);
        let mut graphs: Vec<Graph> = states.map(|state| state.graph.clone()).collect();
        graphs.sort();
        graphs.dedup();
        graphs
    };
    Report {
        findings: findings(checking, &solution, watch.events),
        stop: watch.stop,
        cut_short: watch.stop != StopReason::Fixpoint,
        procedures: checking.procedures.clone(),
        forgotten: checking.forgotten(),
        graphs: checking.locations.iter().map(|(point, location)| (*point, graphs(*location))).collect(),
        most_graphs: solution.stores.iter().map(kept).max().unwrap_or(0),
        iterations: solution.visits.iter().max().map_or(0, |most| *most as usize),
        steps: solution.statistics.steps,
        work: checking.work.load(Ordering::Relaxed),
    }
}

struct Watch<'a, 'p> {
    options: &'a Options,
    checking: &'a Checking<'p>,
    go_on: &'a mut dyn FnMut(&Progress) -> bool,
    events: Vec<(EdgeId, RecordId, Event)>,
    stop: StopReason,
}

impl<'p> Observer<Checking<'p>> for Watch<'_, 'p> {
    fn event(&mut self, edge: EdgeId, parent: RecordId, event: Event) {
        self.events.push((edge, parent, event));
    }

    fn progress(&mut self, statistics: &Statistics, solution: &Solution<Checking<'p>>) -> ControlFlow<()> {
        let procedure = self.checking.points[solution.points[statistics.at].location].procedure;
        let progress = Progress { procedure, graphs: statistics.created, waiting: statistics.waiting };
        if self.checking.most.load(Ordering::Relaxed) > self.options.max_graphs {
            self.stop = StopReason::GraphLimit;
        } else if self.checking.work.load(Ordering::Relaxed) > self.options.max_work {
            self.stop = StopReason::WorkLimit;
        } else if !(self.go_on)(&progress) {
            self.stop = StopReason::Interrupted;
        }
        if self.stop == StopReason::Fixpoint { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

fn findings(
    checking: &Checking<'_>,
    solution: &Solution<Checking<'_>>,
    events: Vec<(EdgeId, RecordId, Event)>,
) -> Vec<Finding> {
    let mut found: BTreeMap<(ProcId, usize, FindingKind), Finding> = BTreeMap::new();
    for (edge, parent, Event { fault, definite, before }) in events {
        let at = checking.action(edge).place();
        let key = (at.0, at.1, fault.kind);
        if let Some(known) = found.get_mut(&key) {
            known.goes_on &= fault.goes_on;
        }
        if found.get(&key).is_some_and(|known| known.definite || !definite) {
            continue;
        }
        let trace = solution.trace(parent).into_iter().map(|step| {
            let at = checking.action(step.edge).place();
            let graph = step.state.map(|state| solution.stores[step.point][state].graph.clone());
            TraceStep { at, span: checking.program[at.0].edges[at.1].span, graph }
        });
        let finding = Finding {
            kind: fault.kind,
            span: checking.program[at.0].edges[at.1].span,
            text: fault.text,
            goes_on: fault.goes_on,
            at,
            definite,
            graph: before,
            trace: trace.collect(),
        };
        let goes_on = found.get(&key).is_none_or(|known| known.goes_on) && finding.goes_on;
        found.insert(key, Finding { goes_on, ..finding });
    }
    found.into_values().collect()
}

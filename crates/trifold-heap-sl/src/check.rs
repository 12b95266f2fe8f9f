//! Checks a program: runs the analysis, and reports its findings.

use crate::checker::show_c::show_as_c;
use crate::disjuncts::CELL;
use crate::domain::{Checking, Event, State};
use crate::grain::Grain;
use crate::graph::shape_graph::ShapeGraph;
use crate::link_roles::LinkedShape;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use trifold_fixpoint::{
    EdgeId, LocationId, Observer, ProcedureId, RecordId, Solution, SolverOptions, Statistics, StopReason, tabulate,
};
use trifold_ir::{
    BinaryOp, Condition, Edge, Expr, Finding, FindingKind, Operand, Place, Point, ProcId, Program, Statement,
    TraceStep, VarId, Verdict, subject, verdict_on,
};
use trifold_passes::number_roles::NumberRoles;
use trifold_passes::reachable_after;

/// How to check.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The [work](trifold_work) that may be done before the analysis is given up. A step costs the square of the size
    /// of a graph for each graph that it is compared with.
    pub max_work: u64,
    /// At most about so many bytes of graphs.
    pub max_bytes: u64,
    /// It is given up, too, when a program point has more graphs than this.
    pub max_graphs: usize,
    /// How much is told apart; if absent, as little as possible is tried first.
    pub grain: Option<Grain>,
    /// If little and more told apart prove nothing: are the numbers of elements told apart, too, and is everything
    /// followed round by round?
    pub thorough: bool,
    /// Do variables keep their values where they are not read any more?
    pub keep_dead: bool,
    /// Is it a finding if the last reference to an object is lost? Where garbage is collected it is none.
    pub leaks: bool,
}

impl Default for Options {
    fn default() -> Options {
        let (max_work, max_bytes, max_graphs) = (32_000_000 * CELL, u64::MAX, 500);
        Options { max_work, max_bytes, max_graphs, grain: None, thorough: false, keep_dead: false, leaks: true }
    }
}

impl Options {
    /// A check that goes only this part of the way.
    pub fn part(self, part: u64) -> Options {
        Options { max_work: self.max_work / part, ..self }
    }
}

/// The outcome of a check.
#[derive(Clone, Debug)]
pub struct GraphReport {
    /// Findings by place and kind, each once.
    pub findings: Vec<Finding<ShapeGraph>>,
    /// Why the analysis ended.
    pub stop: StopReason,
    /// Was it broken off, or another way to check that might have found less?
    pub cut_short: bool,
    /// The procedures that a run can come to.
    pub procedures: Vec<ProcId>,
    /// The graphs of program points.
    pub graphs: BTreeMap<Point, Vec<ShapeGraph>>,
    /// The variables of each procedure that were forgotten where they are not read any more.
    pub forgotten: BTreeMap<ProcId, BTreeSet<VarId>>,
    /// Does it rely on lists that are no longer than [`MAX_LENGTH`](crate::MAX_LENGTH)?
    pub counts_lengths: bool,
    /// The most graphs of a point, for one input of its procedure.
    pub most_graphs: usize,
    /// The most often that a point was taken up.
    pub iterations: usize,
    /// Steps of the analysis.
    pub steps: usize,
    /// Their cost.
    pub work: u64,
}

impl GraphReport {
    /// The verdict on a kind of finding.
    pub fn verdict(&self, kind: FindingKind) -> Verdict {
        verdict_on(kind, &self.findings, self.stop.is_fixpoint())
    }

    /// Is it certain that nothing of a kind happens, before something of another kind does?
    fn proves(&self, kind: FindingKind) -> bool {
        let found = |kind: FindingKind| self.findings.iter().any(|finding| finding.kind == kind);
        self.stop.is_fixpoint() && !found(kind) && !FindingKind::UNSEEN.into_iter().any(found)
    }

    /// The verdict on all kinds together.
    pub fn overall(&self) -> Verdict {
        FindingKind::ALL.into_iter().map(|kind| self.verdict(kind)).max().unwrap_or(Verdict::Proved)
    }

    /// The procedures about which findings say too little, because they may run in ways that were not seen.
    pub fn unanalysed(&self, program: &Program) -> BTreeSet<ProcId> {
        if self.stop != StopReason::Fixpoint {
            return self.procedures.iter().copied().collect();
        }
        let ends = self.findings.iter().filter(|finding| finding.kind == FindingKind::NotAnalysed);
        reachable_after(program, &self.procedures, ends.map(|finding| finding.place.at()))
    }

    /// The checkers of regions, as functions of C.
    pub fn explain(&self, program: &Program) -> String {
        let graphs = self.graphs.values().flatten();
        show_as_c(graphs.flat_map(|graph| &graph.edges).map(|edge| &edge.checker), program)
    }
}

/// Checks everything that a call of `entry` can come to in a valid program. `go_on` is asked now and then.
///
/// ```
/// use trifold_heap_sl::{Options, check};
/// use trifold_ir::Verdict;
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
pub fn check(program: &Program, entry: ProcId, options: &Options, go_on: &mut dyn FnMut() -> bool) -> GraphReport {
    check_watched(program, entry, options, &mut |_| match go_on() {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(StopReason::Interrupted),
    })
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

/// The same, with reports of progress.
pub fn check_watched(
    program: &Program,
    entry: ProcId,
    options: &Options,
    go_on: &mut dyn FnMut(&Progress) -> ControlFlow<StopReason>,
) -> GraphReport {
    let checking = |shapes, grain| {
        let mut checking = Checking::new(program, entry, shapes, grain, options.keep_dead);
        checking.collects = !options.leaks;
        checking
    };
    let first = checking(LinkedShape::Trees, Grain::Coarse);
    let several = first.roles.several_links;
    let counts_within = !first.counting.is_empty() && !first.counting.contains(&entry);
    let counts = keeps_count(program, &first.roles.numbers) || !first.counting.is_empty();
    let is_precise = options.grain != Some(Grain::Lossy);
    let shapes: &[LinkedShape] =
        if several && is_precise { &[LinkedShape::Trees, LinkedShape::Lists] } else { &[LinkedShape::Trees] };
    let mut grains: Vec<Grain> = match options.grain {
        Some(only) => vec![only],
        None => {
            let bounds = compares_bounds(program);
            let mut grains = Vec::new();
            grains.extend((!bounds).then_some(Grain::Coarse));
            grains.extend(counts_within.then_some(Grain::CountedWithin));
            grains.extend(bounds.then_some(Grain::Related));
            grains.push(Grain::Fine);
            grains.extend(counts.then_some(Grain::Counted));
            if options.thorough {
                grains.extend(if bounds { &[Grain::Exact][..] } else { &[Grain::Related, Grain::Data, Grain::Exact] });
            }
            grains
        }
    };
    let calls_itself = first.procedures.iter().any(|procedure| first.calls.is_recursive(*procedure));
    if calls_itself && let Some(coarse) = grains.iter().position(|grain| *grain == Grain::Coarse) {
        grains.insert(coarse + 1, Grain::Returned);
    }
    let mut ways: Vec<(Grain, LinkedShape)> = Vec::new();
    for grain in grains {
        // Without folding it does not matter what elements are taken for.
        let shapes = if grain == Grain::Exact { &shapes[..1] } else { shapes };
        ways.extend(shapes.iter().map(|shapes| (grain, *shapes)));
    }
    // A report that saw everything says most, and of those the one with the fewest findings. One is kept: all of them
    // would take the memory of all of them.
    let worth = |grain: Grain, report: &GraphReport| {
        (report.stop.is_fixpoint(), std::cmp::Reverse(report.findings.len()), grain)
    };
    let mut best: Option<(Grain, GraphReport)> = None;
    let mut proved: Vec<FindingKind> = Vec::new();
    let mut has_open_way = false;
    let mut counts_lengths = false;
    for (grain, shapes) in ways {
        let is_extra = |grain| is_extra(grain) && !(grain == Grain::Related && compares_bounds(program));
        let own = if is_extra(grain) { options.part(EXTRA) } else { *options };
        let report = analyse(&checking(shapes, grain), entry, &own, go_on);
        if report.overall() == Verdict::Proved {
            return report;
        }
        // With more work nothing that was found goes away.
        let is_done = matches!(report.stop, StopReason::Fixpoint | StopReason::PointLimit);
        has_open_way |= !is_done && report.findings.is_empty() && !is_extra(grain);
        let is_over = report.stop.is_external();
        let before = proved.len();
        proved.extend(FindingKind::ALL.into_iter().filter(|kind| report.proves(*kind)));
        counts_lengths |= report.counts_lengths && proved.len() > before;
        if best.as_ref().is_none_or(|(other, known)| worth(grain, &report) >= worth(*other, known)) {
            best = Some((grain, report));
        }
        if is_over {
            break;
        }
    }
    let (_, mut report) = best.expect("there is a way");
    // What one way proves is proved: every run that has not gone wrong yet is represented in all of them.
    report.findings.retain(|finding| !proved.contains(&finding.kind));
    GraphReport { cut_short: has_open_way, counts_lengths: counts_lengths || report.counts_lengths, ..report }
}

/// The part of the work that each of the thorough ways may take.
const EXTRA: u64 = 16;

/// Is it one of the thorough ways, which rarely end unless they end soon?
fn is_extra(grain: Grain) -> bool {
    matches!(grain, Grain::Related | Grain::Data | Grain::Exact)
}

/// Does the program compare two numbers, neither of them constant, before it uses memory? Then it matters how they are
/// related.
fn compares_bounds(program: &Program) -> bool {
    let variables = |expr: &Expr| {
        let mut count = 0;
        expr.for_each_variable(&mut |_| count += 1);
        count
    };
    program.procedures.iter().any(|procedure| {
        let leaving = procedure.edges_from();
        let fails = |edge: &Edge| {
            let next = leaving[edge.to.index()].iter().map(|next| &procedure.edges[*next].statement);
            let mut next = next.filter(|next| matches!(next, Statement::Error { .. }));
            matches!(next.next(), Some(Statement::Error { kind: FindingKind::InvalidDereference, .. }))
        };
        let compares = |edge: &Edge| match &edge.statement {
            Statement::Assume(Condition::Scalar(expr)) => variables(expr) > 1,
            _ => false,
        };
        procedure.edges.iter().any(|edge| compares(edge) && fails(edge))
    })
}

/// Does the program store numbers in memory that it computes, and decide by some? Then it may keep count of what is
/// there.
fn keeps_count(program: &Program, numbers: &NumberRoles) -> bool {
    let computes = |expr: &Expr| {
        let mut is_counter = matches!(expr, Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, ..));
        expr.for_each_variable(&mut |variable| is_counter |= !numbers.is_flag(variable));
        is_counter
    };
    let mut statements = program.procedures.iter().flat_map(|procedure| &procedure.edges).map(|edge| &edge.statement);
    statements
        .any(|statement| matches!(statement, Statement::Store { value: Operand::Scalar(value), .. } if computes(value)))
}

fn analyse(
    checking: &Checking<'_>,
    entry: ProcId,
    options: &Options,
    go_on: &mut dyn FnMut(&Progress) -> ControlFlow<StopReason>,
) -> GraphReport {
    let mut watch = Watch { options, checking, go_on, events: Vec::new() };
    let inputs = [(ProcedureId(0), checking.initial(entry))];
    let solver = SolverOptions { work: options.max_work, bytes: options.max_bytes, ..SolverOptions::default() };
    let solution = tabulate(checking, &checking.flow, inputs, &solver, &mut watch);
    let kept = |store: &Vec<State>| store.iter().filter(|state| !state.absorbed).count();
    let graphs = |location: LocationId| {
        let states = solution.stores_of(location).flatten().filter(|state| !state.absorbed);
        let mut graphs: Vec<ShapeGraph> = states.map(|state| state.graph.clone()).collect();
        graphs.sort();
        graphs.dedup();
        graphs
    };
    GraphReport {
        findings: findings(checking, &solution, watch.events),
        stop: solution.stop,
        cut_short: !solution.stop.is_fixpoint(),
        procedures: checking.procedures.clone(),
        forgotten: checking.forgotten(),
        counts_lengths: matches!(checking.grain, Grain::CountedWithin | Grain::Counted),
        graphs: checking.locations.iter().map(|(point, location)| (*point, graphs(*location))).collect(),
        most_graphs: solution.stores.iter().map(kept).max().unwrap_or(0),
        iterations: solution.visits.iter().max().map_or(0, |most| *most as usize),
        steps: solution.statistics.steps,
        work: solution.statistics.work,
    }
}

struct Watch<'a, 'p> {
    options: &'a Options,
    checking: &'a Checking<'p>,
    go_on: &'a mut dyn FnMut(&Progress) -> ControlFlow<StopReason>,
    events: Vec<(EdgeId, RecordId, Event)>,
}

impl<'p> Observer<Checking<'p>> for Watch<'_, 'p> {
    fn event(&mut self, edge: EdgeId, parent: RecordId, event: Event) {
        if self.options.leaks || event.fault.kind != FindingKind::Leak {
            self.events.push((edge, parent, event));
        }
    }

    fn progress(&mut self, statistics: &Statistics, solution: &Solution<Checking<'p>>) -> ControlFlow<StopReason> {
        let procedure = self.checking.points[solution.points[statistics.at].location].procedure;
        let progress = Progress { procedure, graphs: statistics.created, waiting: statistics.waiting };
        if self.checking.most.load(Ordering::Relaxed) > self.options.max_graphs {
            return ControlFlow::Break(StopReason::PointLimit);
        }
        (self.go_on)(&progress)
    }
}

fn findings(
    checking: &Checking<'_>,
    solution: &Solution<Checking<'_>>,
    events: Vec<(EdgeId, RecordId, Event)>,
) -> Vec<Finding<ShapeGraph>> {
    let place = |edge: EdgeId| {
        let (procedure, edge) = checking.action(edge).place();
        Place::of(checking.program, procedure, edge)
    };
    let mut found: BTreeMap<(ProcId, usize, FindingKind), Finding<ShapeGraph>> = BTreeMap::new();
    for (edge, parent, Event { fault, definite, before }) in events {
        let at = place(edge);
        let key = (at.procedure, at.edge, fault.kind);
        if let Some(known) = found.get_mut(&key) {
            known.goes_on &= fault.goes_on;
        }
        if found.get(&key).is_some_and(|known| known.definite || !definite) {
            continue;
        }
        let trace = solution.trace(parent).into_iter().map(|step| TraceStep {
            place: place(step.edge),
            state: step.state.map(|state| solution.stores[step.point][state].graph.clone()),
        });
        let goes_on = found.get(&key).is_none_or(|known| known.goes_on) && fault.goes_on;
        let finding = Finding {
            kind: fault.kind,
            subject: subject(&checking.program[at.procedure].edges[at.edge].statement),
            text: fault.text,
            place: at,
            definite,
            goes_on,
            state: before,
            trace: trace.collect(),
        };
        found.insert(key, finding);
    }
    found.into_values().collect()
}

//! A whole analysis: from inputs to the structures of every location, and the findings about them.
//!
//! For example, the analysis of a loop that walks a list from `x` with `y` yields, at the head of the loop, structures
//! in which `y` is `x`, an element in the middle, or NULL; its findings are the messages that may fire, such as "`y`
//! may be NULL".

use crate::coerce::Infeasible;
use crate::engine::{Engine, EngineScratch};
use crate::event::Event;
use crate::focus::Unfocusable;
use crate::specification::{Edge, Label, Origin};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use trifold_fixpoint::{
    EdgeId, FlowEdge, FlowGraph, FlowKind, FlowProcedure, FlowStep, IdVec, LocationId, Observer, ProgramGraph,
    RecordId, Solution, SolverOptions, Statistics, StopReason, solve, tabulate,
};
use trifold_structure::Structure;

/// When to end early.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// At most this many structures are created, give or take one step.
    pub structures: Option<usize>,
    /// At most this many messages are reported.
    pub messages: Option<usize>,
}

/// A message that fired, the first time it did.
#[derive(Clone, Debug)]
pub struct FiredMessage {
    /// The location whose outgoing edge carries the action.
    pub location: LocationId,
    /// The edge.
    pub edge: EdgeId,
    /// The message, as a position among those of the edge; see
    /// [`Specification::message`](crate::Specification::message).
    pub message: usize,
    /// Was its condition 1 on some structure, not just 1/2?
    pub definite: bool,
    /// How many structures it fired on.
    pub occurrences: usize,
    /// The structure on which it fired first (or first for certain).
    pub structure: Structure,
    /// The steps from an input to the location.
    pub trace: Vec<FlowStep>,
}

/// Evidence that update formulas contradict the rules.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The edge whose action is at fault.
    pub edge: EdgeId,
    /// The rule, in the numbering of [`Engine::laws`], and the individuals of its head.
    pub infeasible: Infeasible,
    /// A store that obeys all rules.
    pub before: Structure,
    /// The store after the action.
    pub after: Structure,
}

/// The outcome of an analysis.
pub struct Analysis {
    /// The structures of every location.
    pub solution: Solution<Engine>,
    /// Messages that fired, by edge and message.
    pub findings: Vec<FiredMessage>,
    /// Properties that hold wherever they were evaluated, by edge and message.
    pub confirmed: BTreeSet<(EdgeId, usize)>,
    /// Focus formulas that stayed 1/2 on some structure.
    pub unfocusable: BTreeSet<(Origin, Unfocusable)>,
    /// One piece of evidence for each edge and rule.
    pub contradictions: Vec<Contradiction>,
    /// Breaches for which no store gives evidence, the first of each edge and rule (in the numbering of
    /// [`Engine::coercer`]). The structures are abstract.
    pub unexplained: Vec<Contradiction>,
    /// Inputs that no store satisfies, by position.
    pub infeasible_inputs: Vec<(usize, Infeasible)>,
    /// Why the analysis ended.
    pub stop: StopReason,
    /// The edge over which a step would have needed too much memory.
    pub too_large: Option<EdgeId>,
}

/// A structure from which an analysis starts.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it starts.
    pub location: LocationId,
    /// The structure.
    pub structure: Structure,
}

/// Most analyses start at the entry of the program.
impl From<Structure> for Input {
    fn from(structure: Structure) -> Input {
        Input { location: LocationId::ENTRY, structure }
    }
}

/// Looks on while an analysis runs.
pub trait Watcher {
    /// An analysis begins, of a program with parts: their numbers, by location.
    fn begins(&mut self, parts: IdVec<LocationId, usize>) {
        let _ = parts;
    }

    /// Called after each step; `Break` ends the analysis for a reason.
    fn progress(&mut self, statistics: &Statistics, solution: &Solution<Engine>) -> ControlFlow<StopReason>;

    /// Called for everything that a step reports, before it is collected.
    fn event(&mut self, edge: EdgeId, event: &Event) {
        let _ = (edge, event);
    }
}

/// A watcher that lets everything pass.
impl Watcher for () {
    fn progress(&mut self, _: &Statistics, _: &Solution<Engine>) -> ControlFlow<StopReason> {
        ControlFlow::Continue(())
    }
}

/// Analyses the engine's program from the given inputs.
pub fn analyze(
    engine: &Engine,
    inputs: &[Input],
    solver: &SolverOptions,
    limits: Limits,
    watcher: &mut dyn Watcher,
) -> Analysis {
    let mut scratch = EngineScratch::default();
    let mut infeasible_inputs = Vec::new();
    let mut prepared = Vec::new();
    let mut holds_inputs = true;
    for (number, input) in inputs.iter().enumerate() {
        if !engine.can_hold(input.structure.size()) {
            holds_inputs = false;
            continue;
        }
        match engine.prepare(input.location, input.structure.clone(), &mut scratch) {
            Ok(structure) => prepared.push((input.location, engine.keep(input.location, structure))),
            Err(infeasible) => infeasible_inputs.push((number, infeasible)),
        }
    }
    let mut solver = solver.clone();
    solver.always_saved.extend(engine.specification().cfg.printed.iter().flatten());
    let mut collector = Collector {
        limits,
        watcher,
        findings: BTreeMap::new(),
        confirmed: BTreeSet::new(),
        unfocusable: BTreeSet::new(),
        contradictions: BTreeMap::new(),
        unexplained: BTreeMap::new(),
        too_large: None,
    };
    let (program, procedures) = (program_graph(engine), &engine.specification().cfg.procedures);
    let solution = if procedures.is_empty() {
        solve(engine, &program.flow, prepared, &solver, &mut collector)
    } else {
        // An analysis of procedures starts at their entries.
        let entered = |location: LocationId| procedures.position(|procedure| procedure.entry == location);
        let inputs = prepared.into_iter().filter_map(|(at, structure)| Some((entered(at)?, structure)));
        tabulate(engine, &program, inputs, &solver, &mut collector)
    };
    let Collector { findings, mut confirmed, unfocusable, contradictions, unexplained, too_large, .. } = collector;
    let stop = match solution.stop {
        StopReason::Fixpoint if !holds_inputs => StopReason::TooLarge,
        stop => stop,
    };
    let cfg = &engine.specification().cfg;
    confirmed.retain(|property| !findings.contains_key(property));
    let findings = findings.into_iter().map(|((edge, message), fired)| FiredMessage {
        location: cfg.edges[edge].source,
        edge,
        message,
        definite: fired.definite,
        occurrences: fired.occurrences,
        structure: fired.structure,
        trace: solution.trace(fired.record),
    });
    let findings = findings.collect();
    let contradictions = contradictions.into_values().collect();
    let unexplained = unexplained.into_values().collect();
    Analysis {
        findings,
        confirmed,
        solution,
        unfocusable,
        contradictions,
        unexplained,
        infeasible_inputs,
        stop,
        too_large,
    }
}

/// The program as the solver sees it. Its edges and procedures have the numbers that they have in the specification.
fn program_graph(engine: &Engine) -> ProgramGraph {
    let cfg = &engine.specification().cfg;
    let kind = |label: Label| match label {
        Label::Action(_) => FlowKind::Step,
        Label::Call(call) => match cfg.calls[call].callee {
            // A call that relies on a contract is a step like any other.
            callee if engine.promised(callee).is_some() => FlowKind::Step,
            callee => FlowKind::Call(callee),
        },
    };
    let edge = |edge: &Edge| FlowEdge { source: edge.source, kind: kind(edge.label), target: edge.target };
    let flow = FlowGraph { locations: cfg.locations.len(), edges: cfg.edges.iter().map(edge).collect() };
    let procedures = cfg.procedures.iter().map(|p| FlowProcedure { entry: p.entry, exit: p.exit }).collect();
    ProgramGraph { flow, procedures }
}

struct Fired {
    definite: bool,
    occurrences: usize,
    structure: Structure,
    record: RecordId,
}

struct Collector<'a> {
    limits: Limits,
    watcher: &'a mut dyn Watcher,
    findings: BTreeMap<(EdgeId, usize), Fired>,
    confirmed: BTreeSet<(EdgeId, usize)>,
    unfocusable: BTreeSet<(Origin, Unfocusable)>,
    contradictions: BTreeMap<(EdgeId, usize), Contradiction>,
    unexplained: BTreeMap<(EdgeId, usize), Contradiction>,
    too_large: Option<EdgeId>,
}

impl Collector<'_> {
    fn fired(&mut self, edge: EdgeId, message: usize, definite: bool, structure: Structure, record: RecordId) {
        let fired = Fired { definite, occurrences: 1, structure, record };
        match self.findings.get_mut(&(edge, message)) {
            None => {
                self.findings.insert((edge, message), fired);
            }
            Some(known) => {
                let occurrences = known.occurrences + 1;
                if definite && !known.definite {
                    *known = fired;
                }
                known.occurrences = occurrences;
            }
        }
    }
}

impl Observer<Engine> for Collector<'_> {
    fn event(&mut self, edge: EdgeId, parent: RecordId, event: Event) {
        self.watcher.event(edge, &event);
        match event {
            Event::Message { message, definite, structure } => {
                self.fired(edge, message, definite, *structure, parent);
            }
            Event::Confirmed { message } => {
                self.confirmed.insert((edge, message));
            }
            Event::Unfocusable { origin, reason } => {
                self.unfocusable.insert((origin, reason));
            }
            Event::Contradiction { infeasible, before, after } => {
                let key = (edge, infeasible.rule);
                let evidence = Contradiction { edge, before: *before, after: *after, infeasible };
                self.contradictions.entry(key).or_insert(evidence);
            }
            Event::UnexplainedBreach { infeasible, before, after } => {
                let key = (edge, infeasible.rule);
                let evidence = Contradiction { edge, before: *before, after: *after, infeasible };
                self.unexplained.entry(key).or_insert(evidence);
            }
            Event::TooLarge => self.too_large = self.too_large.or(Some(edge)),
            Event::Discarded { .. } | Event::Phase { .. } => {}
        }
    }

    fn progress(&mut self, statistics: &Statistics, solution: &Solution<Engine>) -> ControlFlow<StopReason> {
        let over = |limit: Option<usize>, count: usize| limit.is_some_and(|limit| count >= limit);
        if self.too_large.is_some() {
            ControlFlow::Break(StopReason::TooLarge)
        } else if over(self.limits.messages, self.findings.len()) {
            ControlFlow::Break(StopReason::MessageLimit)
        } else if over(self.limits.structures, statistics.created) {
            ControlFlow::Break(StopReason::StructureLimit)
        } else {
            self.watcher.progress(statistics, solution)
        }
    }
}

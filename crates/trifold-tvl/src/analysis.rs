//! A whole analysis: from inputs to the structures of every location, and what there is to say about them.

use crate::coerce::Infeasible;
use crate::engine::{Engine, EngineScratch};
use crate::event::Event;
use crate::focus::Unfocusable;
use crate::specification::{Call, Edge, LocationId, Origin};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use trifold_fixpoint::{
    FlowEdge, FlowGraph, FlowProcedure, Observer, ProgramGraph, Solution, SolverOptions, Statistics, TraceStep, solve,
    tabulate,
};
use trifold_structure::Structure;

/// Why an analysis ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Everything reachable has been found.
    Fixpoint,
    /// The limit on structures was reached; the result is partial.
    StructureLimit,
    /// The limit on messages was reached; the result is partial.
    MessageLimit,
    /// A step would have needed too much memory; the result is partial.
    TooLarge,
    /// Whoever watches the progress broke off; the result is partial.
    Interrupted,
}

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
pub struct Finding {
    /// The location whose outgoing edge carries the action.
    pub location: LocationId,
    /// The edge.
    pub edge: usize,
    /// The message, as a position among those of the edge; see [`Specification::message`](crate::Specification::message).
    pub message: usize,
    /// Was its condition 1 on some structure, not just 1/2?
    pub definite: bool,
    /// How many structures it fired on.
    pub occurrences: usize,
    /// The structure on which it fired first (or first for certain).
    pub structure: Structure,
    /// The steps from an input to the location.
    pub trace: Vec<TraceStep>,
}

/// Evidence that update formulas contradict the rules.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The edge whose action is at fault.
    pub edge: usize,
    /// The rule, in the numbering of [`Engine::laws`], and the individuals of its head.
    pub infeasible: Infeasible,
    /// A store that obeys all rules.
    pub before: Structure,
    /// What the action makes of it.
    pub after: Structure,
}

/// The outcome of an analysis.
pub struct Analysis {
    /// The structures of every location.
    pub solution: Solution<Engine>,
    /// Messages that fired, by edge and message.
    pub findings: Vec<Finding>,
    /// Properties that hold wherever they were evaluated, by edge and message.
    pub confirmed: BTreeSet<(usize, usize)>,
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
    pub too_large: Option<usize>,
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
        Input { location: 0, structure }
    }
}

/// Looks on while an analysis runs.
pub trait Watcher {
    /// An analysis begins, of a program with parts: their numbers, by location.
    fn begins(&mut self, parts: Vec<usize>) {
        let _ = parts;
    }

    /// Called after each step; `Break` ends the analysis.
    fn progress(&mut self, statistics: &Statistics, solution: &Solution<Engine>) -> ControlFlow<()>;

    /// Called for everything that a step reports, before it is collected.
    fn event(&mut self, edge: usize, event: &Event) {
        let _ = (edge, event);
    }
}

/// A watcher that lets everything pass.
impl Watcher for () {
    fn progress(&mut self, _: &Statistics, _: &Solution<Engine>) -> ControlFlow<()> {
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
    let mut stop = StopReason::Fixpoint;
    for (number, input) in inputs.iter().enumerate() {
        if !engine.can_hold(input.structure.size()) {
            stop = StopReason::TooLarge;
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
        stop,
        too_large: None,
    };
    let solution = match &engine.specification().cfg.procedures[..] {
        [] => solve(engine, &flow_graph(engine), prepared, &solver, &mut collector),
        procedures => {
            // An analysis of procedures starts at their entries.
            let entered = |location: LocationId| procedures.iter().position(|procedure| procedure.entry == location);
            let inputs = prepared.into_iter().filter_map(|(at, structure)| Some((entered(at)?, structure)));
            tabulate(engine, &program_graph(engine), inputs, &solver, &mut collector)
        }
    };
    let Collector { findings, mut confirmed, unfocusable, contradictions, unexplained, stop, too_large, .. } =
        collector;
    let cfg = &engine.specification().cfg;
    confirmed.retain(|property| !findings.contains_key(property));
    let findings = findings.into_iter().map(|((edge, message), fired)| Finding {
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

fn flow_graph(engine: &Engine) -> FlowGraph {
    let cfg = &engine.specification().cfg;
    let edge = |(action, edge): (usize, &Edge)| FlowEdge { source: edge.source, action, target: edge.target };
    let edges = cfg.edges.iter().enumerate().map(edge).collect();
    FlowGraph { locations: cfg.locations.len(), edges }
}

fn program_graph(engine: &Engine) -> ProgramGraph {
    let (cfg, mut flow) = (&engine.specification().cfg, flow_graph(engine));
    // A call that relies on a contract is a step like any other.
    let is_made = |call: &&Call| engine.promised(call.edge).is_none();
    for (number, call) in cfg.calls.iter().enumerate().filter(|(_, call)| is_made(call)) {
        flow.edges[call.edge].action = number;
    }
    let procedures = cfg.procedures.iter().map(|p| FlowProcedure { entry: p.entry, exit: p.exit }).collect();
    let calls = cfg.calls.iter().filter(is_made).map(|call| (call.edge, call.callee)).collect();
    ProgramGraph { flow, procedures, calls }
}

struct Fired {
    definite: bool,
    occurrences: usize,
    structure: Structure,
    record: u32,
}

struct Collector<'a> {
    limits: Limits,
    watcher: &'a mut dyn Watcher,
    findings: BTreeMap<(usize, usize), Fired>,
    confirmed: BTreeSet<(usize, usize)>,
    unfocusable: BTreeSet<(Origin, Unfocusable)>,
    contradictions: BTreeMap<(usize, usize), Contradiction>,
    unexplained: BTreeMap<(usize, usize), Contradiction>,
    stop: StopReason,
    too_large: Option<usize>,
}

impl Collector<'_> {
    fn fired(&mut self, edge: usize, message: usize, definite: bool, structure: Structure, record: u32) {
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
    fn event(&mut self, edge: usize, parent: u32, event: Event) {
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

    fn progress(&mut self, statistics: &Statistics, solution: &Solution<Engine>) -> ControlFlow<()> {
        let over = |limit: Option<usize>, count: usize| limit.is_some_and(|limit| count >= limit);
        self.stop = if self.too_large.is_some() {
            StopReason::TooLarge
        } else if over(self.limits.messages, self.findings.len()) {
            StopReason::MessageLimit
        } else if over(self.limits.structures, statistics.created) {
            StopReason::StructureLimit
        } else if self.watcher.progress(statistics, solution).is_break() {
            StopReason::Interrupted
        } else {
            return ControlFlow::Continue(());
        };
        ControlFlow::Break(())
    }
}

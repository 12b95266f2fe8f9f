//! Checks a program: lowers it, runs the analysis, and reports its findings. For example, if an assertion on numbers of
//! list elements may fail, the program is lowered again with the order of objects by data.

use crate::actions::flow::kind_of;
use crate::lower::{Calls, Lowered, Precision, Unread, lower};
use crate::tracked::families::{Families, NamedRoles};
use std::collections::BTreeMap;
use std::sync::Arc;
use trifold_fixpoint::{EdgeId, IdVec, LocationId, SolverOptions};
use trifold_ir::{
    Edge, Finding, FindingKind, Operand, Place, ProcId, Program, Statement, TraceStep, Verdict, subject, verdict_on,
};
use trifold_structure::Structure;
use trifold_tvl::{
    Analysis, Derive, Engine, EngineOptions, Input, Join, Limits, Order, StopReason, Watcher, analyze, explain_returns,
};
use trifold_work::{limited, stop_listening};

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The join of a location.
    pub join: Join,
    /// When to give up.
    pub limits: Limits,
    /// How to solve.
    pub solver: SolverOptions,
    /// Are objects looked for to which the last reference is lost? Where memory is collected that is nothing to be
    /// found.
    pub leaks: bool,
    /// How much is tracked from the beginning.
    pub precision: Precision,
    /// The roles of links that are given and not chosen.
    pub roles: NamedRoles,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            join: Join::Partial,
            limits: Limits::default(),
            solver: SolverOptions::default(),
            leaks: true,
            precision: Precision::default(),
            roles: NamedRoles::new(),
        }
    }
}

/// The outcome of a check.
pub struct StructureReport {
    /// Findings by place and kind, each once.
    pub findings: Vec<Finding<Arc<Structure>>>,
    /// The properties of shapes that were tracked.
    pub families: Families,
    /// Why the analysis ended.
    pub stop: StopReason,
    /// Was it broken off, or a finer check that might have found less?
    pub cut_short: bool,
    /// The specification that was run.
    pub lowered: Lowered,
    /// The engine that ran it.
    pub engine: Engine,
    /// Everything that it found.
    pub analysis: Analysis,
}

impl StructureReport {
    /// The verdict on a kind of finding.
    pub fn verdict(&self, kind: FindingKind) -> Verdict {
        verdict_on(kind, &self.findings, self.stop.is_fixpoint())
    }

    /// The verdict on all kinds together.
    pub fn overall(&self) -> Verdict {
        FindingKind::ALL.into_iter().map(|kind| self.verdict(kind)).max().unwrap_or(Verdict::Proved)
    }

    /// Was a field used that counted as dead, or the object that has it? Then the result says nothing about the program
    /// as it was written: a statement that was added, or that reads the lost value, fails in place of a later one.
    pub fn has_used_dead_fields(&self) -> bool {
        let Lowered { program, precision, .. } = &self.lowered;
        let is_clearing =
            |edge: &Edge| matches!(edge.statement, Statement::Store { value: Operand::Uninitialised, .. });
        // A field of a part is reached by a statement of its own.
        let loses_value = |(procedure, edge): (ProcId, usize)| {
            let edges = &program[procedure].edges;
            let mut after = edges.iter().filter(|next| next.from == edges[edge].to);
            is_clearing(&edges[edge]) || after.any(is_clearing)
        };
        let is_use =
            |finding: &Finding<_>| finding.kind == FindingKind::UninitialisedPointer || loses_value(finding.place.at());
        precision.dead_fields && self.findings.iter().any(is_use)
    }
}

/// Checks everything that a call of `entry` can come to in a valid program. As long as something is found and more
/// could be tracked, more is.
///
/// ```
/// use trifold_heap_tvl::{Options, check};
/// use trifold_ir::Verdict;
/// let text = "struct node { node *next; }
///     entry proc main() {
///         node *x; node *t; x = null;
///         while (*) { t = new node; t->next = x; x = t; }
///         while (x != null) { t = x->next; free(x); x = t; }
///     }";
/// let (program, _) = trifold_ir::parse("lists", text).map_err(|failure| failure.diagnostics)?;
/// let report = check(&program, program.entry.expect("an entry"), &Options::default(), &mut ());
/// assert_eq!(report.overall(), Verdict::Proved);
/// # Ok::<(), Vec<trifold_source::Diagnostic>>(())
/// ```
pub fn check(program: &Program, entry: ProcId, options: &Options, watcher: &mut dyn Watcher) -> StructureReport {
    let first = Precision { collected: !options.leaks, ..options.precision };
    let mut best = check_with(program, entry, first, options, watcher);
    let mut may_order = true;
    while best.stop == StopReason::Fixpoint
        && let Some(precision) = finer(&best, may_order)
    {
        let options = beside(&best, options);
        // What is known already stays when a finer check is stopped in the middle.
        let Ok(next) = limited(u64::MAX, || check_with(program, entry, precision, &options, watcher)).0 else {
            stop_listening();
            return StructureReport { cut_short: true, ..best };
        };
        best.cut_short |= next.cut_short;
        // An order is tried once, and if that takes too long, something else is.
        let orders = precision.ordered && !best.lowered.precision.ordered;
        may_order &= !orders;
        if orders && next.stop != StopReason::Fixpoint {
            continue;
        }
        if next.stop != StopReason::Fixpoint || next.has_used_dead_fields() {
            break;
        }
        best = StructureReport { cut_short: best.cut_short, ..next };
    }
    match check_with_dead(program, entry, &best, options, watcher) {
        Some(placed) if is_better_placed(&placed, &best) => StructureReport { cut_short: best.cut_short, ..placed },
        _ => best,
    }
}

/// The options for another check while a result is kept: both together fit into the memory.
fn beside(kept: &StructureReport, options: &Options) -> Options {
    let bytes = options.solver.bytes.saturating_sub(kept.analysis.solution.statistics.bytes);
    Options { solver: SolverOptions { bytes, ..options.solver.clone() }, ..options.clone() }
}

/// Were leaks found in other places, perhaps fewer, and nothing else that is new?
fn is_better_placed(placed: &StructureReport, found: &StructureReport) -> bool {
    let is_known =
        |finding: &Finding<_>| found.findings.iter().any(|f| (f.kind, f.place) == (finding.kind, finding.place));
    placed.stop == StopReason::Fixpoint
        && placed.findings.len() <= found.findings.len()
        && placed.findings.iter().all(|finding| finding.kind == FindingKind::Leak || is_known(finding))
}

/// Checks again with all variables kept, if leaks were found: of several references to an object, one that is not read
/// any more may be the last. Then the leak belongs to a later statement, or to none.
fn check_with_dead(
    program: &Program,
    entry: ProcId,
    found: &StructureReport,
    options: &Options,
    watcher: &mut dyn Watcher,
) -> Option<StructureReport> {
    let leaks = found.findings.iter().any(|finding| finding.kind == FindingKind::Leak);
    let precision = found.lowered.precision;
    if !leaks || precision.dead || found.stop != StopReason::Fixpoint {
        return None;
    }
    // It is not worth many times the work.
    let most = 4 * found.analysis.solution.statistics.created + 5_000;
    let structures = Some(options.limits.structures.map_or(most, |limit| limit.min(most)));
    let options = Options { limits: Limits { structures, ..options.limits }, ..beside(found, options) };
    let kept = Precision { dead: true, ..precision };
    let kept = limited(u64::MAX, || check_with(program, entry, kept, &options, watcher)).0;
    kept.inspect_err(|_| stop_listening()).ok()
}

/// With which precision less may be found, if it is worth a try, and so is an order.
fn finer(report: &StructureReport, may_order: bool) -> Option<Precision> {
    let precision = report.lowered.precision;
    let leaks = report.findings.iter().any(|finding| finding.kind == FindingKind::Leak);
    if leaks && precision.unread == Unread::LeftOut && !report.families.unread.is_empty() {
        return Some(Precision { unread: Unread::Holding, ..precision });
    }
    let has_cutpoints = report.findings.iter().any(|finding| finding.kind == FindingKind::Cutpoint);
    if has_cutpoints && !report.lowered.by_choice && !precision.dead_fields {
        return Some(Precision { dead_fields: true, ..precision });
    }
    let asserts = report.findings.iter().any(|finding| finding.kind == FindingKind::Assertion);
    if asserts && report.lowered.is_comparable && !precision.ordered && may_order {
        return Some(Precision { ordered: true, ..precision });
    }
    // The effects of a call on objects that it is not given are seen only in its place.
    if report.overall() != Verdict::Proved && report.lowered.by_choice {
        return Some(Precision { calls: Calls::InPlace, ..precision });
    }
    let several = report.families.levels.iter().any(|level| level.spine.len() > 1);
    let found = report.overall() == Verdict::MayFail;
    // An order that has not helped would only make it harder.
    let ordered = precision.ordered && !asserts;
    (found && several && !precision.apart).then_some(Precision { apart: true, ordered, ..precision })
}

/// Checks with a given precision.
pub fn check_with(
    program: &Program,
    entry: ProcId,
    precision: Precision,
    options: &Options,
    watcher: &mut dyn Watcher,
) -> StructureReport {
    let lowered = lower(program, entry, precision, &options.roles);
    let engine_options = EngineOptions {
        // Dead variables were cleared when the program was lowered.
        forget_dead: false,
        order: Order { coerce_early: true, ..Order::default() },
        join: options.join,
        derive: Derive::Missing,
        ..EngineOptions::default()
    };
    let engine = Engine::new(lowered.specification.clone(), engine_options);
    let inputs = [Input::from(lowered.initial.clone())];
    watcher.begins(parts(&lowered));
    let mut analysis = analyze(&engine, &inputs, &options.solver, options.limits, watcher);
    if analysis.findings.is_empty() {
        // Before all is called proved, a closer look at calls that do not return.
        explain_returns(&engine, &inputs, &mut analysis, &mut || false);
    }
    let mut findings = findings(&lowered, &analysis);
    findings.retain(|finding| finding.kind != FindingKind::Leak || options.leaks);
    let cut_short = analysis.stop != StopReason::Fixpoint;
    StructureReport {
        findings,
        families: lowered.families.clone(),
        stop: analysis.stop,
        cut_short,
        lowered,
        engine,
        analysis,
    }
}

fn findings(lowered: &Lowered, analysis: &Analysis) -> Vec<Finding<Arc<Structure>>> {
    let specification = &lowered.specification;
    let mut found: BTreeMap<(ProcId, usize, FindingKind), Finding<Arc<Structure>>> = BTreeMap::new();
    for fired in &analysis.findings {
        let place = place(lowered, fired.edge);
        let message = specification.message(fired.edge, fired.message);
        let kind = kind_of(message);
        let finding = Finding {
            kind,
            subject: subject(&lowered.program[place.procedure].edges[place.edge].statement),
            text: message.text.clone(),
            place,
            definite: fired.definite,
            // A path ends at a statement that is not analysed.
            goes_on: false,
            state: Arc::new(fired.structure.clone()),
            trace: trace(lowered, analysis, &fired.trace),
        };
        found
            .entry((place.procedure, place.edge, kind))
            .and_modify(|known| {
                if finding.definite && !known.definite {
                    *known = finding.clone();
                }
            })
            .or_insert(finding);
    }
    // A store got lost, so nothing is promised after it.
    for contradiction in &analysis.contradictions {
        let (place, kind) = (place(lowered, contradiction.edge), FindingKind::NotAnalysed);
        found.entry((place.procedure, place.edge, kind)).or_insert_with(|| Finding {
            kind,
            subject: None,
            text: "the analysis contradicts itself".to_string(),
            place,
            definite: false,
            goes_on: false,
            state: Arc::new(contradiction.before.clone()),
            trace: Vec::new(),
        });
    }
    found.into_values().collect()
}

/// The procedures to which locations belong, by number.
fn parts(lowered: &Lowered) -> IdVec<LocationId, usize> {
    let cfg = &lowered.specification.cfg;
    let mut parts = IdVec::filled(0, cfg.locations.len());
    let of_edges = || cfg.edges.enumerate().map(|(id, edge)| (edge, place(lowered, id).procedure.index()));
    // Where no edge begins, a procedure ends.
    of_edges().for_each(|(edge, part)| parts[edge.target] = part);
    of_edges().for_each(|(edge, part)| parts[edge.source] = part);
    parts
}

/// The origin of an edge.
fn place(lowered: &Lowered, edge: EdgeId) -> Place {
    lowered.places[lowered.specification.cfg.edges[edge].origin.0 as usize]
}

/// Steps of one statement after the other are one; the last one has the result of the statement.
fn trace(
    lowered: &Lowered,
    analysis: &Analysis,
    steps: &[trifold_fixpoint::FlowStep],
) -> Vec<TraceStep<Arc<Structure>>> {
    let mut trace: Vec<TraceStep<Arc<Structure>>> = Vec::new();
    for step in steps {
        let Some(structure) = step.state.map(|state| analysis.solution.stores[step.point].get(state)) else {
            continue;
        };
        let place = place(lowered, step.edge);
        if trace.last().is_some_and(|last| last.place == place) {
            trace.pop();
        }
        trace.push(TraceStep { place, state: Some(structure.shared()) });
    }
    trace
}

//! The three-valued domain in the portfolio. For example, a first look ends after 40,000 structures at the latest,
//! and the next turn after a million.

use crate::budget::{Budget, Round};
use crate::domain::{DomainName, Domains, HeapDomain, Outcome, Shapes};
use crate::shape::Shape;
use std::ops::ControlFlow;
use std::sync::Arc;
use trifold_fixpoint::{IdVec, LocationId, Solution, SolverOptions, Statistics, StopReason};
use trifold_heap_tvl::{NamedRoles, Options, Precision, StructureReport, check};
use trifold_ir::{Edge, ProcId, Program, Statement};
use trifold_logic::Predicate;
use trifold_pictures::{ABSENT, add_scopes, heap, predicates, summaries};
use trifold_structure::Structure;
use trifold_tvl::{Engine, Limits, Watcher};

/// How far a round goes.
struct Reach {
    /// At most so many structures.
    structures: usize,
    /// And so much [work](trifold_work): if structures are large, or steps are long, that is less.
    work: u64,
}

/// A first look takes about as long as it does in the domain of separation logic, and so does the next round.
const LOOK: Reach = Reach { structures: 40_000, work: 1_000_000_000 };
const FURTHER: Reach = Reach { structures: 1_000_000, work: 10_000_000_000 };
const WHOLE: Reach = Reach { structures: usize::MAX, work: 30_000_000_000 };

/// Structures over predicates that are chosen for the program.
#[derive(Clone, Debug)]
pub struct ThreeValued {
    /// At most so many structures.
    pub max_structures: Option<usize>,
    /// Threads to compute with; the result does not depend on it.
    pub threads: usize,
    /// Is a lost object something to be found?
    pub leaks: bool,
    /// How much is tracked from the beginning.
    pub precision: Precision,
    /// Roles of links that are not to be chosen.
    pub roles: NamedRoles,
    /// Keep the shapes of all points?
    pub keep_shapes: bool,
    /// Keep the outputs of procedures for their inputs?
    pub keep_summaries: bool,
}

impl HeapDomain for ThreeValued {
    fn name(&self) -> DomainName {
        DomainName::ThreeValued
    }

    fn rounds(&self) -> &'static [Round] {
        &[Round::Whole]
    }

    fn check(&self, program: &Arc<Program>, entry: ProcId, budget: &Budget) -> Outcome {
        let program = &with_doubts(program);
        let reach = match budget.round() {
            Round::Look => LOOK,
            Round::Further => FURTHER,
            Round::Whole | Round::LastResort => WHOLE,
        };
        let most = self.max_structures.unwrap_or(usize::MAX).min(reach.structures);
        let options = Options {
            limits: Limits { structures: Some(most), messages: None },
            solver: SolverOptions {
                threads: self.threads,
                work: budget.work(reach.work),
                bytes: budget.bytes(),
                ..SolverOptions::default()
            },
            leaks: self.leaks,
            precision: self.precision,
            roles: self.roles.clone(),
            ..Options::default()
        };
        let procedures: Vec<ProcId> = program.procedure_ids().collect();
        let mut watch = Watch { program, budget, procedures, parts: IdVec::default() };
        self.outcome(&check(program, entry, &options, &mut watch))
    }
}

impl ThreeValued {
    fn outcome(&self, report: &StructureReport) -> Outcome {
        let specification = &report.lowered.specification;
        let shape = |structure: Arc<Structure>| Shape::Structure(structure, specification.clone());
        let solution = &report.analysis.solution;
        let count = |location: LocationId| solution.stores_of(location).map(|store| store.count()).sum();
        let drawn = |structure: &Structure| heap(structure, &specification.vocabulary);
        Outcome {
            domains: Domains([DomainName::ThreeValued].into()),
            why: None,
            findings: report.findings.iter().cloned().map(|finding| finding.map(&shape)).collect(),
            procedures: report.lowered.procedures.clone(),
            unanalysed: report.unanalysed(),
            stop: report.stop,
            cut_short: report.cut_short,
            points: report.lowered.points.iter().map(|(point, at)| (*point, count(*at))).collect(),
            forgotten: report.lowered.forgotten(),
            explanation: report.families.explain(),
            summaries: match self.keep_summaries {
                true => summaries(specification, solution, &drawn),
                false => Vec::new(),
            },
            shapes: self.keep_shapes.then(|| shapes(report)),
            precision: Some(report.lowered.precision),
            counts_lengths: false,
        }
    }
}

/// The program in which an asserted checker may also not return. On a cycle it never does, and then the assertion would
/// never fail, although the memory is not of the asserted shape.
fn with_doubts(program: &Arc<Program>) -> Arc<Program> {
    let mut doubted = program.clone();
    for (procedure, number) in trifold_heap_sl::assertions(program).into_keys() {
        let Edge { from, to, ref statement, span } = program[procedure].edges[number];
        let Statement::Call { targets, .. } = statement else { continue };
        let name = targets.first().map_or("", |target| program[*target].name.as_str());
        let text = format!("an assertion of `{name}`, which may not return");
        let doubt = Edge { from, to, statement: Statement::Unsupported { text }, span };
        Arc::make_mut(&mut doubted)[procedure].edges.push(doubt);
    }
    doubted
}

/// The structures of all points; at first a reader sees variables, fields, and freed pointers.
fn shapes(report: &StructureReport) -> Shapes {
    let lowered = &report.lowered;
    let is_shown = |predicate: &Predicate| {
        let is_core = predicate.definition.is_none();
        is_core && (predicate.pointer || predicate.arity == 2 || predicate.name.starts_with("freed["))
    };
    let at = |location: LocationId| {
        let structures = report.analysis.solution.stores_of(location).flat_map(|store| store.iter());
        let shape =
            |structure: &Structure| Shape::Structure(Arc::new(structure.clone()), lowered.specification.clone());
        structures.map(shape).collect()
    };
    let mut predicates = predicates(&lowered.specification.vocabulary, &is_shown);
    add_scopes(&mut predicates, &lowered.program);
    let points = lowered.points.iter().map(|(point, location)| (*point, at(*location))).collect();
    Shapes { points, predicates, absent: Some(ABSENT), program: Arc::new(lowered.program.clone()) }
}

/// Tells the budget of every step.
struct Watch<'a> {
    program: &'a Program,
    budget: &'a Budget,
    procedures: Vec<ProcId>,
    /// The procedures of locations, by number.
    parts: IdVec<LocationId, usize>,
}

impl Watcher for Watch<'_> {
    fn begins(&mut self, parts: IdVec<LocationId, usize>) {
        self.parts = parts;
    }

    fn progress(&mut self, statistics: &Statistics, solution: &Solution<Engine>) -> ControlFlow<StopReason> {
        let point = &solution.points[statistics.at];
        let procedure = self.procedures[self.parts[point.location]];
        self.budget.step(procedure, &|| {
            let name = &self.program[procedure].name;
            format!("in {name}, {} structures, {} locations waiting", statistics.created, statistics.waiting)
        })
    }
}

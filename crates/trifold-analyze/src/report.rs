//! The result of an analysis for programs: ready to be serialised as JSON.

use crate::diagnostics::MessageRuns;
use crate::locations::{is_saved, printed, structures_at};
use crate::proofs::Proof;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use trifold_fixpoint::{EdgeId, IdVec, LocationId, ProcedureId, StopReason};
use trifold_ir::Verdict;
use trifold_structure::Structure;
use trifold_symbolic::StepsCost;
use trifold_tvl::{Analysis, Engine, FiredMessage, MessageKind, Specification};
use trifold_tvp::write_structure;

/// The version of the format; it changes when a field changes its meaning or goes away.
const VERSION: u32 = 2;

/// The report of an analysis.
#[derive(Serialize, Debug)]
pub struct AnalysisReport {
    /// The version of the format.
    pub version: u32,
    /// The program.
    pub program: String,
    /// The file of input structures.
    pub input: String,
    /// The verdict.
    #[serde(serialize_with = "verdict_name")]
    pub verdict: Verdict,
    /// Why the analysis ended.
    #[serde(serialize_with = "stop_name")]
    pub stop: StopReason,
    /// How many structures there are.
    pub structures: Structures,
    /// The locations to show.
    pub locations: Vec<Location>,
    /// The procedures of a program that has some.
    pub procedures: Vec<Procedure>,
    /// Variables that are forgotten where no later step reads them.
    pub dead: Dead,
    /// The results of the formulas that were to be proved.
    pub proofs: Vec<Proof>,
    /// Updates that contradict the rules.
    pub contradictions: Vec<Contradiction>,
    /// Edges and rules for which an update seemed infeasible without evidence of a contradiction.
    pub unexplained_breaches: usize,
    /// Focus formulas that stayed 1/2 on some structure.
    pub unfocusable: usize,
    /// Steps by best transformers.
    pub precise_steps: PreciseSteps,
    /// How long it took.
    pub time: Time,
}

/// Steps by best transformers.
#[derive(Serialize, Debug)]
pub struct PreciseSteps {
    /// Steps that were decided.
    pub taken: usize,
    /// Steps that were left to focus, coerce and update, because the solver was undecided.
    pub undecided: usize,
    /// The number of questions to the solver.
    pub queries: usize,
}

/// Variables that are forgotten.
#[derive(Serialize, Debug)]
pub struct Dead {
    /// How many predicates are forgotten somewhere.
    pub predicates: usize,
    /// At how many locations something is forgotten.
    pub locations: usize,
}

impl Dead {
    fn new(engine: &Engine) -> Dead {
        let all = engine.specification().cfg.locations.ids().map(|location| engine.dead(location));
        let forgotten: BTreeSet<_> = all.clone().flatten().collect();
        Dead { predicates: forgotten.len(), locations: all.filter(|dead| !dead.is_empty()).count() }
    }
}

/// Numbers of structures.
#[derive(Serialize, Debug)]
pub struct Structures {
    /// Those that inputs and steps produced.
    pub created: usize,
    /// Those that locations keep.
    pub saved: usize,
    /// The most at one location.
    pub max_per_location: usize,
}

/// A location.
#[derive(Serialize, Debug)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// The structures there.
    pub structures: usize,
    /// Does the location keep its structures? If not, their number is 0.
    pub saved: bool,
    /// Messages that may fire there.
    pub messages: Vec<Message>,
    /// The texts of properties that hold wherever they were evaluated.
    pub confirmed: Vec<String>,
}

/// A procedure.
#[derive(Serialize, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Of its messages; the whole analysis is partial, or it is not.
    #[serde(serialize_with = "verdict_name")]
    pub verdict: Verdict,
    /// For how many inputs it was analysed.
    pub inputs: usize,
    /// Structures at all of its locations.
    pub structures: usize,
    /// Messages that may fire in it.
    pub messages: usize,
    /// How long the analysis was at its locations, where nothing else is counted.
    pub time_s: f64,
}

/// Why a message is reported.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Its condition may hold.
    Alarm,
    /// It is a property, marked `1:` or `0:`, and its condition may have another value.
    PropertyFailed,
}

/// The certainty of a message.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// There is a run in which it fires.
    Bug,
    /// It may fire.
    MayFail,
}

/// A run in which a message fires.
#[derive(Serialize, Debug)]
pub struct Run {
    /// The store from which it starts, in TVS.
    pub input: String,
    /// The titles of the actions that it takes.
    pub actions: Vec<String>,
    /// The store on which the last action, that of the message, is carried out, in TVS.
    pub store: String,
}

/// A message that may fire.
#[derive(Serialize, Debug)]
pub struct Message {
    /// Why it is reported.
    pub kind: Kind,
    /// How certain it is.
    pub verdict: Certainty,
    /// Its text.
    pub text: String,
    /// Does it fire on all stores of some structure?
    pub definite: bool,
    /// The title of its action.
    pub action: String,
    /// The titles of the actions that lead to the location.
    pub trace: Vec<String>,
    /// Only of a bug.
    pub run: Option<Run>,
}

/// An update that contradicts the rules.
#[derive(Serialize, Debug)]
pub struct Contradiction {
    /// Where.
    pub location: String,
    /// The title of the action.
    pub action: String,
    /// The rule that is breached.
    pub constraint: String,
}

/// Times in seconds.
#[derive(Serialize, Debug)]
pub struct Time {
    /// Loading.
    pub load_s: f64,
    /// The analysis.
    pub analysis_s: f64,
}

/// The name of a verdict. An analysis that has not come to its end is partial.
pub fn name(verdict: Verdict) -> &'static str {
    if verdict == Verdict::NotAnalysed { "partial" } else { verdict.name() }
}

fn verdict_name<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name(*verdict))
}

fn stop_name<S: Serializer>(stop: &StopReason, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(stop.name())
}

/// A result that is not complete is partial, with any findings so far.
fn verdict(analysis: &Analysis, witnesses: &MessageRuns) -> Verdict {
    match analysis.stop {
        // A run of a specification that contradicts itself says little.
        StopReason::Fixpoint if !witnesses.is_empty() && analysis.contradictions.is_empty() => Verdict::Bug,
        StopReason::Fixpoint if !analysis.findings.is_empty() || !analysis.contradictions.is_empty() => {
            Verdict::MayFail
        }
        // Nothing is known about the stores that an input was meant to represent, if it represents none.
        StopReason::Fixpoint if !analysis.infeasible_inputs.is_empty() => Verdict::NotReached,
        StopReason::Fixpoint => Verdict::Proved,
        _ => Verdict::NotAnalysed,
    }
}

impl AnalysisReport {
    /// The report of an analysis.
    pub fn new(
        program: &str,
        input: &str,
        engine: &Engine,
        analysis: &Analysis,
        witnesses: &MessageRuns,
        precise: Option<StepsCost>,
        time: Time,
    ) -> AnalysisReport {
        let StepsCost { steps, undecided, queries } = precise.unwrap_or_default();
        let specification = engine.specification();
        let count = |location| structures_at(&analysis.solution, location).len();
        let counts: IdVec<LocationId, usize> = specification.cfg.locations.ids().map(count).collect();
        AnalysisReport {
            version: VERSION,
            program: program.to_string(),
            input: input.to_string(),
            verdict: verdict(analysis, witnesses),
            stop: analysis.stop,
            structures: Structures {
                created: analysis.solution.statistics.created,
                saved: counts.iter().sum(),
                max_per_location: counts.iter().copied().max().unwrap_or(0),
            },
            locations: locations(specification, analysis, witnesses, &counts),
            procedures: procedures(specification, analysis, witnesses),
            dead: Dead::new(engine),
            proofs: Vec::new(),
            contradictions: contradictions(engine, analysis),
            unexplained_breaches: analysis.unexplained.len(),
            unfocusable: analysis.unfocusable.len(),
            precise_steps: PreciseSteps { taken: steps, undecided, queries },
            time,
        }
    }

    /// The report with how long the analysis was in each procedure.
    pub fn with_times(mut self, times: &BTreeMap<usize, Duration>) -> AnalysisReport {
        for (number, procedure) in self.procedures.iter_mut().enumerate() {
            procedure.time_s = times.get(&number).map_or(0.0, Duration::as_secs_f64);
        }
        self
    }

    /// The report with the results of the formulas that were to be proved.
    pub fn with_proofs(self, proofs: Vec<Proof>) -> AnalysisReport {
        let verdict = match self.verdict {
            Verdict::Proved if !proofs.iter().all(Proof::is_proved) => Verdict::MayFail,
            verdict => verdict,
        };
        AnalysisReport { verdict, proofs, ..self }
    }
}

fn locations(
    specification: &Specification,
    analysis: &Analysis,
    witnesses: &MessageRuns,
    counts: &IdVec<LocationId, usize>,
) -> Vec<Location> {
    printed(specification, &analysis.findings)
        .into_iter()
        .map(|location| Location {
            name: specification.cfg.locations[location].clone(),
            structures: counts[location],
            saved: is_saved(&analysis.solution, location),
            messages: messages(specification, analysis, witnesses, location),
            confirmed: confirmed(specification, analysis, location),
        })
        .collect()
}

fn procedures(specification: &Specification, analysis: &Analysis, witnesses: &MessageRuns) -> Vec<Procedure> {
    let solution = &analysis.solution;
    let inputs = |id: ProcedureId| {
        let contexts = solution.contexts.iter().filter(|context| context.procedure == id);
        contexts.map(|context| solution.stores[context.entry].count()).sum()
    };
    let is_own = |location: LocationId, id: ProcedureId| {
        let mut points = solution.points_of(location);
        points.any(|point| solution.contexts[solution.points[point].context].procedure == id)
    };
    let procedure = |(id, procedure): (ProcedureId, &trifold_tvl::Procedure)| {
        let own = || specification.cfg.locations.ids().filter(|location| is_own(*location, id));
        let found: Vec<&FiredMessage> = analysis.findings.iter().filter(|f| is_own(f.location, id)).collect();
        Procedure {
            name: procedure.name.clone(),
            verdict: match () {
                _ if found.iter().any(|f| witnesses.contains_key(&(f.edge, f.message))) => Verdict::Bug,
                // Where stores get lost, nothing is proved of any procedure.
                _ if !found.is_empty() || !analysis.contradictions.is_empty() => Verdict::MayFail,
                _ if analysis.stop != StopReason::Fixpoint => Verdict::NotAnalysed,
                _ if inputs(id) == 0 => Verdict::NotReached,
                _ => Verdict::Proved,
            },
            inputs: inputs(id),
            structures: own().map(|location| structures_at(solution, location).len()).sum(),
            messages: found.len(),
            time_s: 0.0,
        }
    };
    specification.cfg.procedures.enumerate().map(procedure).collect()
}

fn messages(
    specification: &Specification,
    analysis: &Analysis,
    witnesses: &MessageRuns,
    location: LocationId,
) -> Vec<Message> {
    let at_location = analysis.findings.iter().filter(|finding| finding.location == location);
    at_location
        .map(|finding| {
            let title = |edge: EdgeId| specification.title(edge).to_string();
            let message = specification.message(finding.edge, finding.message);
            let show = |store: &Structure| write_structure(store, &specification.vocabulary);
            let run = witnesses.get(&(finding.edge, finding.message)).map(|witness| Run {
                input: show(&witness.input),
                actions: witness.edges.iter().map(|edge| title(*edge)).collect(),
                store: show(&witness.store),
            });
            Message {
                verdict: if run.is_some() { Certainty::Bug } else { Certainty::MayFail },
                kind: match message.kind {
                    MessageKind::Alarm => Kind::Alarm,
                    MessageKind::Property(_) => Kind::PropertyFailed,
                },
                text: message.text.clone(),
                definite: finding.definite,
                action: title(finding.edge),
                trace: finding.trace.iter().map(|step| title(step.edge)).collect(),
                run,
            }
        })
        .collect()
}

fn confirmed(specification: &Specification, analysis: &Analysis, location: LocationId) -> Vec<String> {
    let edges = &specification.cfg.edges;
    let at_location = analysis.confirmed.iter().filter(|(edge, _)| edges[*edge].source == location);
    at_location.map(|(edge, message)| specification.message(*edge, *message).text.clone()).collect()
}

fn contradictions(engine: &Engine, analysis: &Analysis) -> Vec<Contradiction> {
    let specification = engine.specification();
    let entry = |contradiction: &trifold_tvl::Contradiction| {
        let edge = &specification.cfg.edges[contradiction.edge];
        Contradiction {
            location: specification.cfg.locations[edge.source].clone(),
            action: specification.title(contradiction.edge).to_string(),
            constraint: engine.laws().rules()[contradiction.infeasible.rule].show(&specification.vocabulary),
        }
    };
    analysis.contradictions.iter().map(entry).collect()
}

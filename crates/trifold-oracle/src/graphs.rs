//! The separation-logic domain before the oracle: for each state there must be an unfolding of a shape graph, and a
//! valuation, that is the state.

use crate::oracle::{Abstraction, At, Effort, Ending, Judgement, Silence, Tally, Visit, has_calls, judge};
use crate::{kinds, parse};
use std::borrow::Cow;
use std::collections::BTreeSet;
use trifold_heap_sl::{
    Definitions, Grain, GraphReport, Judge, Layouts, Membership, Options, ShapeGraph, StopReason, Top, check,
    show_graph,
};
use trifold_ir::{Finding, FindingKind, Incident, ProcId, Program, State, Status, Value, print, show_statement};

/// The result of a check.
#[derive(Debug)]
pub struct Graphs<'a> {
    program: &'a Program,
    entry: ProcId,
    report: &'a GraphReport,
    /// How many procedures were analysed: of others nothing is known.
    procedures: usize,
    keeps_dead: bool,
    /// Are lost objects no findings, and forgotten at once?
    collects: bool,
    layouts: Layouts,
    definitions: Definitions,
}

impl<'a> Graphs<'a> {
    /// For a report about a program.
    pub fn new(program: &'a Program, entry: ProcId, report: &'a GraphReport) -> Graphs<'a> {
        let layouts = Layouts::new(program);
        let definitions = Definitions::of(program, &layouts);
        let procedures = program.procedures.len();
        Graphs { program, entry, report, procedures, keeps_dead: false, collects: false, layouts, definitions }
    }

    /// The same, if variables kept their values where they are not read any more.
    pub fn keeping_dead(self, keeps_dead: bool) -> Graphs<'a> {
        Graphs { keeps_dead, ..self }
    }

    /// The same, if lost objects were collected.
    pub fn collecting(self, collects: bool) -> Graphs<'a> {
        Graphs { collects, ..self }
    }

    /// The same, if only the first procedures of the program were known to the analysis.
    pub fn of_procedures(self, procedures: usize) -> Graphs<'a> {
        Graphs { procedures, ..self }
    }

    /// The edges of some findings.
    fn edges(&self, is_wanted: impl Fn(&Finding<ShapeGraph>) -> bool) -> BTreeSet<At> {
        self.report.findings.iter().filter(|finding| is_wanted(finding)).map(|finding| finding.place.at()).collect()
    }

    /// The reason why the analysis does not speak of a state, if it does not.
    fn silence(&self, visit: &Visit<'_>) -> Option<Silence> {
        let mut called = visit.state.frames.iter().map(|frame| frame.procedure);
        if called.clone().any(|procedure| procedure.index() >= self.procedures) {
            Some(Silence::NotKnown)
        } else if called.any(|procedure| self.definitions.known.contains_key(&procedure)) {
            Some(Silence::NotFollowed)
        } else {
            None
        }
    }
}

impl Abstraction for Graphs<'_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn entry(&self) -> ProcId {
        self.entry
    }

    fn ending(&self) -> Ending {
        match self.report.stop {
            StopReason::Fixpoint => Ending::Fixpoint,
            stopped => Ending::Stopped(stopped),
        }
    }

    fn findings(&self) -> Vec<(FindingKind, At)> {
        self.report.findings.iter().map(|finding| (finding.kind, finding.place.at())).collect()
    }

    fn ends(&self) -> BTreeSet<At> {
        &self.blind() - &self.edges(|finding| finding.goes_on)
    }

    /// Where a statement is not analysed but the analysis goes on, states are represented still; only incidents in ⊤
    /// are not reported.
    fn blind(&self) -> BTreeSet<At> {
        self.edges(|finding| finding.kind == FindingKind::NotAnalysed)
    }

    fn loses_early(&self) -> bool {
        !self.keeps_dead || has_calls(self.program, &self.report.procedures)
    }

    fn represents(&self, visit: &Visit<'_>) -> Judgement {
        if let Some(silence) = self.silence(visit) {
            return Judgement::Silent(silence);
        }
        let Some(graphs) = self.report.graphs.get(&visit.point) else {
            return Judgement::Missed("the point has no location".to_string());
        };
        let state = match self.program[visit.point.procedure].exit == visit.point.node {
            true => Cow::Owned(returned(self.program, visit.state)),
            false => Cow::Borrowed(visit.state),
        };
        // Objects that are taken for lost are no longer in the graphs.
        let has_all = !visit.has_lost && !self.collects;
        let judge = Judge::new(self.program, &self.layouts, &state, has_all, visit.before_call);
        let mut found = Membership::No;
        for graph in graphs {
            found = found.max(judge.represents(graph));
            if found == Membership::Yes {
                return Judgement::Represented;
            }
        }
        if found == Membership::GivenUp {
            return Judgement::GivenUp;
        }
        let shown: Vec<String> = graphs.iter().map(|graph| show_graph(graph, self.program)).collect();
        Judgement::Missed(format!("{:#?}\nfound:\n{}", state, shown.join("\n")))
    }

    fn excuse(&self, incident: &Incident) -> Option<Silence> {
        // A part of which one run knows nothing may have been joined with one that another knows.
        let mut graphs = self.report.graphs.get(&incident.point).into_iter().flatten();
        let is_joined = graphs.any(|graph| graph.top != Top::Nothing);
        let at = (incident.point.procedure, incident.edge);
        let is_collected = self.collects && incident.kind == FindingKind::Leak;
        (is_joined || is_collected || self.blind().contains(&at)).then_some(Silence::Unknown)
    }
}

/// A state at the exit as it is to the analysis: of the frame nothing is left but the result, which an entry does not
/// have, and its objects on the stack are dead. To the interpreter that is so when the procedure has been left.
fn returned(program: &Program, state: &State) -> State {
    let mut state = state.clone();
    let is_entry = state.frames.len() == 1;
    let Some(frame) = state.frames.last_mut() else { return state };
    let result = program[frame.procedure].result.filter(|_| !is_entry);
    frame.values.retain(|variable, _| Some(*variable) == result);
    let mut dying = std::mem::take(&mut frame.owned);
    while let Some(id) = dying.pop() {
        let object = &mut state.objects[id.index()];
        let fields = program[object.structure].fields.iter().zip(&object.fields);
        let parts = fields.filter(|(field, _)| program[**field].embedded);
        dying.extend(parts.filter_map(|(_, value)| value.referent()));
        object.status = Status::Dead;
        object.fields.fill(Value::Uninitialised);
    }
    state
}

/// Checks a program with each grain, and judges the results.
pub fn judge_text(text: &str, effort: &Effort) -> Result<Tally, String> {
    let program = parse(text);
    let entry = program.entry.expect("an entry");
    let mut tally = Tally::default();
    use Grain::*;
    for grain in [Coarse, Returned, Data, Related, CountedWithin, Counted, Fine, Exact, Lossy] {
        // Some keep dead values.
        let keeps_dead = text.len().is_multiple_of(3);
        // And some are of a language in which garbage is collected.
        let collects = text.len().is_multiple_of(4);
        let options = Options { leaks: !collects, ..options(grain, keeps_dead) };
        let report = check(&program, entry, &options, &mut || true);
        let graphs = Graphs::new(&program, entry, &report).keeping_dead(keeps_dead).collecting(collects);
        let judged = judge(&graphs, effort);
        tally += judged.map_err(|wrong| format!("{text}\n{grain:?}: {wrong}\n{}", print(&program)))?;
    }
    Ok(tally)
}

/// Random programs have more shapes than sensible ones.
pub fn options(grain: Grain, keep_dead: bool) -> Options {
    Options { max_work: 1_200_000_000, max_graphs: 60, grain: Some(grain), keep_dead, ..Options::default() }
}

/// Judges a report about a program whose analysis must have come to an end.
#[track_caller]
pub fn assert_judged(program: &Program, report: &GraphReport, effort: &Effort) {
    let graphs = Graphs::new(program, program.entry.expect("an entry"), report);
    judge(&graphs, effort).unwrap_or_else(|wrong| panic!("{wrong}\n{}", print(program))).expect(100, 1);
}

/// Checks a program, whose kinds of findings must be exactly these, and judges it.
#[track_caller]
pub fn expect(text: &str, expected: &[FindingKind]) -> GraphReport {
    let program = parse(text);
    let report = check(&program, program.entry.expect("an entry"), &Options::default(), &mut || true);
    println!("{} steps", report.steps);
    assert_judged(&program, &report, &Effort::small(40, 300));
    let found = kinds(report.findings.iter().map(|finding| finding.kind));
    assert_eq!(found, kinds(expected.iter().copied()), "{}", show_findings(&program, &report));
    report
}

/// The findings, with the graphs on which they were seen.
fn show_findings(program: &Program, report: &GraphReport) -> String {
    let shown = report.findings.iter().map(|finding| {
        let (procedure, edge) = finding.place.at();
        let statement = show_statement(program, &program[procedure].edges[edge].statement);
        format!("{} at {statement}: {}\n{}", finding.kind, finding.text, show_graph(&finding.state, program))
    });
    shown.collect::<Vec<_>>().join("\n")
}

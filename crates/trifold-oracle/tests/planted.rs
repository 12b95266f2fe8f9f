//! The oracle catches defects that are planted in analyses: a wrong rule, a wrong action, a lost structure, graph or
//! finding. For example, under the rule that lists have one element, states with two elements are missed.

use std::sync::Arc;
use trifold_heap_tvl::StructureReport;
use trifold_ir::{FindingKind, NodeId, Point};
use trifold_logic::{Formula, Var};
use trifold_oracle::graphs::{self, Graphs};
use trifold_oracle::oracle::{Effort, Tally, Wrong, judge};
use trifold_oracle::parse;
use trifold_oracle::structures::{self, Structures};
use trifold_tvl::{Constraint, Engine, Head, Input, Limits, Origin, Specification, StopReason, analyze};

const EFFORT: Effort = Effort::small(20, 100);

/// A list is made and walked along, and lost at the end.
const LIST: &str = "struct node { node *next; }
    entry proc main() { node *x; node *y; node *t; x = null;
        while (*) { t = new node; t->next = x; x = t; }
        y = x; while (y != null) { y = y->next; } if (x != null) { y = x->next; } }";

fn report() -> StructureReport {
    structures::expect(LIST, &[FindingKind::Leak])
}

fn judged(report: &StructureReport) -> Result<Tally, Wrong> {
    judge(&Structures::new(report), &EFFORT)
}

/// The result of the analysis of another specification.
fn analysed(mut report: StructureReport, plant: impl FnOnce(&mut Specification)) -> StructureReport {
    let mut specification = (*report.lowered.specification).clone();
    plant(&mut specification);
    report.engine = Engine::new(Arc::new(specification), report.engine.options());
    let inputs = [Input::from(report.lowered.initial.clone())];
    report.analysis = analyze(&report.engine, &inputs, &Default::default(), Limits::default(), &mut ());
    report
}

#[track_caller]
fn assert_caught(judged: Result<Tally, Wrong>, words: &str) {
    let problem = judged.expect_err("something is wrong").to_string();
    assert!(problem.contains(words), "{problem}");
}

#[test]
fn nothing_is_planted() {
    assert!(judged(&report()).is_ok_and(|tally| tally.states > 20 && tally.incidents > 0));
    assert!(judged(&analysed(report(), |_| {})).is_ok_and(|tally| tally.states > 20));
}

/// "Nothing comes after the first element", which coerce takes for granted.
#[test]
fn a_wrong_rule_is_caught() {
    let planted = analysed(report(), |specification| {
        let predicate = |name: &str| specification.vocabulary.lookup(name).expect("a predicate");
        let (v, w) = (Var::new("v"), Var::new("w"));
        let first = Formula::atom(predicate("x"), [v.clone()]);
        let body = Formula::and([first, Formula::atom(predicate("next"), [v, w])]);
        specification.rules.push(Constraint { body, head: Head::False, origin: Origin::default() });
    });
    assert_caught(judged(&planted), "the analysis contradicts itself");
    // Nor does it help the analysis to keep that to itself.
    let mut silent = planted;
    silent.analysis.contradictions.clear();
    assert_caught(judged(&silent), "a state is missed");
}

#[test]
fn a_wrong_action_is_caught() {
    let planted = analysed(report(), |specification| {
        let assignment = specification.actions.iter_mut().find(|action| action.title == "x = t").expect("it is there");
        assignment.updates.clear();
    });
    assert_caught(judged(&planted), "a state is missed");
}

#[test]
fn a_missing_point_is_caught() {
    let mut planted = report();
    let entry = planted.lowered.program.entry.expect("an entry");
    let point = Point { procedure: entry, node: planted.lowered.program[entry].exit };
    planted.lowered.points.remove(&point).expect("it was there");
    assert_caught(judged(&planted), "the point has no location");
}

#[test]
fn missing_structures_are_caught() {
    let mut planted = report();
    for point in planted.analysis.solution.stores.ids() {
        let location = planted.analysis.solution.points[point].location;
        let taken = std::mem::take(&mut planted.analysis.solution.stores[point]);
        let is_visited = planted.lowered.points.values().any(|known| *known == location);
        assert_eq!(judged(&planted).is_err(), is_visited && taken.iter().len() > 0, "{location:?}");
        planted.analysis.solution.stores[point] = taken;
    }
}

#[test]
fn a_missing_finding_is_caught() {
    let mut planted = report();
    planted.findings.clear();
    assert_caught(judged(&planted), "is not reported");
}

#[test]
fn an_analysis_that_was_stopped_is_counted() {
    let mut stopped = report();
    stopped.stop = StopReason::StructureLimit;
    let tally = judged(&stopped).expect("it promises nothing");
    assert_eq!((tally.judged, tally.skipped(), tally.runs), (0, 1, 0));
    assert!(std::panic::catch_unwind(|| tally.expect(1, 0)).is_err());
}

#[test]
fn missing_graphs_and_findings_are_caught() {
    let program = parse(LIST);
    let entry = program.entry.expect("an entry");
    let report = graphs::expect(LIST, &[FindingKind::Leak]);
    let judged = |report: &trifold_heap_sl::GraphReport| judge(&Graphs::new(&program, entry, report), &EFFORT);
    assert!(judged(&report).is_ok_and(|tally| tally.states > 20 && tally.incidents > 0));
    let mut planted = report.clone();
    planted.findings.clear();
    assert_caught(judged(&planted), "is not reported");
    for (point, graphs) in report.graphs.iter().filter(|(_, graphs)| !graphs.is_empty()) {
        let mut planted = report.clone();
        planted.graphs.insert(*point, graphs[1..].to_vec());
        assert_caught(judged(&planted), "a state is missed");
        planted.graphs.remove(point);
        assert_caught(judged(&planted), "the point has no location");
    }
    assert!(report.graphs.contains_key(&Point { procedure: entry, node: NodeId::from_index(0) }));
}

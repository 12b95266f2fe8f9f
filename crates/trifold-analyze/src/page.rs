//! The page of an analysis of a TVP program: its control-flow graph, the structures of its locations, and messages with
//! their traces.

use crate::diagnostics::MessageRuns;
use crate::locations::{is_saved, structures_at};
use crate::report::{AnalysisReport, name};
use std::collections::BTreeSet;
use trifold_fixpoint::{EdgeId, FlowStep, LocationId, depth_first};
use trifold_pictures::{
    ABSENT, MAX_PICTURES, MAX_STEPS, most_per_point, picture, predicates, program_flow, shown, traced,
};
use trifold_report::page::{FilePage, FindingEntry, PointEntry, StepEntry};
use trifold_report::{Cfg, Page, Picture, SheetOptions};
use trifold_structure::Structure;
use trifold_tvl::{Analysis, Engine, FiredMessage, MessageKind, Specification};

/// The page of an analysis.
pub fn analysis_page(
    engine: &Engine,
    analysis: &Analysis,
    witnesses: &MessageRuns,
    report: &AnalysisReport,
    headline: &str,
    with_names: bool,
) -> Page {
    let vocabulary = &engine.specification().vocabulary;
    let predicates = predicates(vocabulary, &|predicate| predicate.definition.is_none());
    let shown = shown(&predicates);
    let mut builder = Builder { engine, analysis, witnesses, with_names, shown, page: Page::default() };
    let points = builder.points();
    let findings = analysis.findings.iter().map(|finding| builder.finding(finding)).collect();
    let mut graph = control_flow(engine.specification(), analysis, "");
    graph.title = None;
    for (number, location) in graph.locations.iter_mut().enumerate() {
        location.anchor = Some(format!("p{number}"));
    }
    let mut page = builder.page;
    page.files.push(FilePage {
        name: report.program.clone(),
        verdict: name(report.verdict).to_string(),
        headline: headline.to_string(),
        notes: std::iter::once(format!("from the structures of {}", report.input))
            .chain(report.proofs.iter().map(|proof| proof.shown()))
            .collect(),
        sources: Vec::new(),
        graph: Some(graph.to_svg(&SheetOptions { embed_style: false, ..SheetOptions::default() })),
        absent: Some(ABSENT.to_string()),
        predicates,
        points,
        findings,
    });
    page
}

struct Builder<'a> {
    engine: &'a Engine,
    analysis: &'a Analysis,
    witnesses: &'a MessageRuns,
    with_names: bool,
    shown: BTreeSet<String>,
    page: Page,
}

impl Builder<'_> {
    fn picture(&self, structure: &Structure) -> Picture {
        picture(structure, &self.engine.specification().vocabulary, "", self.with_names)
    }

    fn traced(&mut self, structure: &Structure) -> Option<usize> {
        let picture = self.picture(structure);
        traced(&mut self.page, &picture, &self.shown)
    }

    fn points(&mut self) -> Vec<PointEntry> {
        let cfg = &self.engine.specification().cfg;
        let mut successors = vec![Vec::new(); cfg.locations.len()];
        cfg.edges.iter().for_each(|edge| successors[edge.source.index()].push(edge.target.index()));
        let heads = depth_first(&successors, LocationId::ENTRY.index()).back_edge_targets;
        let all: Vec<Vec<&Structure>> =
            cfg.locations.ids().map(|location| structures_at(&self.analysis.solution, location)).collect();
        let counts: Vec<usize> = all.iter().map(Vec::len).collect();
        let most = most_per_point(&counts, MAX_PICTURES);
        let mut points = Vec::new();
        for ((name, head), structures) in cfg.locations.iter().zip(heads).zip(&all) {
            let kept = &structures[..structures.len().min(most)];
            let pictures: Vec<Picture> = kept.iter().map(|structure| self.picture(structure)).collect();
            points.push(PointEntry {
                label: name.clone(),
                head,
                pictures: pictures.iter().map(|picture| self.page.picture(picture, &self.shown)).collect(),
                left_out: structures.len() - kept.len(),
                ..PointEntry::default()
            });
        }
        points
    }

    fn title(&self, edge: EdgeId) -> String {
        self.engine.specification().title(edge).to_string()
    }

    fn finding(&mut self, finding: &FiredMessage) -> FindingEntry {
        let specification = self.engine.specification();
        let message = specification.message(finding.edge, finding.message);
        let witness = self.witnesses.get(&(finding.edge, finding.message));
        let skipped = finding.trace.len().saturating_sub(MAX_STEPS);
        let steps = finding.trace[skipped..].iter().map(|step| self.step(step)).collect();
        let run = witness.map(|witness| {
            let actions: Vec<String> = witness.edges.iter().map(|edge| self.title(*edge)).collect();
            match actions.is_empty() {
                true => "It happens in a run, at once.".to_string(),
                false => format!("It happens in a run: {}.", actions.join("; ")),
            }
        });
        FindingEntry {
            kind: match message.kind {
                MessageKind::Alarm => "message",
                MessageKind::Property(_) => "property",
            }
            .to_string(),
            verdict: if witness.is_some() { "bug" } else { "may-fail" }.to_string(),
            message: message.text.clone(),
            beyond: None,
            function: self.title(finding.edge),
            at: format!("at {}", specification.cfg.locations[finding.location]),
            place: None,
            point: Some(finding.location.index()),
            steps,
            before: self.traced(&finding.structure),
            concrete: witness.and_then(|witness| self.traced(&witness.store)),
            start: witness.filter(|w| !w.edges.is_empty()).and_then(|witness| self.traced(&witness.input)),
            run,
        }
    }

    fn step(&mut self, step: &FlowStep) -> StepEntry {
        let solution = &self.analysis.solution;
        let location = solution.points[step.point].location;
        let structure = step.state.map(|state| solution.stores[step.point].get(state));
        StepEntry {
            statement: self.title(step.edge),
            function: self.engine.specification().cfg.locations[location].clone(),
            place: None,
            point: Some(location.index()),
            picture: structure.and_then(|structure| self.traced(structure)),
        }
    }
}

/// The program with the number of structures at each location.
pub fn control_flow(specification: &Specification, analysis: &Analysis, title: &str) -> Cfg {
    let mut cfg = program_flow(specification, title);
    for (location, id) in cfg.locations.iter_mut().zip(specification.cfg.locations.ids()) {
        let structures = structures_at(&analysis.solution, id).len();
        location.note = is_saved(&analysis.solution, id).then(|| format!("{structures} structures"));
        location.flagged = analysis.findings.iter().any(|finding| finding.location == id);
    }
    cfg
}

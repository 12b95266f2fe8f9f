//! The page of a program in C or Java: its text, the shapes at its points, and findings with their traces.

use super::{MAX_PICTURES, MAX_STEPS, most_per_point, names_in, shown, traced};
use crate::check::{Analysed, FileReport, Finding, Found, Run, Witness, key, one_line};
use crate::source::{self, Translated};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Point, Program, Scope};
use trifold_report::page::{FilePage, FindingEntry, PointEntry, PredicateEntry, Sort, Source, StepEntry};
use trifold_report::{Page, Picture};
use trifold_source::Span;

/// What an analysis has to show.
#[derive(Clone, Default)]
pub struct View {
    pub predicates: Vec<PredicateEntry>,
    /// What it means that a variable has no arrow.
    pub absent: Option<&'static str>,
    pub points: Vec<(PointView, Vec<Picture>)>,
}

/// A program point.
#[derive(Clone)]
pub struct PointView {
    pub point: Point,
    /// The statement before which it is, or, at the end of a function, the last one.
    pub span: Option<Span>,
    pub is_end: bool,
    pub is_head: bool,
}

impl PointView {
    pub fn new(point: Point, program: &Program) -> PointView {
        let procedure = &program[point.procedure];
        let behind = procedure.edges.iter().find(|edge| edge.from == point.node);
        let before = || procedure.edges.iter().find(|edge| edge.to == point.node);
        let span = behind.or_else(before).map(|edge| edge.span);
        let is_head = procedure.nodes[point.node.index()].loop_head;
        PointView { point, span, is_end: behind.is_none(), is_head }
    }
}

/// Says which function the predicate of a variable belongs to. Where several have a variable of that name, the name of the function is
/// in front of it.
pub fn add_scopes(predicates: &mut [PredicateEntry], program: &Program) {
    for entry in predicates.iter_mut().filter(|entry| entry.sort == Sort::Pointer) {
        let owner = program.variables.iter().find_map(|variable| {
            let (Scope::Parameter(procedure) | Scope::Local(procedure)) = variable.scope else { return None };
            let function = &program[procedure].name;
            // What is no letter or digit is written as an underscore; such variables are not those of the source.
            let plain: String = variable.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
            let is_it = entry.name == plain || entry.name == format!("{function}_{plain}");
            is_it.then(|| if plain.starts_with('_') { String::new() } else { function.clone() })
        });
        entry.scope = owner;
    }
}

/// Statements in lists are cut behind so many characters.
const LONGEST_STATEMENT: usize = 200;

/// The predicates of heaps of runs, which are described by structures, whichever domain confirmed what.
pub fn names_in_runs<'a>(heaps: impl Iterator<Item = &'a Picture>) -> Vec<PredicateEntry> {
    let is_shown =
        |entry: &PredicateEntry| matches!(entry.sort, Sort::Pointer | Sort::Field) || entry.name.starts_with("freed[");
    names_in(heaps).into_iter().map(|entry| PredicateEntry { shown: is_shown(&entry), ..entry }).collect()
}

/// Adds the page of a file.
pub fn program_page(page: &mut Page, headline: String, translated: &Translated, runs: &[Run], report: &FileReport) {
    let mut predicates: BTreeMap<String, PredicateEntry> = BTreeMap::new();
    let mut order = Vec::new();
    let witnesses = runs.iter().flat_map(|run| run.witnesses.values());
    let concrete = names_in_runs(
        witnesses.flat_map(|witness| witness.heap.iter().chain(&witness.input)).map(|heap| &heap.picture),
    );
    for entry in views(runs).flat_map(|(_, view)| view.predicates.clone()).chain(concrete) {
        if !predicates.contains_key(&entry.name) {
            order.push(entry.name.clone());
            predicates.insert(entry.name.clone(), entry);
        }
    }
    let predicates: Vec<PredicateEntry> = order.iter().filter_map(|name| predicates.remove(name)).collect();
    let shown = shown(&predicates);
    let mut places = Places { translated, texts: Vec::new() };
    places.index(&report.file);
    let mut builder = Builder { page, places, shown, is_alone: runs.len() == 1 };
    let points = builder.points(runs);
    let findings = builder.findings(runs, report);
    let notes = report.domain_why.iter().chain(&report.assumptions).cloned();
    let unreached = (!report.unreached.is_empty())
        .then(|| format!("not reached, so nothing is known: {}", report.unreached.join(", ")));
    let sources = builder.places.texts;
    let file = FilePage {
        name: report.file.clone(),
        verdict: report.verdict.name().to_string(),
        headline,
        notes: notes.chain(report.stop.map(str::to_string)).chain(unreached).collect(),
        sources,
        graph: None,
        // If shape graphs are among them, no arrow can mean something else.
        absent: views(runs)
            .map(|(_, view)| view.absent)
            .reduce(|a, b| a.filter(|_| a == b))
            .flatten()
            .map(str::to_string),
        predicates,
        points,
        findings,
    };
    page.files.push(file);
}

/// What the analyses have to show.
pub fn views(runs: &[Run]) -> impl Iterator<Item = (&Run, &View)> {
    runs.iter().filter_map(|run| Some((run, run.outcome.as_ref().ok()?.view.as_ref()?)))
}

/// The source texts that are shown.
struct Places<'a> {
    translated: &'a Translated,
    texts: Vec<Source>,
}

impl Places<'_> {
    /// The number of a text, which is read if it is new.
    fn index(&mut self, path: &str) -> Option<usize> {
        if let Some(known) = self.texts.iter().position(|text| text.path == path) {
            return Some(known);
        }
        let text = source::text(path).ok()?;
        self.texts.push(Source { path: path.to_string(), text });
        Some(self.texts.len() - 1)
    }

    fn of(&mut self, span: Span) -> Option<(usize, usize)> {
        let (path, at) = self.translated.sources.locate(span);
        Some((self.index(path)?, at.line))
    }

    /// The text of a statement; where the preprocessor has changed it, the line as it is written.
    fn statement(&self, span: Span) -> String {
        let (path, at) = self.translated.sources.locate(span);
        let text = one_line(self.translated.sources.text(span));
        let written = self.texts.iter().find(|source| source.path == path);
        let mut lines = written.iter().flat_map(|source| source.text.lines()).skip(at.line.saturating_sub(1));
        let first = lines.next().map(str::trim).unwrap_or_default();
        let as_written =
            lines.take(LONGEST_STATEMENT / 10).fold(first.to_string(), |all, line| all + " " + line.trim());
        let is_there = one_line(&as_written).contains(&text);
        let text = if is_there || first.is_empty() { text } else { first.to_string() };
        match text.char_indices().nth(LONGEST_STATEMENT) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}

struct Builder<'a> {
    page: &'a mut Page,
    places: Places<'a>,
    shown: BTreeSet<String>,
    is_alone: bool,
}

impl Builder<'_> {
    fn points(&mut self, runs: &[Run]) -> Vec<PointEntry> {
        let all: Vec<(&Run, &PointView, &[Picture])> = views(runs)
            .flat_map(|(run, view)| view.points.iter().map(move |(point, pictures)| (run, point, &pictures[..])))
            .collect();
        let counts: Vec<usize> = all.iter().map(|(_, _, pictures)| pictures.len()).collect();
        let most = most_per_point(&counts, MAX_PICTURES.saturating_sub(self.page.len()));
        let mut entries = Vec::new();
        for (run, point, pictures) in all {
            let Some(span) = point.span else { continue };
            let Some(place) = self.places.of(span) else { continue };
            let statement = self.places.statement(span);
            let kept = &pictures[..pictures.len().min(most)];
            entries.push(PointEntry {
                label: if point.is_end { format!("the end, after {statement}") } else { statement },
                function: self.places.translated.program[point.point.procedure].name.clone(),
                root: (!self.is_alone).then(|| run.root.clone()),
                place: Some(place),
                head: point.is_head,
                pictures: kept.iter().map(|picture| self.page.picture(picture, &self.shown)).collect(),
                left_out: pictures.len() - kept.len(),
            });
        }
        entries.sort_by_key(|entry| entry.place);
        entries
    }

    /// The findings of the report, with what the analyses have to show of them.
    fn findings(&mut self, runs: &[Run], report: &FileReport) -> Vec<FindingEntry> {
        let functions = report.functions.iter();
        let all = functions.flat_map(|function| function.findings.iter().map(move |finding| (function, finding)));
        all.map(|(function, finding)| self.finding(&function.name, finding, runs)).collect()
    }

    fn finding(&mut self, function: &str, finding: &Finding, runs: &[Run]) -> FindingEntry {
        let translated = self.places.translated;
        let is_it = |kind: &str, span: Span| {
            let (path, at) = translated.sources.locate(span);
            (finding.kind, &finding.path[..], finding.line, finding.column) == (kind, path, at.line, at.column)
        };
        let analyses = || runs.iter().filter_map(|run| Some((run, run.outcome.as_ref().ok()?)));
        let has_it = |analysed: &Analysed| -> Option<Found> {
            analysed.findings.iter().find(|found| is_it(found.kind.name(), found.span)).cloned()
        };
        let found = analyses().find_map(|(_, analysed)| has_it(analysed));
        let of_found = |run: &'_ Run| -> bool { run.outcome.as_ref().is_ok_and(|analysed| has_it(analysed).is_some()) };
        let witness: Option<&Witness> = runs.iter().find_map(|run| {
            let confirmed = |found: &Found| run.witnesses.get(&key(found.kind, found.span, translated));
            match &found {
                Some(found) => confirmed(found).filter(|_| of_found(run)),
                None => run.witnesses.values().find(|w| is_it(w.finding.kind.name(), w.finding.span)),
            }
        });
        let steps = found.iter().flat_map(|found| &found.trace).collect::<Vec<_>>();
        let skipped = steps.len().saturating_sub(MAX_STEPS);
        let steps = steps[skipped..].iter().map(|step| StepEntry {
            place: self.places.of(step.span),
            statement: self.places.statement(step.span),
            function: translated.program[step.procedure].name.clone(),
            point: None,
            picture: step.picture.as_ref().and_then(|picture| traced(self.page, picture, &self.shown)),
        });
        let mut steps: Vec<StepEntry> = steps.collect();
        // A statement may take several steps; the last one says what it led to.
        let mut next = 0;
        let places: Vec<_> = steps.iter().map(|step| (step.place, step.statement.clone())).collect();
        steps.retain(|_| {
            next += 1;
            places.get(next) != Some(&places[next - 1])
        });
        let heap = witness.and_then(|witness| witness.heap.as_ref());
        FindingEntry {
            kind: finding.kind.to_string(),
            verdict: finding.verdict.name().to_string(),
            message: finding.message.clone(),
            beyond: finding.beyond().map(str::to_string),
            function: function.to_string(),
            at: format!("line {}", finding.line),
            place: self.places.index(&finding.path).map(|index| (index, finding.line)),
            point: None,
            steps,
            before: found
                .as_ref()
                .and_then(|found| found.picture.as_ref())
                .and_then(|picture| traced(self.page, picture, &self.shown)),
            concrete: heap.and_then(|heap| traced(self.page, &heap.picture, &self.shown)),
            start: witness
                .and_then(|witness| witness.input.as_ref())
                .and_then(|heap| traced(self.page, &heap.picture, &self.shown)),
            run: witness.map(|witness| format!("It happens in a run{}.", crate::check::choices(witness))),
        }
    }
}

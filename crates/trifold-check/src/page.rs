//! The page of a program in C or Java: its text, the shapes at its points, and findings with their traces.

use crate::budget::Host;
use crate::check::Checked;
use crate::domain::Shapes;
use crate::report::{EntryReport, Report, Reported, one_line};
use crate::shape::Shape;
use crate::source::Translated;
use crate::text::{choices, headline};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Point, Program, Verdict};
use trifold_pictures::{MAX_PICTURES, MAX_STEPS, most_per_point, names_in_runs, shown, traced};
use trifold_report::page::{FilePage, FindingEntry, PointEntry, PredicateEntry, Source, StepEntry};
use trifold_report::{Page, Picture};
use trifold_source::Span;

/// A program point as a reader sees it.
pub struct PointView {
    /// The statement before which it is, or, at the end of a function, the last one.
    pub span: Option<Span>,
    /// Is it the end of a function?
    pub is_end: bool,
    /// Is it the head of a loop?
    pub is_head: bool,
}

impl PointView {
    /// The view of a point.
    pub fn new(point: Point, program: &Program) -> PointView {
        let procedure = &program[point.procedure];
        let next = procedure.edges.iter().find(|edge| edge.from == point.node);
        let last = || procedure.edges.iter().find(|edge| edge.to == point.node);
        let span = next.or_else(last).map(|edge| edge.span);
        let is_head = procedure.nodes[point.node.index()].loop_head;
        PointView { span, is_end: next.is_none(), is_head }
    }
}

/// Statements in lists are cut after so many characters.
const LONGEST_STATEMENT: usize = 200;

/// Adds the page of a file.
pub fn add(page: &mut Page, checked: &Checked, host: &dyn Host) {
    let Checked { translated, analyses, report, .. } = checked;
    let predicates = chosen(analyses);
    let shown = shown(&predicates);
    let mut places = Places { translated, host, missed: missed(report, translated), texts: Vec::new() };
    for file in &report.files {
        places.index(file);
    }
    let mut builder = Builder { page, places, shown, is_alone: analyses.len() == 1 };
    let points = builder.points(analyses);
    let findings = report.findings().map(|(function, finding)| builder.finding(&function.name, finding)).collect();
    let notes = report.domain_why.iter().chain(&report.assumptions).cloned();
    let unreached = (!report.unreached.is_empty())
        .then(|| format!("not reached, so nothing is known: {}", report.unreached.join(", ")));
    let sources = builder.places.texts;
    // If shape graphs are among the pictures, a missing arrow can mean something else.
    let absent = shapes(analyses).map(|(_, shapes)| shapes.absent).reduce(|a, b| a.filter(|_| a == b)).flatten();
    page.files.push(FilePage {
        name: report.name.clone(),
        verdict: report.verdict.name().to_string(),
        headline: headline(report),
        notes: notes.chain(report.stop_notes()).chain(unreached).collect(),
        sources,
        graph: None,
        absent: absent.map(str::to_string),
        predicates,
        points,
        findings,
    });
}

/// The lines that no analysed state comes to, by file: of functions that are reached, and of those that are not.
fn missed(report: &Report, translated: &Translated) -> BTreeMap<String, BTreeSet<usize>> {
    let Translated { program, sources, functions, .. } = translated;
    let mut missed: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for function in functions {
        let lines = missed.entry(sources.locate(function.span).0.to_string()).or_default();
        let known = report.functions.iter().find(|known| known.name == function.name);
        lines.extend(known.iter().flat_map(|known| &known.missed_lines));
        if known.map_or(report.unreached.contains(&function.name), |known| known.verdict == Verdict::NotReached) {
            let edges = function.procedures.iter().flat_map(|procedure| &program[*procedure].edges);
            lines.extend(edges.map(|edge| edge.span).chain([function.span]).map(|span| sources.locate(span).1.line));
        }
    }
    missed
}

/// The shapes of all analyses that have kept them.
pub(crate) fn shapes(analyses: &[EntryReport]) -> impl Iterator<Item = (&EntryReport, &Shapes)> {
    analyses.iter().filter_map(|analysis| Some((analysis, analysis.outcome.as_ref().ok()?.shapes.as_ref()?)))
}

/// The names from which a reader chooses, each once.
fn chosen(analyses: &[EntryReport]) -> Vec<PredicateEntry> {
    let witnesses = analyses.iter().flat_map(|analysis| analysis.witnesses.values());
    let heaps = witnesses.flat_map(|witness| witness.heap.iter().chain(&witness.input)).map(Shape::picture);
    let heaps: Vec<Picture> = heaps.collect();
    let mut known: BTreeMap<String, ()> = BTreeMap::new();
    let all = shapes(analyses).flat_map(|(_, shapes)| shapes.predicates.clone()).chain(names_in_runs(heaps.iter()));
    all.filter(|entry| known.insert(entry.name.clone(), ()).is_none()).collect()
}

/// The source texts that are shown.
struct Places<'a> {
    translated: &'a Translated,
    host: &'a dyn Host,
    /// The lines of files that no analysed state comes to.
    missed: BTreeMap<String, BTreeSet<usize>>,
    texts: Vec<Source>,
}

impl Places<'_> {
    /// The number of a text, which is read if it is new.
    fn index(&mut self, path: &str) -> Option<usize> {
        if let Some(known) = self.texts.iter().position(|text| text.path == path) {
            return Some(known);
        }
        let text = self.translated.written(path, self.host)?;
        let missed = self.missed.get(path).into_iter().flatten().copied().collect();
        self.texts.push(Source { path: path.to_string(), text, missed });
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
    fn points(&mut self, analyses: &[EntryReport]) -> Vec<PointEntry> {
        let all: Vec<(&EntryReport, Point, PointView, &[Shape])> = shapes(analyses)
            .flat_map(|(analysis, all)| {
                let view = |point| PointView::new(point, &all.program);
                all.points.iter().map(move |(point, shapes)| (analysis, *point, view(*point), &shapes[..]))
            })
            .collect();
        let counts: Vec<usize> = all.iter().map(|(_, _, _, shapes)| shapes.len()).collect();
        let most = most_per_point(&counts, MAX_PICTURES.saturating_sub(self.page.len()));
        let mut entries = Vec::new();
        for (analysis, point, view, shapes) in all {
            let Some(span) = view.span else { continue };
            let Some(place) = self.places.of(span) else { continue };
            let statement = self.places.statement(span);
            let kept = &shapes[..shapes.len().min(most)];
            entries.push(PointEntry {
                label: if view.is_end { format!("the end, after {statement}") } else { statement },
                function: self.places.translated.program[point.procedure].name.clone(),
                root: (!self.is_alone).then(|| analysis.entry.clone()),
                place: Some(place),
                head: view.is_head,
                pictures: kept.iter().map(|shape| self.page.picture(&shape.picture(), &self.shown)).collect(),
                left_out: shapes.len() - kept.len(),
            });
        }
        entries.sort_by_key(|entry| entry.place);
        entries
    }

    fn finding(&mut self, function: &str, finding: &Reported) -> FindingEntry {
        let translated = self.places.translated;
        let skipped = finding.trace.len().saturating_sub(MAX_STEPS);
        let steps = finding.trace[skipped..].iter().map(|step| StepEntry {
            place: self.places.of(step.place.span),
            statement: self.places.statement(step.place.span),
            function: translated.program[step.place.procedure].name.clone(),
            point: None,
            picture: step.state.as_ref().and_then(|shape| traced(self.page, &shape.picture(), &self.shown)),
        });
        let mut steps: Vec<StepEntry> = steps.collect();
        // A statement may take several steps; the last one has its result.
        let mut next = 0;
        let places: Vec<_> = steps.iter().map(|step| (step.place, step.statement.clone())).collect();
        steps.retain(|_| {
            next += 1;
            places.get(next) != Some(&places[next - 1])
        });
        let witness = finding.witness.as_ref();
        let mut drawn =
            |shape: Option<&Shape>| shape.and_then(|shape| traced(self.page, &shape.picture(), &self.shown));
        let before = drawn(finding.shape.as_ref());
        let concrete = drawn(witness.and_then(|witness| witness.heap.as_ref()));
        let start = drawn(witness.and_then(|witness| witness.input.as_ref()));
        FindingEntry {
            kind: finding.kind.name().to_string(),
            verdict: finding.verdict.name().to_string(),
            message: finding.message.clone(),
            beyond: finding.beyond().map(str::to_string),
            function: function.to_string(),
            at: format!("line {}", finding.line),
            place: self.places.index(&finding.path).map(|index| (index, finding.line)),
            point: None,
            steps,
            before,
            concrete,
            start,
            run: witness.map(|witness| format!("It happens in a run{}.", choices(witness))),
        }
    }
}

//! Diagnostics as text, in the manner of rustc.
//!
//! The primary label stands at the text its author wrote. The steps by which that text came into the program follow:
//! macro expansions, `foreach` iterations and actions as labels at their places, includes as notes. For example:
//!
//! ```text
//! error[unknown-predicate]: there is no predicate `lnk`
//!  --> list.tvp:4:13
//!   |
//! 4 |   %f { E(v) lnk(x, v) }
//!   |             ^^^
//!   |
//!   = help: did you mean `link`?
//! ```

use crate::diagnostic::{Diagnostic, Failure, Label, Severity};
use crate::printable::{printable, printable_line, shortened};
use crate::source::{Reason, SourceFile, SourceMap, Span, Step};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Steps of expansion shown for one diagnostic.
const MAX_STEPS: usize = 6;
/// Source text shown for one diagnostic; beyond it only the place is named.
const MAX_EXCERPT: usize = 1 << 18;

/// In a longer line there is one mark only.
const LONGEST_LINE: usize = 400;

/// A diagnostic as text, with terminal colours or plain.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group(diagnostic, sources)])
}

impl Failure {
    /// All diagnostics as text, and how many were left out.
    pub fn render(&self, colour: bool) -> String {
        let mut text: Vec<String> = self.diagnostics.iter().map(|d| render(d, &self.sources, colour)).collect();
        if self.omitted > 0 {
            text.push(format!("… and {} more", self.omitted));
        }
        text.join("\n\n") + "\n"
    }
}

/// The steps by which the text of a diagnostic came into the program, innermost first, as labels.
pub fn expansion_labels(diagnostic: &Diagnostic, sources: &SourceMap) -> Vec<Label> {
    let lexical = sources.steps(diagnostic.primary.span.trail);
    let label = |step: &Step| Label { span: step.at, text: describe(&step.reason) };
    lexical.chain(sources.steps(diagnostic.during)).map(label).collect()
}

fn describe(reason: &Reason) -> String {
    match reason {
        Reason::Include => "included here".into(),
        Reason::Macro(name) => format!("in this expansion of macro `{name}`"),
        Reason::Iteration { variable, value } => format!("in this iteration: {variable} = {value}"),
        Reason::Action(title) => format!("in action `{title}` used here"),
    }
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(shortened(&diagnostic.message)).id(diagnostic.code);
    let labels = labels(diagnostic, sources);
    let mut group = Group::with_title(title);
    let mut shown: Vec<Part> = Vec::new();
    for (label, _) in &labels {
        let part = Part::of(label, sources);
        if !shown.contains(&part) && !part.file.text.is_empty() {
            group = add_part(group, &part, &labels, sources);
            shown.push(part);
        }
    }
    for note in diagnostic.notes.iter().cloned().chain(include_notes(diagnostic, sources)) {
        group = group.element(Level::NOTE.message(shortened(&note)));
    }
    match &diagnostic.help {
        Some(help) => group.element(Level::HELP.message(shortened(help))),
        None => group,
    }
}

/// The labels of a diagnostic with its expansions, the primary one first.
fn labels(diagnostic: &Diagnostic, sources: &SourceMap) -> Vec<(Label, AnnotationKind)> {
    let is_include = |step: &&Step| step.reason != Reason::Include;
    let lexical = sources.steps(diagnostic.primary.span.trail).filter(is_include);
    let steps = lexical.chain(sources.steps(diagnostic.during)).take(MAX_STEPS);
    let context = |label| (label, AnnotationKind::Context);
    let mut labels = vec![(diagnostic.primary.clone(), AnnotationKind::Primary)];
    labels.extend(diagnostic.secondary.iter().cloned().map(context));
    labels.extend(steps.map(|step| context(Label { span: step.at, text: describe(&step.reason) })));
    labels
}

fn include_notes(diagnostic: &Diagnostic, sources: &SourceMap) -> Vec<String> {
    let includes = sources.steps(diagnostic.primary.span.trail).filter(|step| step.reason == Reason::Include);
    let note = |step: &Step| {
        let (path, place) = sources.locate(step.at);
        format!("included from {}:{}", printable_line(path), place.line)
    };
    let mut notes: Vec<String> = Vec::new();
    for note in includes.take(MAX_STEPS).map(note) {
        // The steps of an include cycle repeat.
        if notes.contains(&note) {
            break;
        }
        notes.push(note);
    }
    notes
}

/// A part of a file that no marker divides: it stood in one piece in the file that its author wrote.
struct Part<'a> {
    file: &'a SourceFile,
    bytes: Range<usize>,
}

impl PartialEq for Part<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.file, other.file) && self.bytes == other.bytes
    }
}

impl<'a> Part<'a> {
    fn of(label: &Label, sources: &'a SourceMap) -> Part<'a> {
        let file = sources.file(label.span.file);
        Part { file, bytes: file.part_at(label.span.start) }
    }
}

/// Adds the lines of a part that its labels cover.
fn add_part<'a>(
    group: Group<'a>,
    part: &Part<'a>,
    labels: &[(Label, AnnotationKind)],
    sources: &'a SourceMap,
) -> Group<'a> {
    let source = part.file;
    // A label that starts in this part may end in a later one, which is not drawn; nor is the line break before the
    // marker.
    let end = part.bytes.start + source.text[part.bytes.clone()].trim_end().len();
    let clip = |span: Span| Span { end: span.end.min(end as u32).max(span.start), ..span };
    let mut here: Vec<(Label, AnnotationKind)> = labels
        .iter()
        .filter(|(label, _)| Part::of(label, sources) == *part)
        .map(|(label, kind)| (Label { span: clip(label.span), text: label.text.clone() }, *kind))
        .collect();
    let mut excerpt = lines(&source.text, here.iter().map(|(label, _)| label.span));
    // The renderer shows everything between two marks, so a very long line gets only the mark that matters most.
    if source.text[excerpt.clone()].lines().any(|line| line.len() > LONGEST_LINE) {
        here.truncate(1);
        excerpt = lines(&source.text, here.iter().map(|(label, _)| label.span));
    }
    let start = here.first().map_or(0, |(label, _)| label.span.start);
    if excerpt.len() > MAX_EXCERPT {
        let place = source.line_column(start as usize).line;
        return group.element(Origin::path(printable_line(source.path_at(start))).line(place));
    }
    // The text of a macro's expansion is in no file, so the line is drawn as it was written, with the mark at the name
    // of the macro.
    let place = source.line_column(start as usize);
    if let [(label, kind)] = &here[..]
        && let Some(written) = sources.written_line(source.path_at(start), place.line)
        && written.len() <= LONGEST_LINE
        && !written.contains(source.text[excerpt.clone()].trim())
        && !source.text[excerpt.clone()].contains('\n')
    {
        let name = word_at(written, place.column);
        let mark = kind.span(drawn(&written[..name.start]).len()..drawn(&written[..name.end]).len());
        let snippet =
            Snippet::source(drawn(written)).path(printable_line(source.path_at(start))).line_start(place.line);
        let mark = if label.text.is_empty() { mark } else { mark.label(shortened(&label.text)) };
        return group.element(snippet.annotation(mark));
    }
    let annotations = here.iter().map(|(label, kind)| annotation(label, *kind, &excerpt, &source.text));
    // The preprocessed line ends where a macro was expanded; the rest comes from the line as it was written.
    let text = &source.text[excerpt.clone()];
    let last = text.rsplit('\n').next().unwrap_or_default();
    let line = source.line_column(excerpt.end - last.len()).line;
    let rest = sources.rest_of_line(source.path_at(start), line, last);
    let snippet = Snippet::source(drawn(&format!("{text}{rest}")))
        .path(printable_line(source.path_at(start)))
        .line_start(source.line_column(excerpt.start).line)
        .annotations(annotations);
    group.element(snippet)
}

fn annotation<'a>(label: &Label, kind: AnnotationKind, excerpt: &Range<usize>, text: &str) -> Annotation<'a> {
    let place = |offset| drawn(&text[excerpt.start..boundary(text, offset)]).len();
    let annotation = kind.span(place(label.span.start)..place(label.span.end));
    if label.text.is_empty() { annotation } else { annotation.label(shortened(&label.text)) }
}

/// The word of a line in a column, counted from 1, or the next word after it; if there is none, the whole text of the
/// line.
fn word_at(line: &str, column: usize) -> Range<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let at = line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let begin =
        line[..at].rfind(|c| !is_part(c)).map_or(0, |end| end + line[end..].chars().next().map_or(0, char::len_utf8));
    let rest = if line[at..].starts_with(is_part) { begin } else { at };
    match line[rest..].find(is_part).map(|skipped| rest + skipped) {
        Some(start) => start..line[start..].find(|c| !is_part(c)).map_or(line.len(), |length| start + length),
        None => line.len() - line.trim_start().len()..line.trim_end().len(),
    }
}

/// The text as it is drawn: without carriage returns and without characters that cannot be seen.
fn drawn(text: &str) -> String {
    printable(&text.replace('\r', "")).into_owned()
}

/// The whole lines that contain the spans.
fn lines(text: &str, spans: impl Iterator<Item = Span>) -> Range<usize> {
    let (mut start, mut end) = (text.len(), 0);
    for span in spans {
        start = start.min(boundary(text, span.start));
        end = end.max(boundary(text, span.end));
    }
    let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    start..end.max(start)
}

/// The nearest place before `offset` that is not within a character.
fn boundary(text: &str, offset: u32) -> usize {
    let offset = (offset as usize).min(text.len());
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::word_at;

    #[test]
    fn names_of_macros_are_found() {
        let line = "  p = NULL;";
        assert_eq!(&line[word_at(line, 7)], "NULL");
        assert_eq!(&line[word_at(line, 6)], "NULL");
        assert_eq!(&line[word_at(line, 9)], "NULL");
        assert_eq!(&line[word_at(line, 3)], "p");
        assert_eq!(&line[word_at(line, 40)], "p = NULL;");
        assert_eq!(&"ä = é;"[word_at("ä = é;", 4)], "é");
        assert_eq!(word_at("", 1), 0..0);
    }
}

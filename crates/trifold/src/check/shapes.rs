//! `--shapes`: the shapes of a program as a drawing, without a page to explore them.

use super::report::Run;
use crate::html::{PointView, names_in_runs, shown, views};
use crate::source::Translated;
use std::collections::BTreeSet;
use trifold_report::Picture;

/// The shapes before the statements of these lines; if none are named, those that say most: at the heads of loops, which are their
/// invariants, at the ends of functions, and before what was found.
pub fn drawn(translated: &Translated, runs: &[Run], lines: &[usize]) -> Vec<Picture> {
    let mut pictures = Vec::new();
    for (_, view) in views(runs) {
        let shown = shown(&view.predicates);
        let mut points: Vec<(usize, &PointView, &[Picture])> = Vec::new();
        for (point, shapes) in &view.points {
            let line = point.span.map_or(0, |span| translated.sources.locate(span).1.line);
            let is_wanted = if lines.is_empty() { point.is_head || point.is_end } else { lines.contains(&line) };
            if is_wanted {
                points.push((line, point, shapes));
            }
        }
        points.sort_by_key(|(line, point, _)| (*line, point.is_end));
        for (line, point, shapes) in points {
            let function = &translated.program[point.point.procedure].name;
            let what = match (point.is_end, point.is_head) {
                (true, _) => ", end",
                (false, true) => ", loop",
                (false, false) => "",
            };
            let count = shapes.len();
            let titled = |(number, shape)| {
                titled(shape, &shown, &numbered(&format!("{function}, line {line}{what}"), number, count))
            };
            pictures.extend(shapes.iter().enumerate().map(titled));
        }
    }
    if lines.is_empty() {
        pictures.extend(before_findings(translated, runs));
    }
    pictures
}

fn before_findings(translated: &Translated, runs: &[Run]) -> Vec<Picture> {
    let mut pictures = Vec::new();
    for (run, view) in views(runs) {
        let line = |span| translated.sources.locate(span).1.line;
        let found = run.outcome.iter().flat_map(|analysed| &analysed.findings);
        for finding in found {
            let title = format!("line {}: before {}", line(finding.span), finding.kind.name());
            pictures.extend(finding.picture.iter().map(|picture| titled(picture, &shown(&view.predicates), &title)));
        }
        for witness in run.witnesses.values() {
            let title =
                format!("line {}: before {}, in a run", line(witness.finding.span), witness.finding.kind.name());
            let heap = witness.heap.iter().map(|heap| &heap.picture);
            let shown = shown(&names_in_runs(heap.clone()));
            pictures.extend(heap.map(|picture| titled(picture, &shown, &title)));
        }
    }
    pictures
}

fn numbered(title: &str, number: usize, count: usize) -> String {
    if count == 1 { title.to_string() } else { format!("{title}: {} of {count}", number + 1) }
}

fn titled(picture: &Picture, shown: &BTreeSet<String>, title: &str) -> Picture {
    let only = picture.with_only(&|name| shown.contains(name));
    Picture { title: Some(title.to_string()), ..only }
}

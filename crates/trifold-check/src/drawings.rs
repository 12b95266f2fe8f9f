//! The shapes of a program as drawings, without a page to explore them. For example, a loop of `main` in line 5 gives
//! pictures with the title `main, line 5, loop`.

use crate::check::Checked;
use crate::page::{PointView, shapes};
use crate::shape::Shape;
use std::collections::BTreeSet;
use trifold_ir::Point;
use trifold_pictures::{names_in_runs, shown};
use trifold_report::Picture;

/// The shapes before the statements of these lines; if none are named, those that say most: at the heads of loops,
/// which are their invariants, at the ends of functions, and before findings.
pub fn drawings(checked: &Checked, lines: &[usize]) -> Vec<Picture> {
    let translated = &checked.translated;
    let mut pictures = Vec::new();
    for (_, all) in shapes(&checked.analyses) {
        let shown = shown(&all.predicates);
        let mut points: Vec<(usize, Point, PointView, &[Shape])> = Vec::new();
        for (point, shapes) in &all.points {
            let view = PointView::new(*point, &all.program);
            let line = view.span.map_or(0, |span| translated.sources.locate(span).1.line);
            let is_wanted = if lines.is_empty() { view.is_head || view.is_end } else { lines.contains(&line) };
            if is_wanted {
                points.push((line, *point, view, shapes));
            }
        }
        points.sort_by_key(|(line, _, view, _)| (*line, view.is_end));
        for (line, point, view, shapes) in points {
            let function = &translated.program[point.procedure].name;
            let what = match (view.is_end, view.is_head) {
                (true, _) => ", end",
                (false, true) => ", loop",
                (false, false) => "",
            };
            let count = shapes.len();
            let titled = |(number, shape): (usize, &Shape)| {
                let title = numbered(&format!("{function}, line {line}{what}"), number, count);
                titled(&shape.picture(), &shown, &title)
            };
            pictures.extend(shapes.iter().enumerate().map(titled));
        }
    }
    if lines.is_empty() {
        pictures.extend(before_findings(checked));
    }
    pictures
}

fn before_findings(checked: &Checked) -> Vec<Picture> {
    let line = |span| checked.translated.sources.locate(span).1.line;
    let mut pictures = Vec::new();
    for (analysis, all) in shapes(&checked.analyses) {
        let shown_names = shown(&all.predicates);
        for finding in analysis.outcome.iter().flat_map(|outcome| &outcome.findings) {
            let title = format!("line {}: before {}", line(finding.place.span), finding.kind.name());
            pictures.push(titled(&finding.state.picture(), &shown_names, &title));
        }
        for witness in analysis.witnesses.values() {
            let incident = &witness.incident;
            let title = format!("line {}: before {}, in a run", line(incident.span), incident.kind.name());
            let heap: Vec<Picture> = witness.heap.iter().map(Shape::picture).collect();
            let shown_names = shown(&names_in_runs(heap.iter()));
            pictures.extend(heap.iter().map(|picture| titled(picture, &shown_names, &title)));
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

//! `trifold check`: programs in C and Java as they are written.
//!
//! Each file is a program of its own. It is analysed from its entry, or, if it has none, from each of its functions; what
//! comes out is a verdict for the file and for each function that was reached.

mod analysed;
mod confirm;
mod domains;
mod junit;
mod origins;
mod pattern;
mod plan;
mod project;
mod report;
mod sarif;
mod shapes;
mod standing;
mod text;

use crate::arguments::{CheckFormat, CheckOptions, Colour};
use crate::meter::Task;
use crate::report::json;
use crate::source::Translated;
use crate::{Outcome, Refused, disk, draw, html, summaries};
use confirm::{Entry, confirm};
use domains::{Watch, analyse, specified};
use plan::{Plan, Root};
use project::Job;
use report::Verdict;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use trifold_ir::{FindingKind, ProcId};
use trifold_lower::{Precision, Roles, Unread};
use trifold_report::{Page, Picture};

// What pages are made of.
pub use analysed::{Analysed, Found};
pub use confirm::{Witness, Witnesses, key};
pub use report::{FileReport, Finding, Run, one_line};
pub use text::choices;

pub fn run(options: &CheckOptions) -> Result<Outcome, Refused> {
    let (mut options, rules) = project::configured(options)?;
    if options.format != CheckFormat::Text {
        if options.explain || options.summaries == Some(None) {
            return Err(Refused::new(
                "--explain and --summaries print text, which goes with --format text only; --summaries=FILE.svg draws",
            ));
        }
        // What is said of files that cannot be read becomes a part of other formats.
        options.source.color = Colour::Never;
    }
    let options = &options;
    html::check_target(options.html.as_deref(), options.force)?;
    html::check_target(options.write_baseline.as_deref(), options.force)?;
    draw::check_target(options.shapes.as_deref(), options.force)?;
    let baseline = options.baseline.as_deref().map(standing::read_baseline).transpose()?.unwrap_or_default();
    let mut page = Page::default();
    let mut shapes = Vec::new();
    let mut reports = Vec::new();
    let mut refused = Vec::new();
    let jobs = project::jobs(options)?;
    for (number, job) in jobs.iter().enumerate() {
        let mark = |report: &mut FileReport| standing::mark(report, &rules, &baseline);
        match check((number + 1, jobs.len()), job, &mut page, &mut shapes, &mark) {
            Ok(report) => reports.push(report),
            // One bad file is no reason to keep quiet about the others.
            Err(Refused(message)) => refused.push((job.file.clone(), message)),
        }
    }
    match (options.format, &reports[..]) {
        (CheckFormat::Sarif, all) => disk::print(&json(&sarif::log(all, &refused)))?,
        (CheckFormat::Junit, all) => disk::print(&junit::document(all))?,
        (_, []) => {}
        (CheckFormat::Text, _) => disk::print(&text::summary(&reports))?,
        (CheckFormat::Json, [report]) if jobs.len() == 1 => disk::print(&json(report))?,
        (CheckFormat::Json, all) => disk::print(&json(&all))?,
    }
    if let Some(path) = options.html.as_deref().filter(|_| !reports.is_empty()) {
        html::write(&page, path, options.force)?;
    }
    if let Some(path) = &options.shapes {
        if shapes.is_empty() {
            return Err(Refused::new("there are no shapes at these lines, so nothing is drawn"));
        }
        draw::write(&shapes, path, options.force)?;
    }
    if let Some(path) = &options.write_baseline {
        standing::write_baseline(&reports, path, options.force)?;
    }
    if !refused.is_empty() {
        return Err(Refused(refused.into_iter().map(|(_, message)| message).collect()));
    }
    let worst = reports.iter().filter_map(FileReport::counted).max();
    Ok(match worst {
        Some(Verdict::Bug | Verdict::MayFail) => Outcome::Findings,
        Some(Verdict::NotAnalysed) => Outcome::Partial,
        Some(Verdict::Proved) | None => Outcome::Success,
    })
}

/// Checks a file, which is one of several. `mark` says which findings do not count.
fn check(
    number: (usize, usize),
    Job { file, options }: &Job,
    page: &mut Page,
    shapes: &mut Vec<Picture>,
    mark: &dyn Fn(&mut FileReport),
) -> Result<FileReport, Refused> {
    let started = Instant::now();
    let Plan { translated, roots, globals, assumptions } = Plan::new(file, options)?;
    let translated = Arc::new(translated);
    know_links(&translated, &roots, options)?;
    let assertions = trifold_checkers::assertions(&translated.program);
    let mut runs = Vec::new();
    let of_several = if number.1 > 1 { format!("[{}/{}] ", number.0, number.1) } else { String::new() };
    for (number, root) in roots.iter().enumerate() {
        // What is left of the time is for all functions that are still to come.
        let left = |time: Duration| time.saturating_sub(started.elapsed()) / (roots.len() - number) as u32;
        let what = format!("{of_several}{file}: {}", root.name);
        let task = Task { what, number: (number + 1, roots.len()), time: None };
        let watch = Watch { task, times: RefCell::new(BTreeMap::new()) };
        let time = options.timeout.map(left);
        let counts = |kind| translated.is_finding(kind, &options.source);
        let end = options.timeout.and_then(|time| started.checked_add(time));
        let analyse = |entry: &ProcId| {
            let confirm = |found: &Analysed| {
                let specified = root.specified.then_some(globals);
                let (procedure, function, assertions) = (*entry, root.function, &assertions);
                let entry = Entry { procedure, function, specified, assertions };
                match options.no_confirm {
                    true => Witnesses::new(),
                    false => confirm(found, &entry, &translated, &counts, end),
                }
            };
            match root.specified {
                true => specified(&translated, *entry, options, time, &watch, &confirm),
                false => analyse(&translated, *entry, options, time, &watch, &confirm),
            }
        };
        let (outcome, witnesses) = match &root.procedure {
            Ok(entry) => {
                let (analysed, witnesses) = analyse(entry);
                (Ok(analysed), witnesses)
            }
            Err(why) => (Err(why.clone()), Witnesses::new()),
        };
        runs.push(Run { root: root.name.clone(), outcome, witnesses, times: watch.times.into_inner() });
    }
    if let Some(path) = &options.emit_tvp {
        let precision = runs.iter().find_map(|run| run.outcome.as_ref().ok()?.precision);
        emit(&translated, &roots, path, precision.unwrap_or_else(|| options.precision()), options)?;
    }
    if let Some(drawing) = &options.summaries {
        let functions =
            runs.iter().filter_map(|run| run.outcome.as_ref().ok()).flat_map(|found| found.summaries.clone());
        summaries::show(&functions.collect::<Vec<_>>(), drawing.as_deref(), options.force)?;
    }
    if options.explain {
        let explain = |run: &Run| run.outcome.as_ref().map_or(String::new(), |r| r.explanation.clone());
        let texts: BTreeSet<String> = runs.iter().map(explain).collect();
        texts.iter().try_for_each(|text| disk::print(text))?;
    }
    let mut report = FileReport::new(file, &translated, &runs, assumptions, started.elapsed().as_secs_f64());
    report.collected = !translated.is_finding(FindingKind::Leak, &options.source);
    mark(&mut report);
    if !options.quiet && options.format == CheckFormat::Text {
        text::show_refusals(&translated, options.source.color.wanted());
        text::show_findings(&translated, &runs, &report, options.source.color.wanted());
    }
    if options.shapes.is_some() {
        shapes.extend(shapes::drawn(&translated, &runs, &options.at));
    }
    if options.html.is_some() {
        html::program_page(page, text::headline(&report), &translated, &runs, &report);
    }
    Ok(report)
}

/// A role is given to a link that there is, or else it is misspelt.
fn know_links(translated: &Translated, roots: &[Root], options: &CheckOptions) -> Result<(), Refused> {
    if options.link.is_empty() {
        return Ok(());
    }
    let all = Precision { unread: Unread::Tracked, ..Precision::default() };
    let lowered = |entry: &ProcId| trifold_lower::lower(&translated.program, *entry, all, &Roles::new());
    let entries = roots.iter().filter_map(|root| root.procedure.as_ref().ok());
    let known: BTreeSet<String> = entries.flat_map(|entry| lowered(entry).families.links().to_vec()).collect();
    match options.link.iter().find(|(link, _)| !known.contains(link)) {
        Some((link, _)) => {
            let known: Vec<String> = known.iter().map(|link| format!("`{link}`")).collect();
            Err(Refused::new(format!("there is no link `{link}`; there are {}", known.join(", "))))
        }
        None => Ok(()),
    }
}

/// Writes the specification and its input, `NAME.tvp` and `NAME.tvs`.
fn emit(
    translated: &Translated,
    roots: &[Root],
    path: &Path,
    precision: Precision,
    options: &CheckOptions,
) -> Result<(), Refused> {
    let [Root { procedure: Ok(entry), .. }] = roots else {
        return Err(Refused::new("--emit-tvp writes one specification: choose a function with --entry"));
    };
    let lowered = trifold_lower::lower(&translated.program, *entry, precision, &options.link.iter().cloned().collect());
    let specification = trifold_tvp::print_specification(&lowered.specification);
    let input = trifold_tvp::write_structure(&lowered.initial, &lowered.specification.vocabulary);
    disk::write(&path.with_extension("tvp"), &specification, options.force)?;
    disk::write(&path.with_extension("tvs"), &input, options.force)
}

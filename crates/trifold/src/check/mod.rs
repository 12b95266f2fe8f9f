//! `trifold check`: programs in C and Java as they are written.
//!
//! Each file is a program of its own. It is analysed from its entry, or, if it has none, from each of its functions; what
//! comes out is a verdict for the file and for each function that was reached.

mod analysed;
mod confirm;
mod plan;
mod report;
mod text;

use crate::arguments::{CheckOptions, DomainChoice, RunFormat};
use crate::progress::Progress;
use crate::source::Translated;
use crate::{Outcome, Refused, disk};
use analysed::Analysed;
use confirm::{Witnesses, confirm};
use plan::{Plan, Root};
use report::{FileReport, Run, Verdict};
use std::path::Path;
use std::time::Instant;
use trifold_fixpoint::SolverOptions;
use trifold_ir::{FindingKind, ProcId};
use trifold_tvl::Limits;

pub fn run(options: &CheckOptions) -> Result<Outcome, Refused> {
    let mut reports = Vec::new();
    let mut refused = String::new();
    for file in &options.files {
        match check(file, options) {
            Ok(report) => reports.push(report),
            // One bad file is no reason to keep quiet about the others.
            Err(Refused(message)) => refused += &message,
        }
    }
    match (options.format, &reports[..]) {
        (_, []) => {}
        (RunFormat::Text, _) => disk::print(&text::summary(&reports))?,
        (RunFormat::Json, [report]) if options.files.len() == 1 => disk::print(&json(report))?,
        (RunFormat::Json, all) => disk::print(&json(&all))?,
    }
    if !refused.is_empty() {
        return Err(Refused(refused));
    }
    let worst = reports.iter().map(|report| report.verdict).max();
    Ok(match worst {
        Some(Verdict::Bug | Verdict::MayFail) => Outcome::Findings,
        Some(Verdict::NotAnalysed) => Outcome::Partial,
        Some(Verdict::Proved) | None => Outcome::Success,
    })
}

fn json<T: serde::Serialize>(report: &T) -> String {
    serde_json::to_string_pretty(report).expect("a report is serialisable") + "\n"
}

fn check(file: &str, options: &CheckOptions) -> Result<FileReport, Refused> {
    let started = Instant::now();
    let Plan { translated, roots, assumptions } = Plan::new(file, options)?;
    if let Some(path) = &options.emit_tvp {
        emit(&translated, &roots, path, options)?;
    }
    let mut runs = Vec::new();
    for root in &roots {
        let report = root.procedure.as_ref().map(|procedure| analyse(&translated, *procedure, options));
        let mut run =
            Run { root: root.name.clone(), outcome: report.map_err(Clone::clone), witnesses: Witnesses::new() };
        if let Ok(entry) = root.procedure
            && !options.no_confirm
        {
            let counts = |kind| translated.is_finding(kind, &options.source);
            run.witnesses = confirm(&run, entry, &translated, &counts);
        }
        runs.push(run);
    }
    if options.explain {
        let explain = |run: &Run| run.outcome.as_ref().map_or(String::new(), |r| r.explanation.clone());
        let texts: std::collections::BTreeSet<String> = runs.iter().map(explain).collect();
        texts.iter().try_for_each(|text| disk::print(text))?;
    }
    if !options.quiet && options.format == RunFormat::Text {
        text::show_findings(&translated, &runs, options.source.color.wanted());
    }
    let report = FileReport::new(file, &translated, &runs, assumptions, started.elapsed().as_secs_f64());
    Ok(FileReport { collected: !translated.is_finding(FindingKind::Leak, &options.source), ..report })
}

/// Runs the domains that are wanted. The domain of checkers is fast, so it comes first; if it proves everything, that is it.
fn analyse(translated: &Translated, entry: ProcId, options: &CheckOptions) -> Analysed {
    let checkers = || Analysed::by_checkers(&check_graphs(translated, entry, options), &translated.program);
    let structures = || Analysed::by_structures(&check_structures(translated, entry, options));
    match options.domain {
        DomainChoice::Checkers => checkers(),
        DomainChoice::Tvl => structures(),
        DomainChoice::Auto => {
            let first = checkers();
            if first.verdict() == Verdict::Proved {
                return first;
            }
            Analysed::better_of(first, structures())
        }
    }
}

fn check_graphs(translated: &Translated, entry: ProcId, options: &CheckOptions) -> trifold_checkers::Report {
    let started = Instant::now();
    // Half of the time is left for the other domain.
    let parts = if options.domain == DomainChoice::Auto { 2 } else { 1 };
    let limit = options.timeout.map(|timeout| timeout / parts);
    let mut go_on = || limit.is_none_or(|limit| started.elapsed() < limit);
    let settings = trifold_checkers::Options::default();
    let mut report = trifold_checkers::check(&translated.program, entry, &settings, &mut go_on);
    report.findings.retain(|finding| translated.is_finding(finding.kind, &options.source));
    report
}

fn check_structures(translated: &Translated, entry: ProcId, options: &CheckOptions) -> trifold_lower::Report {
    let settings = trifold_lower::Options {
        limits: Limits { structures: options.max_structures, messages: None },
        solver: SolverOptions { threads: options.threads, ..SolverOptions::default() },
        ..trifold_lower::Options::default()
    };
    let mut progress = Progress::new(options.quiet, options.timeout);
    let mut report = trifold_lower::check(&translated.program, entry, &settings, &mut progress);
    report.findings.retain(|finding| translated.is_finding(finding.kind, &options.source));
    progress.finish();
    report
}

/// Writes the specification and its input, `NAME.tvp` and `NAME.tvs`.
fn emit(translated: &Translated, roots: &[Root], path: &Path, options: &CheckOptions) -> Result<(), Refused> {
    let [Root { procedure: Ok(entry), .. }] = roots else {
        return Err(Refused::new("--emit-tvp writes one specification: choose a function with --entry"));
    };
    let lowered = trifold_lower::lower(&translated.program, *entry);
    let specification = trifold_tvp::print_specification(&lowered.specification);
    let input = trifold_tvp::write_structure(&lowered.initial, &lowered.specification.vocabulary);
    disk::write(&path.with_extension("tvp"), &specification, options.force)?;
    disk::write(&path.with_extension("tvs"), &input, options.force)
}

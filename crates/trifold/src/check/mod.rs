//! `trifold check`: programs in C and Java as they are written.
//!
//! Files are linked to programs; `trifold-check` does the work. Here are files, options, and where the results go.

mod jobs;
mod project;

use crate::arguments::{CheckFormat, CheckOptions, Colour};
use crate::host::Machine;
use crate::{Outcome, Refused, draw, html, source};
use jobs::Job;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use trifold_check::configuration::Configuration;
use trifold_check::json::{FileEntry, pretty};
use trifold_check::reproduce::Setting;
use trifold_check::suppress::{Rule, baseline, mark, read_baseline};
use trifold_check::{Checked, Host, Report, Verdict, drawings, junit, page, sarif, text};
use trifold_heap_tvl::Precision;
use trifold_machine::disk;
use trifold_machine::programs::compiler;
use trifold_machine::reproduce::Workshop;
use trifold_report::{Page, Picture};
use trifold_source::render;

pub fn run(options: &CheckOptions) -> Result<Outcome, Refused> {
    let (mut options, Configuration { modules, suppress: rules, .. }) = project::configured(options)?;
    if options.format != CheckFormat::Text {
        if options.explain || options.summaries == Some(None) {
            return Err(Refused::new(
                "--explain and --summaries print text, which goes with --format text only; --summaries=FILE.svg draws",
            ));
        }
        // Messages about files that cannot be read become a part of other formats.
        options.source.color = Colour::Never;
    }
    let options = &options;
    html::check_target(options.html.as_deref(), options.force)?;
    html::check_target(options.write_baseline.as_deref(), options.force)?;
    draw::check_target(options.shapes.as_deref(), options.force)?;
    let known = options.baseline.as_deref().map(baseline_of).transpose()?.unwrap_or_default();
    let mut workshop = workshop(options)?;
    let inputs = project::inputs(options, &modules)?;
    let jobs = jobs::jobs(&inputs, &modules, options);
    let mut results = Results::default();
    for (number, job) in jobs.iter().enumerate() {
        let of_several = if jobs.len() > 1 { format!("[{}/{}] ", number + 1, jobs.len()) } else { String::new() };
        let checked = check(job, &of_several, &rules, &known);
        let checked = checked.and_then(|(checked, host)| Ok((reproduced(checked, &mut workshop, job)?, host)));
        match checked.and_then(|(checked, host)| results.add(checked, &*host, &job.options)) {
            Ok(()) => {}
            // One bad file is no reason to keep quiet about the others.
            Err(Refused(message)) => results.refused.push((job.name.clone(), message)),
        }
    }
    results.write(options, inputs.len())?;
    if !results.refused.is_empty() {
        return Err(Refused(results.refused.into_iter().map(|(_, message)| message).collect()));
    }
    let worst = results.reports().filter_map(Report::counted).max();
    Ok(match worst {
        Some(Verdict::Bug | Verdict::MayFail) => Outcome::Findings,
        Some(Verdict::NotAnalysed | Verdict::NotReached) => Outcome::Partial,
        Some(Verdict::Needs) if options.strict => Outcome::Findings,
        Some(Verdict::Needs) => Outcome::Conditional,
        Some(Verdict::Proved) | None => Outcome::Success,
    })
}

/// Where programs that show bugs are made, if they are asked for.
fn workshop(options: &CheckOptions) -> Result<Option<Workshop>, Refused> {
    let CheckOptions { reproduce, verify_bugs, force, .. } = options;
    let open = || Workshop::open(reproduce.as_deref(), *verify_bugs, *force).map_err(Refused::new);
    (reproduce.is_some() || *verify_bugs).then(open).transpose()
}

/// A check, with programs that show its bugs.
fn reproduced(mut checked: Checked, workshop: &mut Option<Workshop>, job: &Job) -> Result<Checked, Refused> {
    if let Some(workshop) = workshop {
        let (flags, is_32_bit) = (job.options.source.preprocessor(), job.options.source.bits == 32);
        let setting = Setting { directory: String::new(), compiler: compiler(), flags, is_32_bit };
        workshop.reproduce(&mut checked, setting).map_err(Refused::new)?;
    }
    Ok(checked)
}

/// The identities of a baseline file.
fn baseline_of(path: &Path) -> Result<BTreeSet<String>, Refused> {
    let text = disk::text(&path.to_string_lossy())?;
    read_baseline(&text).map_err(|why| Refused::new(format!("{} is no baseline: {why}", path.display())))
}

/// Checks a program.
fn check(
    Job { name, source, options }: &Job,
    of_several: &str,
    rules: &[Rule],
    known: &BTreeSet<String>,
) -> Result<(Checked, Arc<dyn Host>), Refused> {
    let host: Arc<dyn Host> = Arc::new(Machine::new(format!("{of_several}{name}"), options.quiet));
    let source = source.as_ref().map_err(|Refused(why)| Refused(why.clone()))?;
    let settings = options.settings();
    let rejected = |rejected: trifold_check::Rejected| source::refused(rejected, &options.source);
    let mut checked = trifold_check::check(source, &settings, &host).map_err(rejected)?;
    mark(&mut checked.report, rules, known, &checked.translated, &*host);
    Ok((checked, host))
}

/// All findings, and their drawings.
#[derive(Default)]
struct Results {
    checked: Vec<Checked>,
    page: Page,
    shapes: Vec<Picture>,
    refused: Vec<(String, String)>,
}

impl Results {
    fn reports(&self) -> impl Iterator<Item = &Report> {
        self.checked.iter().map(|checked| &checked.report)
    }

    /// Adds a file, and shows the output that comes file by file.
    fn add(&mut self, mut checked: Checked, host: &dyn Host, options: &CheckOptions) -> Result<(), Refused> {
        let outcomes = || checked.analyses.iter().filter_map(|analysis| analysis.outcome.as_ref().ok());
        if let Some(path) = &options.emit_tvp {
            let precision = outcomes().find_map(|outcome| outcome.precision);
            emit(&checked, path, precision.unwrap_or_else(|| options.precision()), options)?;
        }
        if let Some(drawing) = &options.summaries {
            let summaries: Vec<_> = outcomes().flat_map(|outcome| outcome.summaries.clone()).collect();
            draw::summaries(&summaries, drawing.as_deref(), options.force)?;
        }
        if options.explain {
            let texts: BTreeSet<&str> = outcomes().map(|outcome| outcome.explanation.as_str()).collect();
            texts.iter().try_for_each(|text| disk::print(text))?;
        }
        if !options.quiet && options.format == CheckFormat::Text {
            let Checked { translated, report, .. } = &checked;
            let refusals = translated.warnings.iter().cloned().chain(text::refusals(translated));
            let diagnostics = refusals.chain(text::diagnostics(report, translated));
            let colour = options.source.color.wanted();
            diagnostics.for_each(|diagnostic| eprintln!("{}\n", render(&diagnostic, &translated.sources, colour)));
        }
        if options.shapes.is_some() {
            self.shapes.extend(drawings::drawings(&checked, &options.at));
        }
        if options.html.is_some() {
            page::add(&mut self.page, &checked, host);
        }
        // Shapes take memory, and are drawn now.
        checked.forget_shapes();
        self.checked.push(checked);
        Ok(())
    }

    /// Writes the output that comes once for all files.
    fn write(&self, options: &CheckOptions, inputs: usize) -> Result<(), Refused> {
        match (options.format, &self.checked[..]) {
            (CheckFormat::Sarif, all) => disk::print(&pretty(&sarif::log(all, &self.refused)))?,
            (CheckFormat::Junit, _) => disk::print(&junit::document(self.reports()))?,
            (_, []) => {}
            (CheckFormat::Text, _) => disk::print(&text::summary(self.reports()))?,
            (CheckFormat::Json, [only]) if inputs == 1 => disk::print(&pretty(&entry(only)))?,
            (CheckFormat::Json, all) => disk::print(&pretty(&all.iter().map(entry).collect::<Vec<_>>()))?,
        }
        if let Some(path) = options.html.as_deref().filter(|_| !self.checked.is_empty()) {
            html::write(&self.page, path, options.force)?;
        }
        if let Some(path) = &options.shapes {
            if self.shapes.is_empty() {
                return Err(Refused::new("there are no shapes at these lines, so nothing is drawn"));
            }
            draw::write(&self.shapes, path, options.force)?;
        }
        match &options.write_baseline {
            Some(path) => disk::write(path, baseline(self.reports()), options.force),
            None => Ok(()),
        }
    }
}

/// The report of a file for JSON.
fn entry(checked: &Checked) -> FileEntry<'_> {
    FileEntry::new(&checked.report, &checked.translated)
}

/// Writes the specification and its input, `NAME.tvp` and `NAME.tvs`.
fn emit(checked: &Checked, path: &Path, precision: Precision, options: &CheckOptions) -> Result<(), Refused> {
    let written = checked.specification(precision, &options.link.iter().cloned().collect());
    let Some([specification, input]) = written else {
        return Err(Refused::new("--emit-tvp writes one specification: choose a function with --entry"));
    };
    disk::write(&path.with_extension("tvp"), &specification, options.force)?;
    disk::write(&path.with_extension("tvs"), &input, options.force)
}

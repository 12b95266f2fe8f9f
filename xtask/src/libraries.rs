//! `cargo xtask libraries` and `cargo xtask java-libraries`: libraries of others, in C or Java, checked by Trifold as
//! their users would.
//!
//! Each directory below the root is a project. It is checked as a whole, `trifold check DIR`, with its own headers, and
//! its functions are counted by their verdicts. Nothing of the projects is kept here. For example,
//! `cargo xtask libraries --root ~/libraries --filter list` checks those whose names contain `list`.

use crate::build;
use crate::process::{Finished, observe};
use clap::Parser;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;
use trifold_check::pattern::Excluded;

/// Run `trifold check` on the projects of another directory, and count their functions by verdict.
#[derive(Parser, Debug)]
#[command(name = "cargo xtask libraries")]
struct Options {
    /// The directory with the projects, a directory each
    #[arg(long, value_name = "DIR")]
    root: PathBuf,
    /// Only projects whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Leave out files, as `trifold check --exclude` does
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Seconds that each program or module may take
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    timeout: u64,
    /// Seconds that each project may take
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    limit: u64,
    /// So many reasons are shown why functions are not analysed, and why files are refused
    #[arg(long, value_name = "N", default_value_t = 8)]
    reasons: usize,
    /// Use this program instead of building Trifold
    #[arg(long, value_name = "FILE")]
    trifold: Option<PathBuf>,
}

/// The figures of a project.
#[derive(Default, Debug, PartialEq)]
struct Figures {
    files: usize,
    /// Files that are in no report.
    refused: usize,
    programs: usize,
    functions: usize,
    /// Without any assumption.
    proved: usize,
    /// Under assumptions that the report names.
    conditional: usize,
    bugs: usize,
    needs: usize,
    may_fail: usize,
    not_analysed: usize,
    not_reached: usize,
    /// Why functions are not analysed, and why files are refused, with how many.
    reasons: BTreeMap<String, usize>,
    cpu: f64,
}

/// The language of libraries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    C,
    Java,
}

impl Language {
    fn extension(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Java => "java",
        }
    }
}

pub fn run(words: &[String], language: Language) -> ExitCode {
    let options = Options::parse_from(["cargo xtask libraries"].into_iter().chain(words.iter().map(String::as_str)));
    let trifold = options.trifold.clone().map_or_else(build, Ok);
    match trifold.and_then(|trifold| check_all(&options, &trifold, language)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn check_all(options: &Options, trifold: &Path, language: Language) -> Result<(), String> {
    let trifold = std::path::absolute(trifold).map_err(|error| error.to_string())?;
    let listed = std::fs::read_dir(&options.root);
    let listed = listed.map_err(|error| format!("cannot read {}: {error}", options.root.display()))?;
    let mut projects: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    projects.sort();
    println!("{}", heading());
    for project in projects {
        let name = project.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        if !name.contains(&options.filter) {
            continue;
        }
        let figures = check(options, &trifold, &project, language)?;
        println!("{}", row(&name, &figures));
        let mut reasons: Vec<(&String, &usize)> = figures.reasons.iter().collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), *reason));
        reasons.iter().take(options.reasons).for_each(|(reason, count)| println!("    {count:5}  {reason}"));
    }
    Ok(())
}

fn check(options: &Options, trifold: &Path, project: &Path, language: Language) -> Result<Figures, String> {
    let (mut sources, mut headers) = (Vec::new(), BTreeSet::new());
    walk(project, language.extension(), &mut sources, &mut headers);
    let excluded = Excluded::new(&options.exclude)?;
    sources.retain(|file| {
        let file = file.strip_prefix(project).unwrap_or(file);
        !excluded.fits(&file.to_string_lossy())
    });
    let mut command = Command::new(trifold);
    command.current_dir(project).args(["check", ".", "--quiet", "--format", "json", "--threads", "1"]);
    command.args(["--timeout", &options.timeout.to_string()]);
    command.args(options.exclude.iter().flat_map(|pattern| ["--exclude", pattern]));
    // Classes of libraries often have a `main` to try them.
    command.args((language == Language::Java).then_some("--library"));
    command.args(headers.iter().flat_map(|directory| [Path::new("-I"), directory]));
    let finished = observe(&mut command, Duration::from_secs(options.limit))
        .map_err(|error| format!("cannot run {}: {error}", trifold.display()))?;
    Ok(understand(&finished, sources.len()))
}

/// The source files of a project, and the directories of its headers with those above them: a header may be named with
/// its directory.
fn walk(directory: &Path, extension: &str, sources: &mut Vec<PathBuf>, headers: &mut BTreeSet<PathBuf>) {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')) {
        let path = entry.path();
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if entry.file_type().is_ok_and(|kind| kind.is_dir()) => walk(&path, extension, sources, headers),
            Some(other) if other == extension => sources.push(path),
            Some("h") => headers.extend([Some(directory), directory.parent()].into_iter().flatten().map(PathBuf::from)),
            _ => {}
        }
    }
}

fn understand(finished: &Finished, files: usize) -> Figures {
    let mut figures = Figures { files, cpu: finished.cpu.unwrap_or(finished.seconds), ..Figures::default() };
    let parsed = serde_json::from_str::<Value>(&finished.output).unwrap_or(Value::Null);
    let reports: Vec<&Value> = match &parsed {
        Value::Array(reports) => reports.iter().collect(),
        Value::Null => Vec::new(),
        report => vec![report],
    };
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut worst: BTreeMap<(&str, &str), Judged> = BTreeMap::new();
    for report in &reports {
        known.extend(items(report, "files").filter_map(Value::as_str));
        figures.not_reached += items(report, "unreached").count();
        let is_conditional = items(report, "assumptions").next().is_some();
        for function in items(report, "functions") {
            let judged = Judged::of(function, is_conditional, report["stop"].as_str());
            let name = function["name"].as_str().unwrap_or("").split(" (").next().unwrap_or("");
            let kept = worst.entry((function["path"].as_str().unwrap_or(""), name)).or_insert_with(|| judged.clone());
            *kept = kept.clone().max(judged);
        }
    }
    figures.programs = reports.len();
    figures.refused = files.saturating_sub(known.len());
    figures.functions = worst.len();
    worst.into_values().for_each(|judged| figures.count(judged));
    if finished.status.is_none() {
        figures.add_reason("(no answer in time)".to_string());
    }
    for line in finished.errors.lines() {
        // The compiler of Java begins with the place.
        let of_compiler = line.split_once(": error: ").map(|(_, message)| message);
        let message = of_compiler.or(line.starts_with("error").then_some(line));
        message.into_iter().for_each(|message| figures.add_reason(format!("refused: {}", without_names(message))));
    }
    figures
}

fn items<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value[name].as_array().into_iter().flatten()
}

/// The verdict on a function, the better ones first: of a function in several programs the last counts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Judged {
    NotReached,
    Proved,
    Conditional,
    NotAnalysed(String),
    Needs,
    MayFail,
    Bug,
}

impl Judged {
    fn of(function: &Value, is_conditional: bool, stop: Option<&str>) -> Judged {
        match function["verdict"].as_str().unwrap_or("") {
            "proved" if is_conditional => Judged::Conditional,
            "proved" => Judged::Proved,
            "bug" => Judged::Bug,
            "needs" => Judged::Needs,
            "may-fail" => Judged::MayFail,
            "not-reached" => Judged::NotReached,
            _ => {
                let gap = items(function, "findings").find(|finding| finding["kind"] == "not-analysed");
                let gap = gap.and_then(|finding| finding["message"].as_str()).map(without_names);
                let stop = stop.map(|stop| format!("({})", stop.rsplit(": ").next().unwrap_or(stop)));
                Judged::NotAnalysed(gap.or(stop).unwrap_or("(after another function that is not analysed)".to_string()))
            }
        }
    }
}

impl Figures {
    fn count(&mut self, judged: Judged) {
        let figure = match judged {
            Judged::NotReached => &mut self.not_reached,
            Judged::Proved => &mut self.proved,
            Judged::Conditional => &mut self.conditional,
            Judged::Needs => &mut self.needs,
            Judged::MayFail => &mut self.may_fail,
            Judged::Bug => &mut self.bugs,
            Judged::NotAnalysed(reason) => {
                self.add_reason(reason);
                &mut self.not_analysed
            }
        };
        *figure += 1;
    }

    fn add_reason(&mut self, reason: String) {
        *self.reasons.entry(reason).or_default() += 1;
    }
}

/// A message with `…` for what is in quotes, so that equal reasons are equal texts.
fn without_names(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(number, part)| if number % 2 == 0 { part } else { "`…`" }).collect()
}

fn heading() -> String {
    format!(
        "{:16} {:>5} {:>7} {:>8} {:>9} {:>6} {:>11} {:>4} {:>5} {:>8} {:>12} {:>11} {:>9}",
        "project",
        "files",
        "refused",
        "programs",
        "functions",
        "proved",
        "conditional",
        "bugs",
        "needs",
        "may fail",
        "not analysed",
        "not reached",
        "CPU"
    )
}

fn row(name: &str, figures: &Figures) -> String {
    let Figures { files, refused, programs, functions, proved, conditional, .. } = figures;
    let Figures { bugs, needs, may_fail, not_analysed, not_reached, cpu, .. } = figures;
    format!(
        "{name:16} {files:5} {refused:7} {programs:8} {functions:9} {proved:6} {conditional:11} {bugs:4} {needs:5} \
         {may_fail:8} {not_analysed:12} {not_reached:11} {cpu:7.1} s"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_counted_by_their_worst_verdict() {
        let output = r#"[
            {"files": ["a.c", "b.c"], "assumptions": [], "stop": null, "unreached": ["h"], "functions": [
                {"name": "f", "path": "a.c", "verdict": "proved", "findings": []},
                {"name": "g (b.c)", "path": "b.c", "verdict": "not-analysed", "findings": [
                    {"kind": "not-analysed", "message": "a cast from `a` to `b`"}]}]},
            {"files": ["b.c"], "assumptions": ["x"], "stop": "from `g`: the time was up", "unreached": [], "functions": [
                {"name": "g", "path": "b.c", "verdict": "proved", "findings": []},
                {"name": "i", "path": "b.c", "verdict": "not-analysed", "findings": []},
                {"name": "k", "path": "b.c", "verdict": "proved", "findings": []}]}]"#;
        let errors = "error[syntax]: expected `;`\nwarning: no\n".to_string();
        let finished =
            Finished { status: Some(1), output: output.into(), errors, seconds: 2.0, memory_mb: None, cpu: Some(1.5) };
        let reasons = ["(the time was up)", "a cast from `…` to `…`", "refused: error[syntax]: expected `…`"];
        let expected = Figures {
            files: 3,
            refused: 1,
            programs: 2,
            functions: 4,
            proved: 1,
            conditional: 1,
            not_analysed: 2,
            not_reached: 1,
            reasons: reasons.map(|reason| (reason.to_string(), 1)).into(),
            cpu: 1.5,
            ..Figures::default()
        };
        assert_eq!(understand(&finished, 3), expected);
        let widths = |text: &str| text.find("CPU").or(text.find(" s")).map(|at| at > 100);
        assert_eq!((widths(&heading()), widths(&row("p", &expected))), (Some(true), Some(true)));
    }
}

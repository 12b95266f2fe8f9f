//! `cargo xtask corpus`: C programs of which it is known whether they are correct, checked by Trifold.
//!
//! The programs are in a directory outside of the repository and stay as they are. A CSV file lists them, with the kind
//! of their structure and their known verdict: `safe`, or the kinds of their errors, joined by `+`. For example,
//! `list/append.c,list,null-deref+leak` is a program with two kinds of errors.

use crate::process::{Finished, observe};
use crate::{build, columns, read};
use clap::Parser;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

/// Run `trifold check` on programs of another directory, and compare with their known verdicts.
#[derive(Parser, Debug)]
#[command(name = "cargo xtask corpus")]
struct Options {
    /// The directory with the programs
    #[arg(long, value_name = "DIR")]
    root: PathBuf,
    /// The programs: program,structure,expected, with a header; other columns are ignored
    #[arg(long, value_name = "CSV")]
    list: PathBuf,
    /// Search included files in this directory; unless given, in `include` beside or below the root and what is in
    /// there
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Only programs whose path contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// The domain of Trifold: auto, tvl or checkers
    #[arg(long, value_name = "DOMAIN", default_value = "auto")]
    domain: String,
    /// Seconds that a program may take
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    timeout: u64,
    /// Threads of Trifold
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Write the tables to this file, too, as Markdown
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// A program that was checked.
struct Row {
    program: String,
    structure: String,
    expected: String,
    outcome: Outcome,
    /// The kinds of the findings, or why there is no result.
    said: String,
    seconds: f64,
}

/// How the verdict of Trifold compares with the known one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    Proved,
    /// An error of an expected kind is among the findings.
    Found,
    /// There are findings, but none is of an expected kind.
    OtherKind,
    FalseAlarm,
    WrongProof,
    NotAnalysed,
}

impl Outcome {
    const ALL: [Outcome; 6] = [
        Outcome::Proved,
        Outcome::Found,
        Outcome::OtherKind,
        Outcome::FalseAlarm,
        Outcome::WrongProof,
        Outcome::NotAnalysed,
    ];

    fn name(self) -> &'static str {
        match self {
            Outcome::Proved => "proved",
            Outcome::Found => "bug found",
            Outcome::OtherKind => "other kind",
            Outcome::FalseAlarm => "false alarm",
            Outcome::WrongProof => "WRONG PROOF",
            Outcome::NotAnalysed => "not analysed",
        }
    }
}

/// The kind of finding that a word of the list stands for.
fn kind(word: &str) -> &str {
    match word {
        "memory-leak" => "leak",
        "assert" => "assertion",
        "null-deref" => "null-dereference",
        "uninit-deref" => "uninitialised-pointer",
        "stack-uar" => "dangling-stack-pointer",
        other => other,
    }
}

/// The verdict of Trifold on a program.
#[derive(Debug, Default, PartialEq)]
struct Checked {
    verdict: String,
    /// Kinds of findings.
    kinds: BTreeSet<String>,
    /// The constructs that were not analysed, or why there is no result.
    complaint: String,
}

pub fn run(words: &[String]) -> ExitCode {
    let options = Options::parse_from(["cargo xtask corpus"].into_iter().chain(words.iter().map(String::as_str)));
    match build().and_then(|trifold| check_all(&options, &trifold)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Checks all programs and prints the tables; the number of wrong proofs.
fn check_all(options: &Options, trifold: &Path) -> Result<usize, String> {
    let list = read(&options.list)?;
    let include = if options.include.is_empty() { headers(&options.root) } else { options.include.clone() };
    let mut results: Vec<Row> = Vec::new();
    for row in columns(&list, &["program", "structure", "expected"])? {
        let [program, structure, expected] = row[..] else { continue };
        if !program.contains(&options.filter) {
            continue;
        }
        let path = options.root.join(program);
        let mut command = Command::new(trifold);
        command.args(["check", "--quiet", "--format", "json", "--threads", &options.threads.to_string()]);
        command.args(["--domain", &options.domain]);
        // Trifold ends by itself a little earlier, and reports the findings so far.
        command.args(["--timeout", &options.timeout.to_string()]).arg(&path);
        command.args(include.iter().flat_map(|directory| [Path::new("-I"), directory]));
        let finished = observe(&mut command, Duration::from_secs(options.timeout + 5))
            .map_err(|error| format!("cannot run {}: {error}", trifold.display()))?;
        let seconds = finished.seconds;
        let checked = understand(&finished);
        let outcome = compare(&checked, expected);
        let kinds: Vec<&str> = checked.kinds.iter().map(String::as_str).collect();
        let said = [kinds.join("+"), checked.complaint].join(" ").trim().to_string();
        println!("{:13} {:8.3} s  {program}  ({expected})  {said}", outcome.name(), seconds);
        let [program, structure, expected] = [program, structure, expected].map(str::to_string);
        results.push(Row { program, structure, expected, outcome, said, seconds });
    }
    println!("\n{}", table(&results));
    if let Some(path) = &options.write {
        let page = page(&results, &options.domain, options.timeout);
        std::fs::write(path, page).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(results.iter().filter(|row| row.outcome == Outcome::WrongProof).count())
}

/// Where the headers of a project usually are.
fn headers(root: &Path) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    for include in [root.join("include"), root.join("..").join("include")] {
        let below = std::fs::read_dir(&include).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut below: Vec<PathBuf> = below.filter(|path| path.is_dir()).collect();
        below.sort();
        directories.extend(include.is_dir().then_some(include));
        directories.extend(below);
    }
    directories
}

fn understand(finished: &Finished) -> Checked {
    let Ok(report) = serde_json::from_str::<Value>(&finished.output) else {
        let complaint = match finished.status {
            None => "no answer in time".to_string(),
            Some(_) => finished.errors.lines().next().unwrap_or("").to_string(),
        };
        return Checked { complaint, ..Checked::default() };
    };
    let functions = || report["functions"].as_array().into_iter().flatten();
    let findings = || functions().flat_map(|function| function["findings"].as_array().into_iter().flatten());
    let text = |value: &Value| value.as_str().unwrap_or("").to_string();
    let unknown = findings().find(|finding| finding["kind"] == "not-analysed");
    let unknown = unknown.map(|finding| format!("line {}: {}", finding["line"], text(&finding["message"])));
    Checked {
        verdict: text(&report["verdict"]),
        kinds: findings().map(|finding| text(&finding["kind"])).filter(|kind| kind != "not-analysed").collect(),
        complaint: unknown.unwrap_or_else(|| text(&report["stop"])),
    }
}

fn compare(checked: &Checked, expected: &str) -> Outcome {
    match (checked.verdict.as_str(), expected) {
        ("proved", "safe") => Outcome::Proved,
        ("proved", _) => Outcome::WrongProof,
        ("may-fail" | "bug", "safe") => Outcome::FalseAlarm,
        ("may-fail" | "bug", _) if expected.split('+').any(|word| checked.kinds.contains(kind(word))) => Outcome::Found,
        ("may-fail" | "bug", _) => Outcome::OtherKind,
        _ => Outcome::NotAnalysed,
    }
}

/// How many programs of each kind of structure, and of all, have each outcome.
fn counts(results: &[Row]) -> BTreeMap<&str, BTreeMap<Outcome, usize>> {
    let mut counts: BTreeMap<&str, BTreeMap<Outcome, usize>> = BTreeMap::new();
    for row in results {
        for structure in [&row.structure, "all"] {
            *counts.entry(structure).or_default().entry(row.outcome).or_default() += 1;
        }
    }
    counts
}

/// The median and the longest time, in words.
fn times(results: &[Row]) -> String {
    let mut times: Vec<f64> = results.iter().map(|row| row.seconds).collect();
    times.sort_by(f64::total_cmp);
    match (times.get(times.len() / 2), times.last()) {
        (Some(median), Some(longest)) => format!("median {:.0} ms, longest {longest:.1} s", median * 1e3),
        _ => "nothing was run".to_string(),
    }
}

/// A row for each kind of structure, and the times.
fn table(results: &[Row]) -> String {
    let mut text = format!("{:28}", "structure");
    Outcome::ALL.iter().for_each(|outcome| text += &format!(" {:>12}", outcome.name()));
    for (structure, of_outcome) in &counts(results) {
        text += &format!("\n{structure:28}");
        Outcome::ALL.iter().for_each(|outcome| text += &format!(" {:>12}", of_outcome.get(outcome).unwrap_or(&0)));
    }
    text + &format!("\ntime: {}", times(results))
}

/// The same as a page of the documentation, with the programs that did not come out as they should.
fn page(results: &[Row], domain: &str, timeout: u64) -> String {
    let mut text = format!(
        "# C programs of others\n\nThis page is written by `cargo xtask corpus --write`. It is about {} public programs whose verdicts are known, checked with \
         `--domain {domain} --timeout {timeout}` on one thread. A *wrong proof* would be a program with an error that is called correct.\n\n| structure |",
        results.len()
    );
    Outcome::ALL.iter().for_each(|outcome| text += &format!(" {} |", outcome.name().to_lowercase()));
    text += &format!("\n| --- |{}", " --: |".repeat(Outcome::ALL.len()));
    for (structure, of_outcome) in &counts(results) {
        text += &format!("\n| {structure} |");
        Outcome::ALL.iter().for_each(|outcome| text += &format!(" {} |", of_outcome.get(outcome).unwrap_or(&0)));
    }
    text += &format!(
        "\n\nTime: {}.\n\n| not as it should be | expected | came out | |\n| --- | --- | --- | --- |\n",
        times(results)
    );
    for row in results.iter().filter(|row| !matches!(row.outcome, Outcome::Proved | Outcome::Found)) {
        text += &format!("| {} | {} | {} | {} |\n", row.program, row.expected, row.outcome.name(), row.said);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes() {
        let checked = |verdict: &str, kinds: &[&str]| Checked {
            verdict: verdict.to_string(),
            kinds: kinds.iter().map(|kind| kind.to_string()).collect(),
            complaint: String::new(),
        };
        for (verdict, kinds, expected, outcome) in [
            ("proved", &[][..], "safe", Outcome::Proved),
            ("proved", &[], "memory-leak", Outcome::WrongProof),
            ("may-fail", &["leak"], "safe", Outcome::FalseAlarm),
            ("may-fail", &["leak"], "assert+memory-leak", Outcome::Found),
            ("may-fail", &["leak"], "assert", Outcome::OtherKind),
            ("not-analysed", &[], "safe", Outcome::NotAnalysed),
            ("", &[], "assert", Outcome::NotAnalysed),
        ] {
            assert_eq!(compare(&checked(verdict, kinds), expected), outcome, "{verdict} {expected}");
        }
    }

    #[test]
    fn tables_count_by_structure() {
        let row = |structure: &str, outcome, seconds| Row {
            program: format!("{structure}.c"),
            structure: structure.to_string(),
            expected: "safe".to_string(),
            outcome,
            said: String::new(),
            seconds,
        };
        let results = [
            row("list", Outcome::Proved, 0.1),
            row("list", Outcome::Proved, 0.2),
            row("tree", Outcome::FalseAlarm, 3.0),
        ];
        let page = page(&results, "auto", 20);
        for line in [
            "| all | 2 | 0 | 0 | 1 | 0 | 0 |",
            "| list | 2 |",
            "Time: median 200 ms, longest 3.0 s.",
            "| tree.c | safe | false alarm |  |",
        ] {
            assert!(page.contains(line), "{line} in {page}");
        }
        assert!(!page.contains("list.c"));
        assert!(table(&results).contains("time: median 200 ms"));
    }

    #[test]
    fn a_report_is_understood() {
        let output = r#"{"verdict": "may-fail", "stop": null, "functions": [{"findings": [
            {"kind": "leak", "line": 3, "message": "lost"}, {"kind": "not-analysed", "line": 7, "message": "asm"}]}]}"#;
        let finished = Finished {
            status: Some(1),
            output: output.into(),
            errors: String::new(),
            seconds: 0.0,
            memory_mb: None,
            cpu: None,
        };
        let kinds = BTreeSet::from(["leak".to_string()]);
        let complaint = "line 7: asm".to_string();
        assert_eq!(understand(&finished), Checked { verdict: "may-fail".to_string(), kinds, complaint });
    }
}

//! `cargo xtask svcomp`: tasks of the Competition on Software Verification, checked by Trifold and scored by its rules.
//!
//! The tasks are in a directory outside of the repository and stay as they are. A CSV file lists them: their category,
//! their file and their truth, such as `reach:true`, `mem:true` or `mem:false-valid-free`. For example,
//! `cargo xtask svcomp --root ~/sv-benchmarks/c --half half.csv --every 3` checks a third of them.
//!
//! A correct *true* counts 2 points and a correct *false* 1; a wrong *true* costs 32 points and a wrong *false* 16.
//! *False* is only said of a bug that a run confirms.

mod answer;

use crate::process::observe;
use crate::{build, columns, read};
use answer::{Answer, Outcome, Truth, judge, understand};
use clap::Parser;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Run `trifold check` on tasks of SV-COMP, and score the answers.
#[derive(Parser, Debug)]
#[command(name = "cargo xtask svcomp")]
struct Options {
    /// The directory with the tasks
    #[arg(long, value_name = "DIR")]
    root: PathBuf,
    /// The tasks: category,file,truth, with a header; other columns are ignored
    #[arg(long, value_name = "CSV")]
    half: PathBuf,
    /// Only tasks whose category or path contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Only every so many of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// The domain of Trifold: auto, tvl or checkers
    #[arg(long, value_name = "DOMAIN", default_value = "auto")]
    domain: String,
    /// Seconds that a task may take
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    timeout: u64,
    /// So many tasks at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Use this program instead of building Trifold
    #[arg(long, value_name = "FILE")]
    trifold: Option<PathBuf>,
    /// Write the answers to this file, too: category,file,truth,outcome,seconds,reason
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// A task of the list.
#[derive(Clone, Debug)]
struct Task {
    category: String,
    file: String,
    truth: Truth,
}

/// A task that was checked.
struct Row {
    task: Task,
    outcome: Outcome,
    /// Why there is no answer.
    reason: String,
    seconds: f64,
}

pub fn run(words: &[String]) -> ExitCode {
    let options = Options::parse_from(["cargo xtask svcomp"].into_iter().chain(words.iter().map(String::as_str)));
    let trifold = options.trifold.clone().map_or_else(build, Ok);
    match trifold.and_then(|trifold| check_all(&options, &trifold)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Checks the tasks and prints the tables; the number of wrong answers.
fn check_all(options: &Options, trifold: &Path) -> Result<usize, String> {
    let tasks = tasks(&read(&options.half)?)?;
    let wanted = |task: &&Task| task.category.contains(&options.filter) || task.file.contains(&options.filter);
    let tasks: Vec<&Task> = tasks.iter().filter(wanted).step_by(options.every.max(1)).collect();
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        let work = || {
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let row = check(options, trifold, task);
                println!(
                    "{:12} {:7.2} s  {} {}  {}",
                    row.outcome.name(),
                    row.seconds,
                    task.file,
                    task.truth,
                    row.reason
                );
                rows.lock().expect("no thread panics").push(row);
            }
        };
        (0..options.jobs.max(1)).for_each(|_| drop(scope.spawn(work)));
    });
    let mut rows = rows.into_inner().expect("no thread panics");
    rows.sort_by(|a, b| (&a.task.category, &a.task.file).cmp(&(&b.task.category, &b.task.file)));
    println!("\n{}\n\n{}", table(&rows), reasons(&rows));
    if let Some(path) = &options.write {
        std::fs::write(path, listing(&rows)).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(rows.iter().filter(|row| row.outcome.is_wrong()).count())
}

fn tasks(list: &str) -> Result<Vec<Task>, String> {
    let rows = columns(list, &["category", "file", "truth"])?;
    let task = |row: Vec<&str>| {
        let [category, file, truth] = row[..] else { return Err("a row has too few columns".to_string()) };
        let truth = Truth::named(truth).ok_or_else(|| format!("{truth} is no truth of {file}"))?;
        Ok(Task { category: category.to_string(), file: file.to_string(), truth })
    };
    rows.into_iter().map(task).collect()
}

fn check(options: &Options, trifold: &Path, task: &Task) -> Row {
    let mut command = Command::new(trifold);
    command.args(["check", "--quiet", "--format", "json", "--threads", "1", "--entry", "main"]);
    command.args(["--bits", "32", "--domain", &options.domain, "--timeout", &options.timeout.to_string()]);
    command.arg(options.root.join(&task.file));
    // Trifold ends by itself a little earlier.
    let (answer, reason, seconds) = match observe(&mut command, Duration::from_secs(options.timeout + 5)) {
        Ok(finished) => {
            let (answer, reason) = understand(&finished, task.truth.property());
            (answer, reason, finished.seconds)
        }
        Err(error) => (Answer::Unknown, format!("cannot run {}: {error}", trifold.display()), 0.0),
    };
    Row { outcome: judge(&answer, task.truth), reason, seconds, task: task.clone() }
}

/// A row for each category with the numbers of outcomes, the points and the most that there could be.
fn table(rows: &[Row]) -> String {
    let mut by_category: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    rows.iter().for_each(|row| by_category.entry(&row.task.category).or_default().push(row));
    by_category.insert("all", rows.iter().collect());
    let mut text = format!("{:24}", "category");
    Outcome::ALL.iter().for_each(|outcome| text += &format!(" {:>12}", outcome.name()));
    text += &format!(" {:>8} {:>6} {:>6}", "points", "most", "%");
    for (category, rows) in by_category {
        text += &format!("\n{category:24}");
        let count = |outcome: Outcome| rows.iter().filter(|row| row.outcome == outcome).count();
        Outcome::ALL.iter().for_each(|outcome| text += &format!(" {:>12}", count(*outcome)));
        let points: i64 = rows.iter().map(|row| row.outcome.points()).sum();
        let most: i64 = rows.iter().map(|row| row.task.truth.most()).sum();
        text += &format!(" {points:>8} {most:>6} {:>5.0}%", 100.0 * points as f64 / most.max(1) as f64);
    }
    text + &format!("\ntime: {:.0} s", rows.iter().map(|row| row.seconds).sum::<f64>())
}

/// Why tasks were not answered, the most frequent reason first, with the points that are lost by it.
fn reasons(rows: &[Row]) -> String {
    let mut found: BTreeMap<String, (usize, i64, &str)> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.outcome.points() <= 0) {
        let reason = format!("{}: {}", row.outcome.name(), without_line(&row.reason));
        let entry = found.entry(reason).or_insert((0, 0, &row.task.file));
        *entry = (entry.0 + 1, entry.1 + row.task.truth.most() - row.outcome.points(), entry.2);
    }
    let mut sorted: Vec<(&String, &(usize, i64, &str))> = found.iter().collect();
    sorted.sort_by_key(|(reason, (_, lost, _))| (std::cmp::Reverse(*lost), *reason));
    let line = |(reason, (count, lost, file)): (&String, &(usize, i64, &str))| {
        format!("{count:4} tasks, {lost:4} points: {reason}  ({file})\n")
    };
    sorted.into_iter().map(line).collect()
}

fn without_line(reason: &str) -> &str {
    match reason.strip_prefix("line ").and_then(|rest| rest.split_once(": ")) {
        Some((_, rest)) => rest,
        None => reason,
    }
}

fn listing(rows: &[Row]) -> String {
    let mut text = "category,file,truth,outcome,seconds,reason\n".to_string();
    for Row { task, outcome, reason, seconds } in rows {
        let reason = reason.replace(['"', '\n', ','], " ");
        let Task { category, file, truth } = task;
        text += &format!("{category},{file},{truth},{},{seconds:.2},{reason}\n", outcome.name());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_and_tables() {
        let list = "category,file,truth,other\nHeap,a.i,mem:true,x\nHeap,b.i,mem:false-valid-free,\n";
        let tasks = tasks(list).unwrap();
        let row = |index: usize, outcome| Row {
            task: Task::clone(&tasks[index]),
            outcome,
            reason: "line 7: a jump".to_string(),
            seconds: 1.0,
        };
        let rows = [row(0, Outcome::CorrectTrue), row(1, Outcome::Unknown)];
        let table = table(&rows);
        let heap = table.lines().find(|line| line.starts_with("Heap")).unwrap();
        assert_eq!(heap.split_whitespace().rev().take(3).collect::<Vec<_>>(), ["67%", "3", "2"]);
        assert_eq!(reasons(&rows), "   1 tasks,    1 points: unknown: a jump  (b.i)\n");
        assert!(listing(&rows).contains("Heap,b.i,mem:false-valid-free,unknown,1.00,line 7: a jump\n"));
    }
}

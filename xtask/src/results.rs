//! `cargo xtask thesis-results` and `sets-results`: tables of papers beside our own numbers.

use crate::process::observe;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;
use trifold_examples::sets::{self, TABLE_2, VARIANTS};

/// Writes the page on the thesis.
pub fn thesis() -> ExitCode {
    finish(write("docs/thesis-results.md", &trifold_examples::thesis::document()))
}

/// Writes the page on sets.
pub fn sets() -> ExitCode {
    let page = variants().map(|variants| sets::document() + VARIANTS + EXPLANATION + &variants);
    finish(page.and_then(|page| write("docs/sets-results.md", &page)))
}

fn finish(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(path: &str, page: &str) -> Result<(), String> {
    let path = crate::root().join(path);
    std::fs::write(&path, page).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

const EXPLANATION: &str = "
Each analysis with dead variables forgotten or kept (`--keep-dead`), and for trees with the family `dle[x,sel]` of unary predicates or with the
abstraction expression `abs |> {dle}` in its place (`-D EXPRESSION`). The verdict is about all formulas of the program's header. The
expression keeps apart more than the family does: elements that differ in what is less than them among *all* others, not just among those
that variables point to. Times are those of the analysis, best of three, on one thread; memory is that of the whole process.

| analysis | dead variables | order by | structures | at exit | time | memory | verdict |
| --- | --- | --- | --: | --: | --: | --: | --- |
";

/// The longest time of an analysis.
const LIMIT: Duration = Duration::from_secs(300);

fn variants() -> Result<String, String> {
    let trifold = crate::build()?;
    let mut table = String::new();
    for row in TABLE_2 {
        let is_tree = row.program.starts_with("tree");
        for (order, define) in [("family", None), ("expression", Some("EXPRESSION"))] {
            for (dead, keep) in [("forgotten", None), ("kept", Some("--keep-dead"))] {
                if is_tree || define.is_none() {
                    let order = if is_tree { order } else { "–" };
                    let options = define.iter().flat_map(|name| ["-D", *name]).chain(keep);
                    let measured = measure(&trifold, row.program, &options.collect::<Vec<_>>())?;
                    let _ = writeln!(table, "| {} | {dead} | {order} | {measured} |", row.name);
                }
            }
        }
    }
    Ok(table)
}

/// The cells of a row: structures, those at the exits, time, memory and verdict.
fn measure(trifold: &Path, program: &str, options: &[&str]) -> Result<String, String> {
    let directory = crate::root().join("examples/tvp/sets");
    let text = crate::read(&directory.join(program).with_extension("tvp"))?;
    let field = |name: &str| {
        let prefix = format!("// {name}: ");
        text.lines().filter_map(|line| line.strip_prefix(&prefix).map(str::to_string)).collect::<Vec<_>>()
    };
    let mut command = Command::new(trifold);
    command.current_dir(&directory).args(["analyze", &format!("{program}.tvp")]).args(field("input")).args(options);
    field("options").iter().for_each(|line| {
        command.args(line.split_whitespace());
    });
    field("prove").iter().for_each(|goal| {
        command.args(["--prove", goal]);
    });
    command.args(["--threads", "1", "--format", "json"]);
    let mut best: Option<(Value, f64, f64)> = None;
    for _ in 0..3 {
        let finished = observe(&mut command, LIMIT).map_err(|error| error.to_string())?;
        let report: Value = serde_json::from_str(&finished.output).map_err(|_| finished.errors)?;
        let seconds = report["time"]["analysis_s"].as_f64().unwrap_or(f64::NAN);
        if best.as_ref().is_none_or(|(_, known, _)| seconds < *known) {
            best = Some((report, seconds, finished.memory_mb.unwrap_or(0.0)));
        }
    }
    let (report, seconds, memory) = best.ok_or("nothing was measured")?;
    let exits: u64 = ["exit", "yes", "no"].iter().map(|name| count(&report, name)).sum();
    let (saved, verdict) = (&report["structures"]["saved"], report["verdict"].as_str().unwrap_or("?"));
    Ok(format!("{saved} | {exits} | {:.1} ms | {memory:.0} MB | {verdict}", seconds * 1e3))
}

/// How many structures are at a location.
fn count(report: &Value, location: &str) -> u64 {
    let locations = report["locations"].as_array().into_iter().flatten();
    locations.filter(|l| l["name"] == location).filter_map(|l| l["structures"].as_u64()).sum()
}

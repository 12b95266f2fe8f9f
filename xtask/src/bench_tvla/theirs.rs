//! A run of TVLA, and the figures that it prints.

use super::list::Run;
use super::{Measured, Outcome};
use crate::process::{Finished, Scratch, observe};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The memory that TVLA's own script gives it.
const HEAP: &str = "-Xmx800m";

pub fn measure(jar: &Path, root: &Path, run: &Run, quiet: &Scratch, limit: Duration) -> Measured {
    let jar = jar.canonicalize().unwrap_or_else(|_| jar.to_path_buf());
    // The jar is in a directory below the one where TVLA keeps its properties.
    let home = jar.parent().and_then(Path::parent).unwrap_or(&jar);
    let mut command = Command::new("java");
    command.current_dir(root.join(&run.directory)).arg(format!("-Dtvla.home={}", home.display())).arg(HEAP);
    command.arg("-jar").arg(&jar).args([&run.program, &run.input]);
    command.arg("-props").arg(quiet.path()).args(run.options.split_whitespace());
    match observe(&mut command, limit) {
        Ok(finished) => understand(finished),
        Err(error) => Measured { complaint: error.to_string(), ..Measured::without_result(Outcome::Rejected) },
    }
}

pub fn understand(finished: Finished) -> Measured {
    let Finished { status, output, errors, seconds, memory_mb, .. } = finished;
    // Progress is printed to standard output, and everything else to the log, which is standard error.
    let output = format!("{output}\n{errors}");
    let of_process = |outcome| Measured { process_s: Some(seconds), memory_mb, ..Measured::without_result(outcome) };
    if status.is_none() {
        return of_process(Outcome::Timeout);
    }
    let Some(saved) = value(&output, "number of structures in graph").and_then(|text| text.parse().ok()) else {
        return Measured { complaint: output, ..of_process(Outcome::Rejected) };
    };
    let mut structures = BTreeMap::new();
    let mut message_locations = BTreeSet::new();
    for (name, count, messages) in output.lines().filter_map(location) {
        structures.insert(name.clone(), count);
        if messages > 0 {
            message_locations.insert(name);
        }
    }
    let breach = output.contains("The analysis has stopped since a constraint was breached");
    Measured {
        saved: Some(saved),
        messages: value(&output, "Total number of messages").and_then(|text| text.parse().ok()),
        message_locations: Some(message_locations),
        structures: Some(structures),
        analysis_s: value(&output, "Total analysis time").and_then(|text| text.parse().ok()),
        ..of_process(if breach { Outcome::Breach } else { Outcome::Done })
    }
}

/// The first word after `key … :`.
fn value<'o>(output: &'o str, key: &str) -> Option<&'o str> {
    let line = output.lines().find(|line| line.trim_start().starts_with(key))?;
    line.split_once(':')?.1.split_whitespace().next()
}

/// Name, number of structures and number of messages; fields are separated by tabs.
fn location(line: &str) -> Option<(String, usize, usize)> {
    let (name, rest) = line.split_once(":\t")?;
    let mut fields = rest.split('\t');
    let count = fields.next()?.parse().ok()?;
    fields.next().filter(|word| *word == "structures")?;
    let messages = fields.nth(1)?.split_whitespace().next()?.parse().ok()?;
    Some((name.to_string(), count, messages))
}

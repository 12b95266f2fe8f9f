//! A run of Trifold, and the figures of its JSON.

use super::list::Run;
use super::{Measured, Outcome};
use crate::process::{Finished, Scratch, observe};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

pub fn measure(trifold: &Path, root: &Path, run: &Run, quiet: &Scratch, limit: Duration, threads: usize) -> Measured {
    let mut command = Command::new(trifold);
    command.current_dir(root.join(&run.directory)).arg("tvla").args([&run.program, &run.input]);
    command.arg("-props").arg(quiet.path()).args(run.options.split_whitespace());
    command.args(["-terse", "--format", "json", "--threads", &threads.to_string()]);
    match observe(&mut command, limit) {
        Ok(finished) => understand(finished),
        Err(error) => Measured { complaint: error.to_string(), ..Measured::without_result(Outcome::Rejected) },
    }
}

fn understand(finished: Finished) -> Measured {
    let Finished { status, output, errors, seconds, memory_mb, .. } = finished;
    let of_process = |outcome| Measured { process_s: Some(seconds), memory_mb, ..Measured::without_result(outcome) };
    if status.is_none() {
        return of_process(Outcome::Timeout);
    }
    let Ok(report) = serde_json::from_str::<Value>(&output) else {
        return Measured { complaint: errors, ..of_process(Outcome::Rejected) };
    };
    let number = |value: &Value| value.as_u64().map(|number| number as usize);
    let locations = || report["locations"].as_array().into_iter().flatten();
    let name = |location: &Value| location["name"].as_str().unwrap_or("").to_string();
    let messages = |location: &Value| location["messages"].as_array().map_or(0, Vec::len);
    let contradictory = report["contradictions"].as_array().is_some_and(|all| !all.is_empty());
    Measured {
        saved: number(&report["structures"]["saved"]),
        messages: Some(locations().map(messages).sum()),
        message_locations: Some(locations().filter(|l| messages(l) > 0).map(name).collect()),
        structures: Some(locations().map(|l| (name(l), number(&l["structures"]).unwrap_or(0))).collect()),
        analysis_s: report["time"]["analysis_s"].as_f64(),
        ..of_process(if contradictory { Outcome::Breach } else { Outcome::Done })
    }
}

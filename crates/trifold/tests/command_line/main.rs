//! The command line as users see it: options, exit status, formats, files.

#[path = "../support/mod.rs"]
mod support;

mod analysis;
mod check_bad_c;
mod check_c;
mod diagnostics;
mod draw;
mod formats;
mod help;
mod hostile;
mod linked;
mod machines;
mod output;
mod procedures;
mod projects;
mod run_c;
mod schema;
mod snapshots;
mod status;
mod symbolic;
mod tvla;

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;
use support::{DEADLINE, Example, Run, Scratch, run, trifold, workspace};
use trifold_examples::tools::require;

const REVERSE: [&str; 3] = ["analyze", "examples/tvp/sll/reverse.tvp", "examples/tvp/sll/sll.tvs"];
const NULL_DEREF: [&str; 3] = ["analyze", "examples/tvp/sll/null_deref.tvp", "examples/tvp/sll/sll.tvs"];

/// Runs one of the above with more arguments.
fn with(base: [&str; 3], more: &[&str]) -> Run {
    trifold(base.iter().chain(more))
}

/// The number of structures by location.
fn counts(report: &Value) -> BTreeMap<String, u64> {
    let locations = report["locations"].as_array().unwrap();
    locations.iter().map(|l| (l["name"].as_str().unwrap().to_string(), l["structures"].as_u64().unwrap())).collect()
}

/// The text between the braces of a location of TVS output.
fn location_block<'a>(tvs: &'a str, location: &str) -> &'a str {
    let start = tvs.find(&format!("%location {location} =")).expect("the location is printed");
    let block = &tvs[start..];
    let open = block.find('{').unwrap() + 1;
    &block[open..block.find("\n}").unwrap()]
}

/// The structures of a location, sorted, without those that a message is about.
fn structures<'a>(tvs: &'a str, location: &str) -> Vec<&'a str> {
    let mut about_message = false;
    let mut found = Vec::new();
    for (number, part) in location_block(tvs, location).split("%n =").enumerate() {
        let (structure, message) = part.split_once("%message").map_or((part, None), |(s, m)| (s, Some(m)));
        if number > 0 && !about_message {
            found.push(structure.trim());
        }
        about_message = message.is_some();
    }
    found.sort_unstable();
    found
}

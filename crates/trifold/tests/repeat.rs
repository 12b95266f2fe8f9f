//! The same input gives the same bytes: with any number of threads, on a busy machine, and among other files.
//! `TRIFOLD_REPEAT=all` tries all examples, and not only some of them.

mod support;

use serde_json::Value;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use support::{Example, files, run};

/// Nothing but work limits these runs, and on a busy machine that may take a while.
const PATIENCE: Duration = Duration::from_secs(1_200);

/// The examples that are tried: usually one of some, and none that takes minutes.
fn chosen<T>(all: Vec<T>, path: impl Fn(&T) -> &str) -> Vec<T> {
    if std::env::var("TRIFOLD_REPEAT").is_ok_and(|all| all == "all") {
        return all;
    }
    let takes_long = |path: &str| ["/skip/", "/nested/", "merge_sort"].iter().any(|part| path.contains(part));
    all.into_iter().filter(|one| !takes_long(path(one))).step_by(16).collect()
}

/// A result without times.
#[derive(PartialEq, Debug)]
struct Printed {
    status: Option<i32>,
    reports: Vec<Value>,
}

fn printed(arguments: &[String], threads: usize) -> Printed {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trifold"));
    command.args(arguments).args(["--threads", &threads.to_string(), "--format", "json", "--quiet"]);
    let run = run(command, PATIENCE);
    assert!(!run.timed_out, "{arguments:?}");
    let mut reports = match serde_json::from_str(&run.stdout) {
        Ok(Value::Array(reports)) => reports,
        Ok(report) => vec![report],
        Err(error) => panic!("{arguments:?}: {error}: {}", run.stdout),
    };
    reports.iter_mut().for_each(without_times);
    Printed { status: run.status, reports }
}

fn without_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !name.ends_with("_s"));
            members.values_mut().for_each(without_times);
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// Does something while all cores are busy with something else.
fn busily<T>(task: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 * std::thread::available_parallelism().map_or(1, |cores| cores.get()) {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = task();
        done.store(true, Ordering::Relaxed);
        result
    })
}

/// Compares runs of the same input, and returns what they print.
fn repeated(arguments: &[String]) -> Printed {
    let first = printed(arguments, 1);
    assert_eq!(printed(arguments, 2), first, "{arguments:?} with two threads");
    assert_eq!(busily(|| printed(arguments, 8)), first, "{arguments:?} with eight threads, while others work");
    first
}

#[test]
fn checks_are_repeatable() {
    let mut paths = chosen(files("examples/c", "c"), |path| path);
    paths.extend(chosen(files("examples/java", "java"), |path| path));
    let check = |paths: &[String]| [vec!["check".to_string()], paths.to_vec()].concat();
    let alone: Vec<Value> =
        paths.iter().flat_map(|path| repeated(&check(std::slice::from_ref(path))).reports).collect();
    assert_eq!(alone.len(), paths.len());
    assert_eq!(busily(|| printed(&check(&paths), 2)).reports, alone, "all together");
}

#[test]
fn analyses_are_repeatable() {
    for example in chosen(Example::all(), |example| &example.path) {
        let arguments = [vec!["analyze".to_string(), example.path, example.input], example.options].concat();
        repeated(&arguments);
    }
}

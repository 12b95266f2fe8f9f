//! The fuzz targets of `fuzz/`, with a stable compiler: on every case that has gone wrong once, on every example, and
//! on mutations of them that are the same in each run.
//!
//! `TRIFOLD_FUZZ_SECONDS=600 cargo test --release --test fuzz_corpus` is a campaign: it goes on with other mutations,
//! and leaves cases that fail in the directory of test files. `TRIFOLD_FUZZ_TARGETS=c,java` restricts it.

mod support;

use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use support::workspace;
use trifold_examples::tools::require;
use trifold_machine::java::{Compiler, Settings};
use trifold_oracle::fuzz::mutate::{Random, mutate};
use trifold_oracle::fuzz::seeds::{self, Seed};
use trifold_oracle::fuzz::{digest, java};
use trifold_oracle::oracle::Tally;

/// Mutations of a test: a number and not a time, so that a fast machine does not judge more than a slow one.
const MUTATIONS: usize = 5_000;
/// The time of a case, also on a machine that does other things.
const CASE_TIME: Duration = Duration::from_secs(30);

struct Case {
    target: &'static str,
    name: String,
    bytes: Vec<u8>,
}

impl Case {
    /// Runs the case, and says what was judged; a panic is an error.
    fn run(&self, compiler: Option<&mut Compiler>) -> Result<Tally, String> {
        let unjudged = |digest: fn(&[u8])| {
            digest(&self.bytes);
            Tally::default()
        };
        let digested = std::panic::catch_unwind(AssertUnwindSafe(|| match self.target {
            "c" => digest::c(&self.bytes),
            "java" => compiler.map_or_else(Tally::default, |compiler| java::java(&self.bytes, compiler)),
            "class" => java::class(&self.bytes),
            "tvp" => unjudged(digest::tvp),
            "tvs" => unjudged(digest::tvs),
            "analyze" => unjudged(digest::analyze),
            other => unreachable!("{other}"),
        }));
        digested.map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").chars().take(500).collect()
        })
    }

    /// Keeps the bytes, and says where.
    fn keep(&self) -> String {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{}", self.target, self.name));
        match std::fs::write(&path, &self.bytes) {
            Ok(()) => path.display().to_string(),
            Err(error) => format!("not kept: {error}"),
        }
    }
}

/// Runs cases one after the other on a thread of its own, so that one that hangs can be named. Says what was judged.
fn run_all(cases: impl Iterator<Item = Case> + Send + 'static) -> Tally {
    let (starts, started): (Sender<Case>, Receiver<Case>) = channel();
    let (ends, ended) = channel();
    let mut compiler = require("javac").then(|| Compiler::start(&Settings::default()).expect("a compiler"));
    std::thread::spawn(move || {
        for case in cases {
            let copy = Case { target: case.target, name: case.name.clone(), bytes: case.bytes.clone() };
            if starts.send(copy).is_err() || ends.send(case.run(compiler.as_mut())).is_err() {
                break;
            }
        }
    });
    let (mut tally, mut failures) = (Tally::default(), Vec::new());
    for case in started {
        let failure = match ended.recv_timeout(CASE_TIME) {
            Ok(Ok(judged)) => {
                tally += judged;
                continue;
            }
            Ok(Err(panic)) => panic,
            Err(_) => {
                failures.push(format!("{}: takes more than {CASE_TIME:?}", case.keep()));
                break;
            }
        };
        failures.push(format!("{}: {failure}", case.keep()));
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    println!("{tally}");
    tally
}

#[test]
fn seeds_are_digested() {
    let cases = |seed: Seed| Case { target: seed.target, name: seed.name, bytes: seed.bytes };
    let tally = run_all(seeds::all(&workspace()).into_iter().map(cases));
    tally.expect(50, 100);
}

#[test]
fn mutations_are_digested() {
    let campaign = std::env::var("TRIFOLD_FUZZ_SECONDS").ok().map(|text| text.parse().expect("a number of seconds"));
    let started = Instant::now();
    let is_time_left = move |case: usize| match campaign {
        Some(seconds) => started.elapsed() < Duration::from_secs(seconds),
        None => case < MUTATIONS,
    };
    let targets = std::env::var("TRIFOLD_FUZZ_TARGETS").ok();
    let is_wanted = |seed: &Seed| targets.as_ref().is_none_or(|targets| targets.split(',').any(|t| t == seed.target));
    let seeds = seeds::all(&workspace()).into_iter().chain(seeds::programs(&workspace()));
    let seeds: Vec<Seed> = seeds.filter(is_wanted).collect();
    let cases = (0..).flat_map(move |round| {
        let mutated = |(number, seed): (usize, &Seed)| {
            let mut random = Random::new(round * 1_000_003 + number as u64 + 1);
            let bytes = mutate(&seed.bytes, &random.pick(&seeds).bytes, &mut random);
            Case { target: seed.target, name: format!("{}-{round}", seed.name), bytes }
        };
        seeds.iter().enumerate().map(mutated).collect::<Vec<_>>()
    });
    run_all(cases.enumerate().take_while(move |(case, _)| is_time_left(*case)).map(|(_, case)| case));
}

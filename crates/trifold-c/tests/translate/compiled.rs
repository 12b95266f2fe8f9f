//! The interpreter against the compiler: the same program with the same inputs must go the same way.
//!
//! Programs are compiled with the address sanitizer, and with functions that return the choices that the interpreter
//! made.

use crate::support::translated;
use std::path::{Path, PathBuf};
use std::process::Command;
use trifold_examples::tools::c_compiler;
use trifold_ir::{Choices, FindingKind, Options, Run, RunEnd, Seeded, interpret};

const SEEDS: u64 = 60;
/// To run the machine takes time: so many runs of a program are compared that end in the same way.
const RUNS_PER_ENDING: usize = 2;
/// The exit status of a program whose assertion failed, and of one that asks for more choices than were made.
const FAILED: i32 = 77;
const EXHAUSTED: i32 = 78;

/// Definitions of the functions that the programs only declare.
pub const STUBS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *rest;
static long long next_choice(void) {
    if (!rest) rest = getenv("CHOICES");
    if (!rest || !*rest) _Exit(78);
    char *end;
    long long value = strtoll(rest, &end, 10);
    rest = *end ? end + 1 : end;
    return value;
}
int __VERIFIER_nondet_int(void) { return (int)next_choice(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next_choice(); }
long __VERIFIER_nondet_long(void) { return next_choice(); }
char __VERIFIER_nondet_char(void) { return (char)next_choice(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next_choice(); }
_Bool __VERIFIER_nondet_bool(void) { return next_choice() != 0; }
int rand(void) { return (int)next_choice(); }
void reach_error(void) { _Exit(77); }
void __VERIFIER_error(void) { _Exit(77); }
void __VERIFIER_assume(int holds) { if (!holds) _Exit(0); }
void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { _Exit(77); }
"#;

/// Notes the choices that the program asked for, and whether anything else was decided, about which the machine does
/// not ask.
pub struct Asked {
    seeded: Seeded,
    pub answers: Vec<i128>,
    pub comparable: bool,
}

impl Asked {
    pub fn new(seed: u64) -> Asked {
        Asked { seeded: Seeded::new(seed), answers: Vec::new(), comparable: true }
    }
}

impl Choices for Asked {
    fn choose(&mut self, low: i128, high: i128) -> Option<i128> {
        let answer = self.seeded.choose(low, high)?;
        self.answers.push(answer);
        Some(answer)
    }

    fn settle(&mut self, low: i128, high: i128) -> Option<i128> {
        self.comparable = false;
        self.seeded.choose(low, high)
    }

    fn pick(&mut self, last: usize) -> Option<usize> {
        self.comparable = false;
        self.seeded.pick(last)
    }
}

/// How a run ended, as far as both can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Well,
    Wrong(FindingKind),
    DivisionByZero,
    /// The machine asked for more than the interpreter.
    OutOfChoices,
    /// It cannot be compared: given up, or something that the sanitizer does not see.
    Unknown,
}

/// All programs of the tests and of the examples.
fn sources() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![here.join("tests/translate"), here.join("../../examples/c")];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        // Functions with specifications are no programs.
        if path.ends_with("examples/c/checkers") {
            continue;
        }
        match std::fs::read_dir(&path) {
            Ok(entries) => open.extend(entries.map(|entry| entry.unwrap().path())),
            Err(_) if path.extension().is_some_and(|extension| extension == "c") => found.push(path),
            Err(_) => {}
        }
    }
    found.sort();
    found
}

#[test]
fn runs_the_same_way() {
    let Some(compiler) = c_compiler() else { return };
    let sources = &sources();
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let compared: usize = std::thread::scope(|scope| {
        let share = move |first: usize| sources.iter().skip(first).step_by(threads);
        let start = |first| scope.spawn(move || share(first).map(|source| compare(compiler, source)).sum::<usize>());
        let workers: Vec<_> = (0..threads).map(start).collect();
        workers.into_iter().map(|worker| worker.join().expect("the runs are the same")).sum()
    });
    assert!(compared > 200, "only {compared} runs were compared");
}

/// Compares runs of a program, and says how many.
fn compare(compiler: &str, source: &Path) -> usize {
    let directory = tempfile::tempdir().unwrap();
    let (stubs, binary) = (directory.path().join("stubs.c"), directory.path().join("program"));
    std::fs::write(&stubs, STUBS).unwrap();
    // After `exit` nothing counts as leaked, so the sanitizer must not look.
    let flags = ["-w", "-g0", "-O0", "-fsanitize=address", "-fno-builtin", "-Dexit=_Exit", "-o"];
    let built = Command::new(compiler).args(flags).arg(&binary).arg(source).arg(&stubs).output().unwrap();
    assert!(built.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&built.stderr));
    let preprocessed = Command::new(compiler).arg("-E").arg(source).output().unwrap();
    let text = String::from_utf8_lossy(&preprocessed.stdout).into_owned();
    let program = translated(&source.display().to_string(), &text);
    let entry = program.entry.expect("an entry");
    let (mut endings, mut compared) = (Vec::new(), 0);
    for seed in 0..SEEDS {
        let mut choices = Asked::new(seed);
        let run = interpret(&program, entry, &Options::default(), &mut choices, &mut |_, _| {});
        let interpreted = of_interpreter(&run);
        if interpreted == Ending::Unknown || !choices.comparable {
            continue;
        }
        endings.push(interpreted);
        if endings.iter().filter(|ending| **ending == interpreted).count() <= RUNS_PER_ENDING {
            compared += 1;
            let machine = of_machine(Command::new(&binary), &choices.answers);
            assert_eq!(machine.0, interpreted, "{}, seed {seed}\n{run:?}\n{}", source.display(), machine.1);
        }
    }
    compared
}

pub fn of_interpreter(run: &Run) -> Ending {
    match (run.findings.first(), run.outcome) {
        // The sanitizer sees no use of uninitialised memory.
        (Some(finding), _) if matches!(finding.kind, FindingKind::UninitialisedPointer | FindingKind::NotAnalysed) => {
            Ending::Unknown
        }
        // The machine tells of leaks only at the end.
        (Some(finding), outcome) if finding.kind == FindingKind::Leak => match run.findings.last() {
            Some(last) if last.kind != FindingKind::Leak => of_kind(last.kind),
            _ if outcome == RunEnd::Ended => Ending::Wrong(FindingKind::Leak),
            _ => Ending::Unknown,
        },
        (Some(finding), _) => of_kind(finding.kind),
        (None, RunEnd::Ended | RunEnd::Stopped) => Ending::Well,
        (None, RunEnd::DivisionByZero) => Ending::DivisionByZero,
        (None, _) => Ending::Unknown,
    }
}

fn of_kind(kind: FindingKind) -> Ending {
    match kind {
        FindingKind::UninitialisedPointer | FindingKind::NotAnalysed => Ending::Unknown,
        kind => Ending::Wrong(kind),
    }
}

pub fn of_machine(mut command: Command, choices: &[i128]) -> (Ending, String) {
    let choices: Vec<String> = choices.iter().map(|choice| choice.to_string()).collect();
    let output = command
        .env("CHOICES", choices.join(","))
        .env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1:exitcode=99")
        .env("LSAN_OPTIONS", "use_stacks=0:use_registers=0")
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let says = |text: &str| report.contains(text);
    let ending = match output.status.code() {
        Some(FAILED) => Ending::Wrong(FindingKind::Assertion),
        Some(EXHAUSTED) => Ending::OutOfChoices,
        Some(99) if says("heap-use-after-free") => Ending::Wrong(FindingKind::UseAfterFree),
        Some(99) if says("attempting double-free") => Ending::Wrong(FindingKind::DoubleFree),
        Some(99) if says("attempting free on address") => Ending::Wrong(FindingKind::InvalidFree),
        Some(99) if says("stack-use-after") => Ending::Wrong(FindingKind::DanglingStackPointer),
        Some(99) if says("buffer-overflow") || says("buffer-underflow") => {
            Ending::Wrong(FindingKind::InvalidDereference)
        }
        Some(99) if says("FPE") => Ending::DivisionByZero,
        Some(99) if says("SEGV on unknown address 0x0000000000") => Ending::Wrong(FindingKind::NullDereference),
        Some(99) if says("detected memory leaks") => Ending::Wrong(FindingKind::Leak),
        Some(99) => panic!("the sanitizer says something else:\n{report}"),
        Some(_) => Ending::Well,
        None => panic!("the program was killed:\n{report}"),
    };
    (ending, report)
}

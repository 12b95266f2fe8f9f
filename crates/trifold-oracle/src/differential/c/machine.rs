//! The machine: one executable for many programs, which runs each of them in a child process.
//!
//! Signed numbers wrap around, as they do in heap programs. Everything else that C leaves undefined ends a program with
//! a message of a sanitizer.

use crate::differential::process::{lost, outputs};
use crate::differential::{Ending, Job, Trace};
use std::fmt::Write;
use std::process::Command;
use trifold_ir::FindingKind;

/// The functions that programs only declare, and what runs a program in a process of its own.
const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static const long long *rest;
static long left;
static long long next_choice(void) { if (left-- <= 0) _Exit(78); return *rest++; }
int __VERIFIER_nondet_int(void) { return (int)next_choice(); }
int rand(void) { return (int)next_choice(); }
static void run(const char *name, int (*program)(void), const long long *answers, long count) {
    printf("@begin %s\n", name);
    int child = fork();
    if (child == 0) {
        dup2(1, 2);
        alarm(20);
        rest = answers;
        left = count;
        exit(program());
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("\n@end %s %s %d\n", name, WIFEXITED(status) ? "exit" : "signal", WIFEXITED(status) ? WEXITSTATUS(status) : status);
}
"#;

const FLAGS: [&str; 8] = [
    "-w",
    "-g0",
    "-O0",
    "-std=gnu11",
    "-fwrapv",
    "-fno-builtin",
    "-fsanitize=address,undefined",
    "-fno-sanitize=shift-base,alignment",
];

/// The exit status of a program that asks for more choices than were made.
const EXHAUSTED: &str = "exit 78";

/// Compiles and runs programs.
pub fn run(jobs: &[Job]) -> Result<Vec<Trace>, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, binary) = (directory.path().join("programs.c"), directory.path().join("programs"));
    std::fs::write(&source, text(jobs)).map_err(|error| error.to_string())?;
    let compiler = std::env::var("CC").unwrap_or("cc".to_string());
    let mut command = Command::new(compiler);
    command.args(FLAGS).arg("-fno-sanitize-recover=all").arg("-o").arg(&binary).arg(&source);
    let compiled = command.output().map_err(|error| error.to_string())?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let ran = Command::new(&binary)
        .env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1:exitcode=99")
        .env("LSAN_OPTIONS", "use_stacks=0:use_registers=0")
        .output()
        .map_err(|error| error.to_string())?;
    let mut outputs = outputs(&String::from_utf8_lossy(&ran.stdout));
    let trace = |job: &Job| match outputs.remove(&job.name) {
        Some((notes, report)) => Trace { notes, ending: ending(&report) },
        None => lost(),
    };
    Ok(jobs.iter().map(trace).collect())
}

/// All programs in one file. What a header declares for the driver comes last, so that programs declare it themselves.
fn text(jobs: &[Job]) -> String {
    let mut text = String::new();
    let mut main = "int main(void) {\n    setvbuf(stdout, 0, _IONBF, 0);\n".to_string();
    for Job { name, text: program, answers } in jobs {
        text += &program.replace("int main(void)", &format!("int {name}_main(void)"));
        let answers: Vec<String> = answers.iter().map(|answer| format!("{}LL", *answer as i64)).collect();
        let list = if answers.is_empty() { "0".to_string() } else { answers.join(", ") };
        let _ = writeln!(text, "static const long long {name}_answers[] = {{ {list} }};");
        let _ = writeln!(main, "    run(\"{name}\", {name}_main, {name}_answers, {});", answers.len());
    }
    format!("{text}{DRIVER}{main}    return 0;\n}}\n")
}

/// How a program ended, by the message of a sanitizer or its exit status.
fn ending(report: &str) -> Ending {
    const NULL: [&str; 4] = [
        "null pointer",
        "SEGV on unknown address 0x0000000000",
        "address points to the zero page",
        "null pointer passed as argument",
    ];
    const MESSAGES: [(&str, FindingKind); 10] = [
        ("heap-use-after-free", FindingKind::UseAfterFree),
        ("attempting double-free", FindingKind::DoubleFree),
        ("attempting free on address", FindingKind::InvalidFree),
        ("stack-use-after", FindingKind::DanglingStackPointer),
        ("buffer-overflow", FindingKind::InvalidDereference),
        ("buffer-underflow", FindingKind::InvalidDereference),
        ("out of bounds for type", FindingKind::InvalidDereference),
        ("with insufficient space", FindingKind::InvalidDereference),
        ("execution reached an unreachable", FindingKind::Assertion),
        ("detected memory leaks", FindingKind::Leak),
    ];
    let says = |text: &str| report.contains(text);
    if NULL.iter().any(|text| says(text)) {
        return Ending::Failed(FindingKind::NullDereference);
    }
    if says("division by zero") || says("FPE") {
        return Ending::DivisionByZero;
    }
    if let Some((_, kind)) = MESSAGES.iter().find(|(text, _)| says(text)) {
        return Ending::Failed(*kind);
    }
    if let Some(message) = report.lines().find_map(|line| line.split_once("runtime error: ")) {
        return Ending::Cut(format!("undefined: {}", message.1));
    }
    match report.lines().next() {
        Some(EXHAUSTED) => Ending::Exhausted,
        Some("exit 0") => Ending::Ended,
        other => Ending::Cut(format!("it ends with {}", other.unwrap_or("nothing"))),
    }
}

//! The machine: one executable for many programs, which runs each of them in a child process.
//!
//! Signed numbers wrap around, as they do in heap programs. Everything else that C leaves undefined ends a program with
//! a message of a sanitizer.

use super::Compiler;
use crate::differential::process::{lost, outputs};
use crate::differential::{Ending, Job, Trace};
use std::fmt::Write;
use std::process::Command;
use trifold_ir::FindingKind;

/// An assertion, whatever its type. Programs only declare the function.
const HEAD: &str = "#define assert(holds) ((holds) ? (void)0 : _Exit(77))\n";
const ASSERT: &str = "void assert(int);";

/// The functions that programs only declare, and what runs a program in a process of its own.
const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static const long long *rest;
static long left;
static long long next_choice(void) { if (left-- <= 0) _Exit(78); return *rest++; }
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
static void run(const char *name, int (*program)(void), const long long *answers, long count) {
    printf("@begin %s\n", name);
    int child = fork();
    if (child == 0) {
        dup2(1, 2);
        alarm(20);
        struct rlimit seconds = { 2, 2 };
        setrlimit(RLIMIT_CPU, &seconds);
        rest = answers;
        left = count;
        program();
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("\n@end %s %s %d\n", name, WIFEXITED(status) ? "exit" : "signal", WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}
"#;

const FLAGS: [&str; 7] = [
    "-w",
    "-g0",
    "-std=gnu11",
    "-fwrapv",
    "-fno-builtin",
    "-fsanitize=address,undefined",
    "-fno-sanitize=shift-base,alignment",
];

/// The exit status of a program whose assertion fails, and of one that asks for more choices than were made.
const FAILED: &str = "exit 77";
const EXHAUSTED: &str = "exit 78";

/// Is there such a compiler?
pub fn is_installed(command: &str) -> bool {
    Command::new(command).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Compiles and runs programs.
pub fn run(compiler: &Compiler, jobs: &[Job]) -> Result<Vec<Trace>, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, binary) = (directory.path().join("programs.c"), directory.path().join("programs"));
    std::fs::write(&source, text(jobs)).map_err(|error| error.to_string())?;
    let mut command = Command::new(&compiler.command);
    command.arg(compiler.level).args(FLAGS).arg("-fno-sanitize-recover=all").arg("-o").arg(&binary).arg(&source);
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
    let mut text = HEAD.to_string();
    let mut main = "int main(void) {\n    setvbuf(stdout, 0, _IONBF, 0);\n".to_string();
    for Job { name, text: program, answers } in jobs {
        // What the compiler says about a program names it.
        let _ = writeln!(text, "#line 1 \"{name}.c\"");
        text += &program.replace(ASSERT, "").replace("int main(void)", &format!("int {name}_main(void)"));
        let answers: Vec<String> = answers.iter().map(|answer| format!("{}LL", *answer as i64)).collect();
        let list = if answers.is_empty() { "0".to_string() } else { answers.join(", ") };
        let _ = writeln!(text, "static const long long {name}_answers[] = {{ {list} }};");
        let _ = writeln!(main, "    run(\"{name}\", {name}_main, {name}_answers, {});", answers.len());
    }
    format!("{text}#line 1 \"driver.c\"\n{DRIVER}{main}    return 0;\n}}\n")
}

/// The end of a program that calls `abort`, and of one that a sanitizer ends.
const ABORTED: &str = "signal 6";
const SANITIZER: &str = "exit 99";

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
        Some(FAILED) => Ending::Failed(FindingKind::Assertion),
        Some(EXHAUSTED) => Ending::Exhausted,
        Some(end) if end.starts_with("exit ") && end != SANITIZER || end == ABORTED => Ending::Ended,
        other => Ending::Cut(format!("it ends with {}", other.unwrap_or("nothing"))),
    }
}

//! Random programs go the same way in the interpreter and in the machine, and compute the same.

use crate::compiled::{Asked, Ending, STUBS, of_interpreter, of_machine};
use crate::generate::program;
use crate::support::translated;
use std::process::Command;
use trifold_examples::tools::c_compiler;
use trifold_ir::{Options, Program, Run, Statement, Value, interpret};

/// Programs are compiled together, since to start a compiler takes longer than to compile one of them.
const BATCH: u64 = 16;
const BATCHES: u64 = 3;
const SEEDS: u64 = 2;

/// Calls one of the programs, and shows its checksum when it ends.
const DRIVER: &str = "\nextern int atoi(const char *);\nint main(int count, char **arguments) {\n    int result = programs[atoi(arguments[1])]();\n    \
     fprintf(stderr, \"checksum %u\\n\", checksums[atoi(arguments[1])]());\n    return result;\n}\n";

#[test]
fn programs_compute_the_same() {
    let Some(compiler) = c_compiler() else { return };
    let more = std::env::var("RANDOM_BATCHES").ok().and_then(|batches| batches.parse().ok());
    let (mut compared, mut computed) = (0, 0);
    for batch in 0..more.unwrap_or(BATCHES) {
        let (these, those) = compare(compiler, batch * BATCH);
        (compared, computed) = (compared + these, computed + those);
    }
    eprintln!("{compared} runs were compared, {computed} of them to the end");
    assert!(compared > 30 && computed > 10, "only {compared} runs were compared, {computed} of them to the end");
}

fn compare(compiler: &str, first: u64) -> (usize, usize) {
    let directory = tempfile::tempdir().unwrap();
    let binary = directory.path().join("program");
    let mut command = Command::new(compiler);
    command.args(["-w", "-g0", "-O0", "-fwrapv", "-fsanitize=address", "-fno-builtin", "-o"]).arg(&binary);
    let write = |name: &str, text: String| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    for number in 0..BATCH {
        let read = format!("unsigned checksum{number}(void) {{ return checksum; }}\n");
        command.arg(write(&format!("{number}.c"), program(first + number, &format!("main{number}")) + &read));
    }
    let names = |name: &str| (0..BATCH).map(|number| format!("{name}{number}")).collect::<Vec<_>>();
    let declare = |ty: &str, name: &str| {
        let declarations = names(name).iter().map(|name| format!("{ty} {name}(void);\n")).collect::<String>();
        format!(
            "{declarations}{ty} (*{}s[])(void) = {{{}}};\n",
            if name == "main" { "program" } else { name },
            names(name).join(", ")
        )
    };
    let driver = format!("{STUBS}{}{}{DRIVER}", declare("int", "main"), declare("unsigned", "checksum"));
    let built = command.arg(write("driver.c", driver)).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let (mut compared, mut computed) = (0, 0);
    for number in 0..BATCH {
        let text = program(first + number, "main");
        let program = translated("random.c", &text);
        for seed in 0..SEEDS {
            let mut choices = Asked::new(seed);
            let (run, checksum) = run(&program, &mut choices);
            let interpreted = of_interpreter(&run);
            if interpreted == Ending::Unknown || !choices.comparable || only_computes_an_address(&program, &run) {
                continue;
            }
            compared += 1;
            let mut command = Command::new(&binary);
            command.arg(number.to_string());
            let (machine, report) = of_machine(command, &choices.answers);
            let shown = || format!("program {}, seed {seed}\n{text}\n{run:?}\n{report}", first + number);
            assert_eq!(machine, interpreted, "{}", shown());
            if let Some((_, rest)) = report.split_once("checksum ") {
                computed += 1;
                assert_eq!(rest.split_whitespace().next(), Some(checksum.to_string().as_str()), "{}", shown());
            }
        }
    }
    (compared, computed)
}

/// Is the last finding that the address of a part, or that of a whole, is computed from a bad pointer? Heap programs
/// call that a dereference, the machine does not.
fn only_computes_an_address(program: &Program, run: &Run) -> bool {
    run.findings.last().is_some_and(|finding| match program[finding.point.procedure].edges[finding.edge].statement {
        Statement::Owner { .. } => true,
        Statement::Load { field, .. } => program[field].embedded,
        _ => false,
    })
}

/// Runs a program; also the last value of its variable `checksum`.
fn run(program: &Program, choices: &mut Asked) -> (Run, i128) {
    let entry = program.entry.expect("an entry");
    let variable = program.globals().find(|variable| program[*variable].name == "checksum").expect("the checksum");
    let mut checksum = 0;
    let run = interpret(program, entry, &Options::default(), choices, &mut |_, state| {
        if let Value::Scalar(value) = state.globals[&variable] {
            checksum = value;
        }
    });
    (run, checksum)
}

//! The compiler as the judge of what types, constants and expressions are: random ones, hundreds in each executable.

mod bit_fields;
mod initializers;
mod integers;
mod layouts;

use std::process::Command;
use trifold_c::TranslateOptions;
use trifold_ir::{Options, RunEnd, Seeded, Value, interpret};

/// Numbers that look random, and are the same each time.
pub struct Random(u64);

impl Random {
    /// A sequence for each seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// One of several.
    pub fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// The seeds of batches: one, or as many as are asked for.
pub fn seeds() -> std::ops::Range<u64> {
    let more = std::env::var("RANDOM_BATCHES").ok().and_then(|batches| batches.parse().ok());
    0..more.unwrap_or(1)
}

/// The lines that a program prints.
pub fn printed(compiler: &str, text: &str) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let (source, binary) = (directory.path().join("program.c"), directory.path().join("program"));
    std::fs::write(&source, text).unwrap();
    let flags = ["-w", "-g0", "-O0", "-fwrapv", "-std=gnu11", "-o"];
    let built = Command::new(compiler).args(flags).arg(&binary).arg(&source).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).output().unwrap();
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

/// A piece of a program: declarations, and statements that compute the `unsigned long` with the name `r`.
pub struct Piece {
    /// The declarations.
    pub declarations: String,
    /// The statements.
    pub statements: String,
}

/// Compares the results of pieces with those of the compiler; how many could be compared.
pub fn compare(compiler: &str, preamble: &str, pieces: &[Piece]) -> usize {
    let mut text = format!("int printf(const char *, ...);\n{preamble}");
    for (number, piece) in pieces.iter().enumerate() {
        let Piece { declarations, statements } = piece;
        text += &format!("static void f{number}(void) {{ unsigned long r = 0; {declarations}\n{statements}\n");
        text += "printf(\"%lu\\n\", r); }\n";
    }
    let calls: String = (0..pieces.len()).map(|number| format!("f{number}();\n")).collect();
    let lines = printed(compiler, &format!("{text}int main(void) {{ {calls} return 0; }}\n"));
    assert_eq!(lines.len(), pieces.len());
    let mut compared = 0;
    for (piece, line) in pieces.iter().zip(lines) {
        let Piece { declarations, statements } = piece;
        let text = format!("{preamble}unsigned long r; int main(void) {{ {declarations}\n{statements}\nreturn 0; }}\n");
        if let Some(value) = interpreted(&text) {
            assert_eq!(value.to_string(), line, "{text}");
            compared += 1;
        }
    }
    compared
}

/// The value of `r` when a program ends; none if it is not analysed.
fn interpreted(text: &str) -> Option<i128> {
    let loaded = trifold_c::load("piece.c", text).unwrap_or_else(|failure| panic!("{text}\n{}", failure.render(false)));
    let program = trifold_c::translate(&loaded.program, &TranslateOptions::default()).program;
    let entry = program.entry.expect("an entry");
    let variable = program.globals().find(|variable| program[*variable].name == "r").expect("the result");
    let mut result = 0;
    let run = interpret(&program, entry, &Options::default(), &mut Seeded::new(0), &mut |_, state| {
        if let Value::Scalar(value) = state.globals[&variable] {
            result = value;
        }
    });
    (run.outcome == RunEnd::Ended && run.findings.is_empty()).then_some(result)
}

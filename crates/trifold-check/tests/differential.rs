//! Small campaigns against the compilers of the machine: what programs note, in which order, and how they end is the
//! same as in the interpreter, and what fails is not proved. `cargo xtask differential` runs larger ones.

use std::path::Path;
use trifold_examples::tools::{c_compiler, require};
use trifold_oracle::differential::{C, Comparison, Java, Job, Language, Options, Programs, compare, run};

/// Runs a campaign, of which a quarter must be judged in full: of changed examples, compilers refuse many.
fn judge(language: &dyn Language, programs: &Programs, options: &Options) {
    let tally = run(language, programs, options).unwrap_or_else(|message| panic!("{message}"));
    assert!(tally.disagreements.is_empty(), "{tally}");
    assert!(4 * tally.judged >= tally.programs, "too little was judged: {tally}");
    assert!(tally.endings.len() > 1, "programs must end in several ways: {tally}");
    assert!(options.analysed == 0 || tally.analysed.1 > 0, "nothing was proved: {tally}");
}

#[test]
fn c_programs_do_what_the_compiler_makes_of_them() {
    if c_compiler().is_some() {
        let options = Options { programs: 80, seed: 1, batch: 80, analysed: 3, shown: 1 };
        judge(&C::default(), &Programs::Generated, &options);
    }
}

/// All examples and the programs of the tests of the translation, as they are; then with notes, and with small changes.
/// That what fails is not proved, other tests ask of the examples; campaigns ask it of changed ones.
#[test]
fn examples_in_c_do_what_the_compiler_makes_of_them() {
    if c_compiler().is_some() {
        let programs = of_workspace(&C::default());
        let options = Options { programs: 300, seed: 0, batch: 300, analysed: 0, shown: 1 };
        judge(&C::default(), &programs, &options);
        judge(&C::default(), &programs, &Options { programs: 120, seed: 700, ..options });
    }
}

#[test]
fn examples_in_java_do_what_the_compiler_makes_of_them() {
    if require("javac") && require("java") {
        let options = Options { programs: 300, seed: 0, batch: 300, analysed: 0, shown: 1 };
        let java = Java::start().unwrap();
        judge(&java, &of_workspace(&java), &options);
    }
}

fn of_workspace(language: &dyn Language) -> Programs {
    Programs::of_workspace(language, &Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

#[test]
fn java_programs_do_what_the_compiler_makes_of_them() {
    if require("javac") && require("java") {
        let options = Options { programs: 160, seed: 1, batch: 160, analysed: 3, shown: 1 };
        judge(&Java::start().unwrap(), &Programs::Generated, &options);
    }
}

/// The judge sees a wrong value, a wrong order and a wrong end: here the two sides run different programs.
#[test]
fn a_wrong_translation_is_seen() {
    if c_compiler().is_none() {
        return;
    }
    let program = |statement: &str| {
        format!(
            "int printf(const char *, ...);
static void p_note_int(int value) {{ printf(\"int %d\\n\", value); }}
int main(void) {{
    int x = 1, *p = &x;
    {statement}
    p_note_int(x);
    p_note_int(*p);
    return 0;
}}
"
        )
    };
    assert_eq!(compare(&C::default(), "p", &program("x = 2;")), Ok(Comparison::Same));
    let run = |statement: &str| {
        let job = Job { name: "p".to_string(), text: program(statement), answers: Vec::new() };
        C::default().run(0, &[job]).unwrap().remove(0)
    };
    let ours = run("x = 2;");
    for statement in ["x = 3;", "p_note_int(2); x = 2;", "x = 2; p = 0;"] {
        assert!(matches!(ours.compare(&run(statement)), Comparison::Differs(_)), "{statement}");
    }
}

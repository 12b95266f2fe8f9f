//! Small campaigns against the compilers of the machine: what programs note, in which order, and how they end is the
//! same as in the interpreter, and what fails is not proved. `cargo xtask differential` runs larger ones.

use trifold_examples::tools::{c_compiler, require};
use trifold_oracle::differential::{C, Comparison, Java, Job, Language, Options, compare, run};

/// Runs a campaign, of which four in five programs must be judged in full.
fn judge(language: &dyn Language, options: &Options) {
    let tally = run(language, options).unwrap_or_else(|message| panic!("{message}"));
    assert!(tally.disagreements.is_empty(), "{tally}");
    assert!(5 * tally.judged >= 4 * tally.programs, "too little was judged: {tally}");
    assert!(tally.endings.len() > 2, "programs must end in several ways: {tally}");
    assert!(tally.analysed.0 > 0 && tally.analysed.1 > 0, "nothing was proved: {tally}");
}

#[test]
fn c_programs_do_what_the_compiler_makes_of_them() {
    if c_compiler().is_some() {
        judge(&C, &Options { programs: 80, seed: 1, batch: 80, analysed: 3, shown: 1 });
    }
}

#[test]
fn java_programs_do_what_the_compiler_makes_of_them() {
    if require("javac") && require("java") {
        judge(&Java, &Options { programs: 160, seed: 1, batch: 160, analysed: 3, shown: 1 });
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
    assert_eq!(compare(&C, "p", &program("x = 2;")), Ok(Comparison::Same));
    let run = |statement: &str| {
        let job = Job { name: "p".to_string(), text: program(statement), answers: Vec::new() };
        C.run(&[job]).unwrap().remove(0)
    };
    let ours = run("x = 2;");
    for statement in ["x = 3;", "p_note_int(2); x = 2;", "x = 2; p = 0;"] {
        assert!(matches!(ours.compare(&run(statement)), Comparison::Differs(_)), "{statement}");
    }
}

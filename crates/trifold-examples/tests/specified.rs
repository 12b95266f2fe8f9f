//! The functions of `examples/c/checkers`, which state their preconditions and postconditions with checkers.
//!
//! Those without a bug are proved, the bugs that are planted in the others are found, and all of them are plain C.

use std::process::Command;
use trifold_c::{TranslateOptions, Translation, load, translate};
use trifold_examples::c::{Example, headers, specified};
use trifold_examples::tools::c_compiler;
use trifold_heap_sl::{GraphReport, Options, Verdict, check, is_specified, refusals};
use trifold_ir::{FindingKind, ProcId, Program};

/// A check with more and more work, as long as that could prove more.
fn in_rounds(program: &Program, root: ProcId) -> GraphReport {
    let round = |part| check(program, root, &Options::default().part(part), &mut || true);
    [16, 4].into_iter().map(round).find(|report| !report.cut_short).unwrap_or_else(|| round(1))
}

/// The findings in all functions of an example.
fn findings(example: &Example) -> Vec<(FindingKind, usize)> {
    let (name, text) = (example.name(), example.preprocessed().expect("a compiler"));
    let loaded = load(&name, &text).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    let Translation { program, functions, .. } =
        translate(&loaded.program, &TranslateOptions { entry: None, ..TranslateOptions::default() });
    assert_eq!(refusals(&program), [], "{name}");
    let procedures = functions.iter().flat_map(|function| &function.procedures).copied();
    let roots: Vec<_> = procedures.filter(|procedure| is_specified(&program, *procedure)).collect();
    assert!(!roots.is_empty(), "{name} specifies nothing");
    let mut found = Vec::new();
    for root in roots {
        let report = in_rounds(&program, root);
        let line = |span| loaded.sources.locate(span).1.line;
        let at = report.findings.iter().map(|finding| (finding.kind, line(finding.place.span)));
        let before = found.len();
        found.extend(at);
        let function = &program[root].name;
        assert_eq!(found.len() == before, report.overall() == Verdict::Proved, "{name}: {function}, {:?}", report.stop);
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn functions_keep_what_they_promise() {
    let examples = specified();
    if c_compiler().is_none() {
        return;
    }
    let mut wrong = Vec::new();
    for example in &examples {
        let found = findings(example);
        let missed = example.expected.iter().any(|finding| !found.contains(finding));
        if missed || example.expected.is_empty() != found.is_empty() {
            wrong.push(format!("{}: expected {:?}, found {found:?}", example.name(), example.expected));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_is_a_twin_of_each_function() {
    let examples = specified();
    let (proved, planted): (Vec<&Example>, Vec<&Example>) = examples.iter().partition(|example| example.is_proved());
    assert!(planted.len() >= 30, "only {} twins", planted.len());
    for example in planted {
        let twin = example.twin.as_ref().unwrap_or_else(|| panic!("{}: the twin of what?", example.name()));
        let original = proved.iter().find(|other| other.path.ends_with(&twin.original));
        let original = original.unwrap_or_else(|| panic!("{}: there is no {}", example.name(), twin.original));
        assert_ne!(original.body(), example.body(), "{}: nothing is planted", example.name());
    }
}

/// The benchmarks of [ChangRN07 §5] with the numbers of graphs and iterations in its table. The driver is another one
/// than there.
const MEASURED: [(&str, usize, usize); 6] = [
    ("list_reverse.c", 1, 3),
    ("list_remove.c", 4, 6),
    ("insertion_sort.c", 4, 7),
    ("tree_find.c", 2, 4),
    ("skip_rebalance.c", 6, 7),
    ("scull.c", 4, 16),
];

/// As few graphs at a program point as the paper says, and as few iterations.
#[test]
fn benchmarks_take_no_more_than_in_the_paper() {
    let examples = specified();
    if c_compiler().is_none() {
        return;
    }
    let mut wrong = Vec::new();
    for (file, graphs, iterations) in MEASURED {
        let example = examples.iter().find(|example| example.path.ends_with(file)).expect("a benchmark");
        let loaded = load(file, &example.preprocessed().expect("a compiler")).expect("C");
        let options = TranslateOptions { entry: None, ..TranslateOptions::default() };
        let Translation { program, functions, .. } = translate(&loaded.program, &options);
        let procedures = functions.iter().flat_map(|function| &function.procedures).copied();
        for root in procedures.filter(|procedure| is_specified(&program, *procedure)) {
            let report = in_rounds(&program, root);
            let taken = (report.most_graphs, report.iterations);
            println!("{file}: {}: {taken:?}", program[root].name);
            if taken.0 > graphs || taken.1 > iterations {
                wrong.push(format!("{file}: {}: {taken:?} instead of {:?}", program[root].name, (graphs, iterations)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checkers are functions as any other for a C compiler.
#[test]
fn a_compiler_understands_them() {
    let Some(compiler) = c_compiler() else { return };
    for example in specified() {
        let flags = ["-std=c11", "-Wall", "-Werror", "-fsyntax-only", "-I"];
        let output = Command::new(compiler).args(flags).arg(headers()).arg(&example.path).output();
        let output = output.expect("the compiler runs");
        assert!(output.status.success(), "{}: {}", example.name(), String::from_utf8_lossy(&output.stderr));
    }
}

/// Functions that cannot be checkers, the line that is refused, and a part of the message. The line after `T` is the
/// first one.
const REFUSED: [(&str, usize, &str); 10] = [
    ("bool c(T *p) {\nwhile (p != 0)\np = p->next;\nreturn true; }", 3, "loop"),
    ("bool c(T *p) {\nreturn p == 0 || (c(p->next)\n&& c(p->next)); }", 3, "used twice"),
    ("bool c(T *p) {\nreturn p == 0 ||\n(p->next->prev == p && c(p->next)); }", 3, "field of another element"),
    ("bool c(T *p) {\nreturn p == 0 ||\n(p->value > 0 && c(p->next)); }", 3, "numbers"),
    ("bool c(T *p) {\nreturn p == 0 || c(\np); }", 2, "never ends"),
    ("bool c(T *p) { return c(p->next); }", 1, "never ends"),
    (
        "bool d(T *p);\nbool c(T *p) { return p == 0 || d(p->next); }\nbool d(T *p) { return p == 0 || c(p->next); }",
        2,
        "call each other",
    ),
    ("bool c(T *p) {\nreturn c(p->next)\n|| p == 0; }", 2, "another checker does not"),
    ("bool c(T *p) {\nif (p == 0) return true;\np->value = 1;\nreturn c(p->next); }", 3, "changes nothing"),
    ("T *g;\nbool c(T *p) {\nreturn p == 0 || (p->prev == g\n&& c(p->next)); }", 3, "nowhere"),
];

#[test]
fn what_is_no_checker_is_refused() {
    let mut wrong = Vec::new();
    for (text, line, part) in REFUSED {
        let start = "typedef struct node { struct node *next; struct node *prev; int value; } T; void abort(void);\n";
        let whole = format!("{start}{text}\nvoid f(T *x) {{ c(x) ? (void)0 : abort(); }}\n");
        let loaded = load("test.c", &whole).unwrap_or_else(|failure| panic!("{text}{:?}", failure.diagnostics));
        let options = TranslateOptions { entry: None, ..TranslateOptions::default() };
        let program = translate(&loaded.program, &options).program;
        let refused = refusals(&program);
        let said = refused.iter().map(|(_, refusal)| (loaded.sources.locate(refusal.span).1.line - 1, &refusal.why));
        let said: Vec<(usize, &String)> = said.collect();
        if !matches!(said[..], [(at, why)] if at == line && why.contains(part)) {
            wrong.push(format!("{text}\n{said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

//! Contracts in comments of C and Java: `trifold check` on the programs of `examples/contracts`, and on contracts that
//! are none.

mod support;

use support::{Scratch, files, trifold, workspace};
use trifold_examples::tools::require;

/// The expectations of a header: kinds and lines.
fn expected(path: &str) -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(workspace().join(path)).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("// expect: ")?.split_once(" at "));
    lines.map(|(kind, line)| (kind.to_string(), line.trim().parse().unwrap())).collect()
}

#[test]
fn examples_get_what_their_headers_say() {
    if !require("cc") {
        return;
    }
    let paths: Vec<String> =
        files("examples/contracts", "c").into_iter().chain(files("examples/contracts", "java")).collect();
    let mut twins = 0;
    for path in &paths {
        let report = trifold(["check", path, "--format", "json", "--quiet"]).json();
        let findings = report["functions"].as_array().unwrap().iter().flat_map(|f| f["findings"].as_array().unwrap());
        let found: Vec<(String, u64)> =
            findings.map(|f| (f["kind"].as_str().unwrap().to_string(), f["line"].as_u64().unwrap())).collect();
        let expected = expected(path);
        match expected.is_empty() {
            true => assert_eq!((report["verdict"].as_str(), &found[..]), (Some("proved"), &[][..]), "{path}"),
            false => {
                twins += 1;
                assert!(["bug", "may-fail"].contains(&report["verdict"].as_str().unwrap()), "{path}");
                assert!(expected.iter().all(|one| found.contains(one)), "{path}: {found:?}");
            }
        }
    }
    assert!(paths.len() - twins >= 8 && twins >= 10, "{paths:?}");
}

/// A call that breaks a contract in a run is a bug at the call, and a body that does is one at its postcondition.
#[test]
fn breaches_are_confirmed() {
    if !require("cc") {
        return;
    }
    for path in [
        "examples/contracts/insert_bug.c",
        "examples/contracts/append_call_bug.c",
        "examples/contracts/InsertBug.java",
        "examples/contracts/append_body_bug.c",
    ] {
        let report = trifold(["check", path, "--format", "json", "--quiet"]).json();
        let findings = report["functions"].as_array().unwrap().iter().flat_map(|f| f["findings"].as_array().unwrap());
        let bugs: Vec<(String, u64)> = findings
            .filter(|finding| finding["verdict"] == "bug")
            .map(|f| (f["kind"].as_str().unwrap().to_string(), f["line"].as_u64().unwrap()))
            .collect();
        assert!(expected(path).iter().all(|one| bugs.contains(one)), "{path}: {bugs:?}");
    }
}

/// A contract before `f` of a list `x` and a number `n`, the message about it, and the text that is marked.
const WRONG: [(&str, &str, &str); 14] = [
    ("/*@ require list(x); */", "expected `requires` or `ensures`, found `require`", "require"),
    ("/*@ requires list(x) || x == 0; */", "expected `&&` or `;`, found `||`", "||"),
    ("/*@ requires list(y); */", "there is no parameter or global variable `y`", "y"),
    ("/*@ requires lst(x); */", "there is no function `lst`, and no shape that is called so", "lst"),
    ("/*@ requires sorted(x); */", "there is no function `sorted`, and no shape that is called so", "sorted"),
    ("/*@ requires tree(x); */", "`tree` needs a struct with several pointers to its own kind", "tree"),
    ("/*@ requires list(n); */", "`list` is about a pointer to a struct", "list"),
    ("/*@ requires list(x, x); */", "`list` has one argument", "list"),
    ("/*@ requires \\result == 0; */", "it can be ensured, not required", "\\result"),
    ("/*@ ensures x < \\result; */", "pointers are equal or not; they have no order", "x < \\result"),
    ("/*@ ensures n == x; */", "values of different types are compared", "n == x"),
    ("/*@ ensures x->next == 0; */", "expected a comparison, found `->`", "->"),
    ("/*@ ensures \\old(g) == 0; */", "`g` is no parameter, and of nothing else the old value is kept", "\\old(g)"),
    ("/*@ requires walk(x); */", "`walk` is no checker", "walk(x)"),
];

#[test]
fn what_is_no_contract_is_told_where_it_stands() {
    let directory = tempfile::tempdir().unwrap();
    let start = "struct node { struct node *next; };\nstruct node *g;\n\
        _Bool walk(struct node *p) { while (p) p = p->next; return 1; }\n";
    for (contract, message, at) in WRONG {
        let file = directory.path().join("wrong.c");
        std::fs::write(&file, format!("{start}{contract}\nstruct node *f(struct node *x, int n) {{ return x; }}\n"))
            .unwrap();
        let run = trifold(["check", file.to_str().unwrap()]);
        let text = run.stderr;
        let column = contract.find(at).unwrap() + 1;
        assert!(text.contains(message), "{contract}\n{text}");
        assert!(text.contains(&format!("wrong.c:4:{column}\n")), "{contract}\n{text}");
    }
    let nothing = "int x; /*@ requires x == 0; */\nint y;\nvoid f(void) { }\n";
    let file = directory.path().join("nothing.c");
    std::fs::write(&file, nothing).unwrap();
    let text = trifold(["check", file.to_str().unwrap()]).stderr;
    assert!(text.contains("this contract is about nothing"), "{text}");
    let java = "class A { A next; //@ ensures list(\\result);\n A x; static A f() { return null; } }";
    let file = directory.path().join("A.java");
    std::fs::write(&file, java).unwrap();
    let text = trifold(["check", file.to_str().unwrap()]).stderr;
    assert!(text.contains("this contract is about nothing"), "{text}");
}

/// Another tool's remarks are none of our business.
#[test]
fn single_words_are_remarks_for_other_tools() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("remark.c");
    std::fs::write(&file, "/*@null@*/ int *f(/*@unused@*/ int n) { return 0; }\n").unwrap();
    trifold(["check", file.to_str().unwrap(), "--quiet"]).expect(0);
}

/// A contract that is not verified is not proved.
#[test]
fn the_other_domain_does_not_verify_contracts() {
    let report = trifold(["check", "examples/contracts/Insert.java", "--domain", "tvl", "--format", "json", "--quiet"]);
    assert_ne!(report.json()["verdict"], "proved");
}

/// A contract in a header counts, in every way to tell the preprocessor where the header is.
#[test]
fn headers_have_contracts() {
    if !require("cc") {
        return;
    }
    let scratch = Scratch::new();
    scratch.file(
        "same.h",
        "struct node { struct node *next; };\n/*@ requires list(x); ensures list(\\result); */\nstruct node *same(struct node *x);\n",
    );
    let text = "#include <stdlib.h>\n#include <same.h>\nint main(void) {\n    struct node *x = malloc(sizeof *x);\n    x->next = x;\n    x = same(x);\n    return 0;\n}\n";
    let file = scratch.file("ring.c", text);
    let directory = scratch.path("");
    let check = |more: &[&str], compiler: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_trifold"));
        let output =
            command.args(["check", &file, "--format", "json"]).args(more).env("CC", compiler).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("the precondition of `same`"), "{text}");
    };
    check(&["-I", &directory], "cc");
    check(&[], &format!("cc -I{directory}"));
}

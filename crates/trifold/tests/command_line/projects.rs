//! Checks of projects: which files, which options, and findings that do not count.

use super::*;

const DOUBLE: &str =
    "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  free(p);\n  free(p);\n  return 0;\n}\n";

fn check(directory: &std::path::Path, arguments: &[&str]) -> Run {
    let mut command = Command::new("sh");
    command.args(["-c", "cd \"$0\" && exec \"$@\""]).arg(directory).arg(env!("CARGO_BIN_EXE_trifold"));
    command.arg("check").args(arguments);
    run(command, DEADLINE)
}

fn directory(scratch: &Scratch) -> std::path::PathBuf {
    std::path::PathBuf::from(scratch.path("")).components().collect()
}

#[test]
fn comments_silence_one_kind_on_one_line() {
    let scratch = Scratch::new();
    let silenced =
        DOUBLE.replacen("free(p);\n  return", "free(p); // trifold: ignore double-free - on purpose\n  return", 1);
    let file = scratch.file("a.c", &silenced);
    let run = trifold(["check", &file]).expect(0);
    assert!(run.stdout.contains("1 not counted") && !run.stdout.contains("proved:"), "{}", run.stdout);
    assert!(!run.stderr.contains("double-free"), "{}", run.stderr);
    let report = trifold(["check", &file, "--format", "json"]).expect(0).json();
    assert_eq!(report["verdict"], "bug", "it is still there");
    assert_eq!(report["functions"][0]["findings"][0]["suppressed"], "comment");
    let log = trifold(["check", &file, "--format", "sarif"]).expect(0).json();
    assert_eq!(log["runs"][0]["results"][0]["suppressions"][0]["kind"], "inSource");
    let xml = trifold(["check", &file, "--format", "junit"]).expect(0).stdout;
    assert!(xml.contains("failures=\"0\" skipped=\"1\""), "{xml}");
    // Another kind, or another line, is no concern of it.
    let other = scratch.file("b.c", silenced.replace("ignore double-free", "ignore leak"));
    trifold(["check", &other]).expect(1);
    let moved = scratch.file("c.c", format!("// trifold: ignore double-free\n{DOUBLE}"));
    trifold(["check", &moved]).expect(1);
}

#[test]
fn only_what_is_new_counts_against_a_baseline() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", DOUBLE);
    let baseline = scratch.path("baseline.json");
    trifold(["check", &file, "--write-baseline", &baseline]).expect(1);
    assert!(trifold(["check", &file, "--write-baseline", &baseline]).expect(2).stderr.contains("--force"));
    trifold(["check", &file, "--baseline", &baseline]).expect(0);
    // Lines that move change nothing.
    scratch.file("a.c", format!("\n\n\n{DOUBLE}"));
    trifold(["check", &file, "--baseline", &baseline]).expect(0);
    // Something new does.
    scratch.file("a.c", DOUBLE.replace("return 0;", "p = 0;\n  *p = 1;\n  return 0;").replacen("  free(p);\n", "", 1));
    let run = trifold(["check", &file, "--baseline", &baseline]).expect(1);
    assert!(run.stderr.contains("null-dereference"), "{}", run.stderr);
    let wrong = scratch.file("wrong.json", "{\"version\": 99, \"findings\": []}");
    assert!(trifold(["check", &file, "--baseline", &wrong]).expect(2).stderr.contains("version"));
    assert!(trifold(["check", &file, "--baseline", &file]).expect(2).stderr.contains("is no baseline"));
}

#[test]
fn patterns_name_files() {
    let scratch = Scratch::new();
    let root = directory(&scratch);
    std::fs::create_dir_all(root.join("src/deep")).unwrap();
    for name in ["src/a.c", "src/b.c", "src/deep/c.c"] {
        std::fs::write(root.join(name), "int main(void) { return 0; }\n").unwrap();
    }
    let files = |pattern: &str| -> Vec<String> {
        let reports = check(&root, &[pattern, "--format", "json"]).expect(0).json();
        reports.as_array().unwrap().iter().map(|report| report["file"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(files("src/*.c"), ["src/a.c", "src/b.c"]);
    assert_eq!(files("**/*.c"), ["src/a.c", "src/b.c", "src/deep/c.c"]);
    assert!(check(&root, &["*.c"]).expect(2).stderr.contains("no file is called like *.c"));
    assert!(check(&root, &[]).expect(2).stderr.contains("no file to check"));
}

#[test]
fn a_configuration_has_options_allocators_and_rules() {
    let scratch = Scratch::new();
    let root = directory(&scratch);
    let text = "typedef unsigned long size_t;\nvoid *my_alloc(size_t n);\nvoid my_free(void *p);\n\
        struct s { struct s *n; };\nint main(void) {\n  struct s *p = my_alloc(sizeof *p);\n  p->n = 0;\n  my_free(p);\n\
        my_free(p);\n  return 0;\n}\n";
    scratch.file("a.c", text);
    let configure = |text: &str| scratch.file("trifold.toml", text);
    configure("[check]\nfiles = [\"*.c\"]\nquiet = true\n[allocators]\nmy_alloc = \"malloc\"\nmy_free = \"free\"\n");
    let run = check(&root, &["--format", "json"]).expect(1).json();
    let findings = run["functions"][0]["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{run}");
    assert_eq!(findings[0]["kind"], "double-free");
    let rules = "[allocators]\nmy_alloc = \"malloc\"\nmy_free = \"free\"\n[[suppress]]\nkind = \"double-free\"\nreason = \"known\"\n";
    configure(rules);
    check(&root, &["a.c"]).expect(0);
    configure(&rules.replace("reason = \"known\"\n", ""));
    assert!(check(&root, &["a.c"]).expect(2).stderr.contains("reason"));
    configure("[check]\nno-such-option = 1\n");
    let refused = check(&root, &["a.c"]).expect(2).stderr;
    assert!(refused.contains("--no-such-option") && refused.contains("trifold.toml"), "{refused}");
    configure("[allocators]\nmy_alloc = \"open\"\n");
    assert!(check(&root, &["a.c"]).expect(2).stderr.contains("malloc, calloc"));
    // The command line counts more.
    configure("[check]\ndomain = \"tvl\"\nformat = \"json\"\n");
    let report = check(&root, &["a.c", "--domain", "checkers"]).json();
    assert_eq!(report["domain"], "checkers");
}

#[test]
fn a_compilation_database_names_files_directories_and_macros() {
    let scratch = Scratch::new();
    let root = directory(&scratch);
    std::fs::create_dir_all(root.join("inc")).unwrap();
    std::fs::write(root.join("inc/node.h"), "struct node { struct node *next; };\n").unwrap();
    scratch.file("a.c", "#include \"node.h\"\nint main(void) { struct node *p = START; return p ? 1 : 0; }\n");
    let here = root.to_str().unwrap();
    let entries = serde_json::json!([
        { "directory": here, "file": "a.c", "command": "cc -Iinc '-DSTART=(struct node *)0' -c a.c", "output": "a.o" },
        { "directory": here, "file": "a.c", "arguments": ["cc", "-Iinc", "-DSTART=(struct node *)0", "-c", "a.c"] },
        { "directory": here, "file": "b.cpp", "command": "c++ -c b.cpp" },
    ]);
    scratch.file("compile_commands.json", entries.to_string());
    let report = check(&root, &["--compile-commands", "compile_commands.json", "--format", "json"]).expect(0).json();
    assert_eq!((&report["file"], &report["verdict"]), (&Value::from("a.c"), &Value::from("proved")));
    // A file that is compiled twice is two programs, and options that are not followed are told.
    let twice = serde_json::json!([
        { "directory": &root, "file": "one.c", "command": "cc -DA -UB -fpack-struct -c one.c" },
        { "directory": &root, "file": "one.c", "command": "cc -c one.c" },
        { "directory": &root, "file": "two.cpp", "command": "c++ -c two.cpp" },
    ]);
    scratch.file("one.c", "int main(void) { return 0; }");
    scratch.file("compile_commands.json", twice.to_string());
    let told = check(&root, &["--compile-commands", "compile_commands.json", "--format", "json"]).expect(0);
    assert_eq!(told.json().as_array().map(Vec::len), Some(2), "{}", told.stdout);
    assert!(told.stderr.contains("-fpack-struct in the command for one.c is not followed"), "{}", told.stderr);
    assert!(told.stderr.contains("two.cpp of compile_commands.json is no C file"), "{}", told.stderr);
    scratch.file("compile_commands.json", "{");
    assert!(check(&root, &["--compile-commands", "compile_commands.json"]).expect(2).stderr.contains("cannot be read"));
}

#[test]
fn sarif_says_which_files_were_refused() {
    let scratch = Scratch::new();
    let (good, bad) = (scratch.file("good.c", DOUBLE), scratch.file("bad.c", "int main( {\n"));
    let log = trifold(["check", &good, &bad, "--format", "sarif"]).expect(2).json();
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let note = &invocation["toolExecutionNotifications"][0];
    assert_eq!(note["level"], "error");
    let uri = note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.ends_with("/bad.c"), "{note}");
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 1);
}

#[test]
fn java_files_are_named_from_within_their_package() {
    if !trifold_examples::tools::require("javac") {
        return;
    }
    let scratch = Scratch::new();
    let root = directory(&scratch);
    for package in ["shop/stock", "shop/till"] {
        std::fs::create_dir_all(root.join(package)).expect("directories");
    }
    let shelf = "package shop.stock;\npublic class Shelf { public Shelf next; }\n";
    let till = "package shop.till;\nimport shop.stock.Shelf;\nclass Till {\n\
        static int count(Shelf s) { int n = 0; for (; s != null; s = s.next) n++; return n; }\n}\n";
    std::fs::write(root.join("shop/stock/Shelf.java"), shelf).expect("a file");
    std::fs::write(root.join("shop/till/Till.java"), till).expect("a file");
    for (from, file) in [("shop/till", "Till.java"), ("shop", "till/Till.java"), ("", "shop/till/Till.java")] {
        let run = check(&root.join(from), &[file]);
        assert!(run.stdout.contains("Till.count"), "{}{}", run.stdout, run.stderr);
    }
}

//! `trifold check` on functions that describe their arguments with checkers.

use std::process::{Command, Output};
use trifold_examples::tools::require;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

fn check(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trifold")).current_dir(ROOT).arg("check").args(arguments).output().unwrap()
}

/// The header is found without being installed, and the functions are proved by themselves.
#[test]
fn functions_are_proved() {
    if !require("cc") {
        return;
    }
    let output = check(&["examples/c/checkers/dll_unlink.c", "--explain"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("since functions say with checkers what their arguments are"), "{text}");
    // The tracked checkers are shown as C.
    assert!(text.contains("node_list(p->next, p) && p->prev == r0"), "{text}");
    let output = check(&["examples/c/checkers/dll_unlink_bug.c"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error[assertion]"));
}

#[test]
fn a_function_about_data_is_not_taken_for_a_checker() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("member.c");
    let text = "struct node { struct node *next; int data; };
        void abort(void);
        int member(struct node *p, int data) {
            while (p != 0 && p->data != data)
                p = p->next;
            return p != 0;
        }
        void f(struct node *x, int d) { member(x, d) ? (void)0 : abort(); }";
    std::fs::write(&file, text).unwrap();
    let output = check(&[file.to_str().unwrap()]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("checker"));
}

#[test]
fn what_is_no_checker_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("loop.c");
    let text = "struct node { struct node *next; };
        void abort(void);
        bool list(struct node *p) {
            while (p != 0)
                p = p->next;
            return true;
        }
        void f(struct node *x) { list(x) ? (void)0 : abort(); }";
    std::fs::write(&file, text).unwrap();
    let output = check(&[file.to_str().unwrap()]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("`list` is no checker"), "{errors}");
    assert!(errors.contains("a checker has no loop: let it call itself for the next element"), "{errors}");
    assert!(errors.contains("loop.c:5"), "{errors}");
}

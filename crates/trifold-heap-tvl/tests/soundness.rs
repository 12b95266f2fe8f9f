//! Random programs: every state that the interpreter sees is in the result of the analysis.

use trifold_oracle::oracle::Effort;
use trifold_oracle::random::random_program;
use trifold_oracle::{Cases, structures};

#[test]
fn random_programs_are_represented() {
    let cases = Cases { cases: 60, decisions: 0..40, file: file!() };
    let judge = |decisions: &[u8]| structures::judge_text(&random_program(decisions), &Effort::small(20, 200));
    cases.judge(judge).expect(95, 2_000);
}

/// `y->n` is not read after the call, but `y` was freed: a statement that takes its value away would fail in place of
/// the assertion.
#[test]
fn fields_of_freed_objects_do_not_hide_what_follows() {
    let text = "struct node { node *n; }
        entry proc main() {
            node *x; node *y; y = new zeroed node; y->n = y; x = new node; free(y);
            x = sub(x);
            error(assertion, \"e\");
        }
        proc sub(node *x) -> node *r { node *z; z = new zeroed node; z->n = z; r = sub2(x); z->n = x; }
        proc sub2(node *x) -> node *r { r = x; }";
    structures::judge_text(text, &Effort::small(20, 200)).unwrap_or_else(|wrong| panic!("{wrong}"));
}

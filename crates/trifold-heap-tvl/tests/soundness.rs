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

//! Random programs: every state that the interpreter sees is in the result of the analysis.

use trifold_oracle::oracle::Effort;
use trifold_oracle::random::{random_counts, random_program};
use trifold_oracle::{Cases, graphs};

#[test]
fn random_programs_are_represented() {
    let cases = Cases { cases: 200, decisions: 0..60, file: file!() };
    let judge = |decisions: &[u8]| graphs::judge_text(&random_program(decisions), &Effort::small(20, 200));
    cases.judge(judge).expect(95, 5_000);
}

#[test]
fn random_counts_of_lists_are_represented() {
    let cases = Cases { cases: 300, decisions: 0..12, file: file!() };
    let judge = |decisions: &[u8]| graphs::judge_text(&random_counts(decisions), &Effort::small(20, 300));
    cases.judge(judge).expect(60, 5_000);
}

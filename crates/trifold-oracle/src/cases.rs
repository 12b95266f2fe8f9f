//! Random cases that are counted, because a test of which most cases are skipped would say nothing.
//! For example, `Cases { cases: 60, decisions: 0..40, file: file!() }` is decided by up to forty numbers sixty times.

use crate::oracle::Tally;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::cell::RefCell;
use std::ops::Range;

/// So many random cases, each decided by numbers: the same ones in every run of the tests, so that a change is judged
/// by what it changes. `TRIFOLD_ORACLE=10` makes ten times as many, and others each time.
#[derive(Clone, Debug)]
pub struct Cases {
    /// How many.
    pub cases: u32,
    /// How many numbers decide a case.
    pub decisions: Range<usize>,
    /// The file of the test, as `file!()` says; numbers of cases that have failed are kept beside it.
    pub file: &'static str,
}

/// So many times the usual number of cases, as a variable of the environment says.
pub(crate) fn times(variable: &str) -> u32 {
    std::env::var(variable).ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

impl Cases {
    /// Judges all cases. One that fails is made as small as possible, and shown.
    #[track_caller]
    pub fn judge(self, judge: impl Fn(&[u8]) -> Result<Tally, String>) -> Tally {
        let config = ProptestConfig {
            cases: self.cases * times("TRIFOLD_ORACLE"),
            max_shrink_iters: 1_000,
            source_file: Some(self.file),
            ..ProptestConfig::default()
        };
        let tally = RefCell::new(Tally::default());
        let decisions = (prop::collection::vec(any::<u8>(), self.decisions),);
        let mut runner = match std::env::var_os("TRIFOLD_ORACLE") {
            Some(_) => TestRunner::new(config),
            None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
        };
        let judged = runner.run(&decisions, |(decisions,)| {
            *tally.borrow_mut() += judge(&decisions).map_err(TestCaseError::fail)?;
            Ok(())
        });
        if let Err(failure) = judged {
            panic!("{failure}");
        }
        let tally = tally.into_inner();
        println!("{tally}");
        tally
    }
}

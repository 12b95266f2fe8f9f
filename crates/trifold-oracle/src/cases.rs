//! Random cases that are counted, because a test of which most cases are skipped would say nothing.
//! For example, `Cases { cases: 60, decisions: 0..40, file: file!() }` is decided by up to forty numbers sixty times.

use crate::oracle::Tally;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use std::cell::RefCell;
use std::ops::Range;

/// So many random cases, each decided by numbers.
#[derive(Clone, Debug)]
pub struct Cases {
    /// How many; so many times more if `TRIFOLD_ORACLE` says so.
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
        let judged = TestRunner::new(config).run(&decisions, |(decisions,)| {
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

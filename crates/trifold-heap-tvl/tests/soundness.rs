//! Random programs: every state that the interpreter sees is in the result of the analysis.

mod common;

use proptest::prelude::*;
use trifold_ir::testing::random_program;

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 2000, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_are_represented(decisions in prop::collection::vec(any::<u8>(), 0..40)) {
        common::judge(&random_program(&decisions), 20, 200);
    }
}

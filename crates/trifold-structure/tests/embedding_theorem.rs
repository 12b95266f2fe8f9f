//! The Embedding Theorem [LevAmi00 Thm. 7.2]: a definite value in an abstract structure is the value in every structure
//! embedded in it. All soundness rests on it.

use proptest::prelude::*;
use trifold_logic::Var;
use trifold_structure::naive::{self, Assignment};
use trifold_structure::testing::{formula, structure, tuples, vocabulary};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn values_in_a_structure_are_as_definite_as_in_its_quotient(
        s in structure(&vocabulary(), 1..=4),
        f in formula(&vocabulary()),
        pick in prop::collection::vec(0..3usize, 4),
    ) {
        let mut classes = vec![Vec::new(); 3];
        s.universe().for_each(|u| classes[pick[u]].push(u));
        classes.retain(|class| !class.is_empty());
        let merged = s.quotient(&classes);
        let image = |u: usize| classes.iter().position(|class| class.contains(&u)).unwrap();
        let variables = ["v0", "v1", "v2"].map(Var::new);
        for tuple in tuples(3, s.size()) {
            let z: Assignment = variables.iter().cloned().zip(tuple.iter().copied()).collect();
            let fz: Assignment = variables.iter().cloned().zip(tuple.iter().map(|u| image(*u))).collect();
            prop_assert!(naive::evaluate(&f, &s, &z).info_leq(naive::evaluate(&f, &merged, &fz)));
        }
    }
}

//! A formula that is written as text is read back as the same formula.

use proptest::prelude::*;
use std::collections::BTreeSet;
use trifold_logic::{Formula, Kleene, Predicate, PredicateId, Var, Vocabulary};
use trifold_tvp::{MemoryFiles, Options, load};

const DECLARATIONS: &str = "%p b() %p x(v) %p r[n,x](v) %p n(v1, v2)";

fn vocabulary() -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for (name, arity) in [("b", 0), ("x", 1), ("r[n,x]", 1), ("n", 2)] {
        vocabulary.declare(Predicate::core(name, arity));
    }
    vocabulary
}

fn variables() -> impl Strategy<Value = Var> {
    prop::sample::select(vec!["v", "w", "u", "_l", "v'1"]).prop_map(Var::new)
}

fn leaves() -> impl Strategy<Value = Formula> {
    let [b, x, r, n] = [4, 5, 6, 7].map(PredicateId);
    prop_oneof![
        prop::sample::select(Kleene::ALL.to_vec()).prop_map(Formula::Value),
        Just(Formula::atom(b, [])),
        variables().prop_map(move |v| Formula::atom(x, [v])),
        variables().prop_map(move |v| Formula::atom(r, [v])),
        (variables(), variables()).prop_map(move |(v, w)| Formula::atom(n, [v, w])),
        (variables(), variables()).prop_map(|(v, w)| Formula::equal(v, w)),
        (variables(), variables()).prop_map(move |(v, w)| Formula::transitive_closure(n, v, w)),
        (variables(), variables()).prop_map(move |(v, w)| Formula::reflexive_closure(n, v, w)),
    ]
}

fn formulas() -> impl Strategy<Value = Formula> {
    leaves().prop_recursive(6, 40, 3, |inner| {
        let parts = || prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            inner.clone().prop_map(Formula::negate),
            parts().prop_map(Formula::and),
            parts().prop_map(Formula::or),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a.iff(b)),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| Formula::if_then_else(c, a, b)),
            (variables(), inner.clone()).prop_map(|(v, body)| Formula::exists([v], body)),
            (variables(), variables(), inner.clone()).prop_map(|(v, w, body)| Formula::forall([v, w], body)),
            (variables(), variables(), inner).prop_map(|(start, end, body)| closure(start, end, body)),
        ]
    })
}

/// A closure whose body is more than an atom, which would be an abbreviation.
fn closure(start: Var, end: Var, body: Formula) -> Formula {
    let (left, right) = (Var::new("s"), Var::new("t"));
    let body = Formula::and([Formula::atom(PredicateId(7), [right.clone(), left.clone()]), body]).into();
    Formula::Closure { start, end, left, right, body }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_formula_is_read_as_it_was_written(formula in formulas()) {
        let text = formula.show(&vocabulary()).to_string();
        let program = format!("{DECLARATIONS}\n%r {text} ==> 0\n%%\n%action Skip() {{}}\n%%\na Skip() b");
        let files = MemoryFiles::default().with("a.tvp", program);
        let loaded = load("a.tvp", &files, &Options::default()).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
        let read = &loaded.specification.rules[0].body;
        let apart = |formula: &Formula| formula.rename_apart(&BTreeSet::new());
        prop_assert_eq!(apart(read), apart(&formula), "{}", text);
    }
}

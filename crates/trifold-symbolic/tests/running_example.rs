//! The running example of \[YorshRS04\]: `assume[x->n == y && y != null]` on the lists that `x` points to, with `y`
//! anywhere.
//!
//! The result must be the structures S0 to S7 of Fig. 2, for every order in which predicates are looked at, with at
//! most the 158 queries that the paper reports.

use std::sync::Arc;
use trifold_logic::{Formula, Kleene, PredicateId, Var, Vocabulary};
use trifold_structure::{Layout, Structure};
use trifold_symbolic::{BuiltIn, Session, Symbolic};
use trifold_tvl::{Abstraction, BlurRule, Specification};
use trifold_tvp::{MemoryFiles, Options, load};

/// Table 1, and the integrity rules of §2.3.
fn specification() -> Specification {
    let text = "%p x(v) unique\n %p y(v) unique\n %p n(v1,v2) function
        %i is(v) = E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2
        %% %action skip() { %t \"skip\" } %% a skip() b";
    load("lists.tvp", &MemoryFiles::default().with("lists.tvp", text), &Options::default()).unwrap().specification
}

struct Example {
    specification: Specification,
    layout: Arc<Layout>,
    x: PredicateId,
    y: PredicateId,
    n: PredicateId,
}

impl Example {
    fn new() -> Example {
        let specification = specification();
        let vocabulary = &specification.vocabulary;
        let [x, y, n] = ["x", "y", "n"].map(|name| vocabulary.lookup(name).unwrap());
        Example { layout: Arc::new(Layout::new(vocabulary)), x, y, n, specification }
    }

    /// Fig. 2 (S).
    fn input(&self) -> Structure {
        let mut s = Structure::new(&self.layout, 2);
        let half = Kleene::Unknown;
        s.set(self.x, &[0], Kleene::True);
        s.set(self.y, &[0], half);
        s.set(self.y, &[1], half);
        s.set(self.n, &[0, 1], half);
        s.set(self.n, &[1, 1], half);
        s.set_summary(1, true);
        s
    }

    /// `E(v1,v2) x(v1) & n(v1,v2) & y(v2)`.
    fn precondition(&self) -> Formula {
        let [v, w] = ["v1", "v2"].map(Var::new);
        let parts = [
            Formula::atom(self.x, [v.clone()]),
            Formula::atom(self.n, [v.clone(), w.clone()]),
            Formula::atom(self.y, [w.clone()]),
        ];
        Formula::exists([v, w], Formula::and(parts))
    }

    /// Fig. 2 (S0–S7): a list of two elements alone, or with further elements.
    fn expected(&self) -> Vec<Structure> {
        let list = |size: usize| {
            let mut s = Structure::new(&self.layout, size);
            s.set(self.x, &[0], Kleene::True);
            s.set(self.y, &[1], Kleene::True);
            s.set(self.n, &[0, 1], Kleene::True);
            s
        };
        let rest = |summary: bool, from_y: Kleene, within: Kleene| {
            let mut s = list(3);
            s.set_summary(2, summary);
            s.set(self.n, &[1, 2], from_y);
            s.set(self.n, &[2, 2], within);
            s
        };
        use Kleene::{False, True, Unknown};
        let structures = [
            list(2),
            rest(false, False, False),
            rest(false, True, False),
            rest(false, False, True),
            rest(true, False, False),
            rest(true, Unknown, False),
            rest(true, False, Unknown),
            rest(true, Unknown, Unknown),
        ];
        let abstraction = Abstraction::new(&self.specification.vocabulary, BlurRule::Different);
        structures.iter().map(|s| abstraction.blur(s)).collect()
    }
}

fn permutations<T: Copy>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for i in 0..items.len() {
        let rest = [&items[..i], &items[i + 1..]].concat();
        all.extend(permutations(&rest).into_iter().map(|tail| [&[items[i]], &tail[..]].concat()));
    }
    all
}

#[test]
fn eight_structures_in_any_order() {
    let example = Example::new();
    let symbolic = Symbolic::new(&example.specification);
    let predicates: Vec<PredicateId> = example.specification.vocabulary.ids().skip(Vocabulary::BUILT_IN).collect();
    let sorted = |mut structures: Vec<Structure>| {
        structures.sort_by(|a, b| (a.size(), a.words()).cmp(&(b.size(), b.words())));
        structures
    };
    let expected = sorted(example.expected());
    let orders = permutations(&predicates);
    assert_eq!(orders.len(), 24);
    let started = std::time::Instant::now();
    for order in orders {
        let (mut solver, mut stop) = (BuiltIn::default(), || false);
        let mut session = Session::new(&mut solver, &mut stop);
        let input = [example.input()];
        let result = symbolic.assume_in_order(&example.precondition(), &input, &order, &mut session);
        let result: Vec<Structure> = result.into_iter().map(|found| found.structure).collect();
        assert!(result == expected, "{order:?}: {} structures", result.len());
        assert!(session.report.is_most_precise());
        assert!(session.report.queries <= 158, "{order:?}: {} queries", session.report.queries);
    }
    // Each order takes about a millisecond; the paper's 158 queries took 27 seconds.
    assert!(started.elapsed() < std::time::Duration::from_millis(24 * 50), "{:?}", started.elapsed());
}

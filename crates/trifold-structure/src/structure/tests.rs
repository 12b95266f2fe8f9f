//! Tests of structures and of their bits.

use super::*;
use trifold_logic::Predicate;

fn layout() -> (Arc<Layout>, PredicateId, PredicateId, PredicateId) {
    let mut vocabulary = Vocabulary::default();
    let mut declare = |name, arity| vocabulary.declare(Predicate::core(name, arity)).unwrap();
    let (b, x, n) = (declare("b", 0), declare("x", 1), declare("n", 2));
    (Arc::new(Layout::new(&vocabulary)), b, x, n)
}

#[test]
fn values_are_read_back_in_small_and_large_universes() {
    let (layout, b, x, n) = layout();
    for size in [1, 3, 64, 65, 130] {
        let mut s = Structure::new(&layout, size);
        let last = size - 1;
        for value in Kleene::ALL {
            s.set(b, &[], value);
            s.set(x, &[last], value);
            s.set(n, &[0, last], value);
            assert_eq!(s.get(b, &[]), value);
            assert_eq!(s.get(x, &[last]), value);
            assert_eq!(s.get(n, &[0, last]), value);
        }
        assert_eq!(s.get(n, &[last, last]) == Kleene::True, last == 0);
    }
}

#[test]
fn selecting_duplicates_pairs() {
    let (layout, _, x, n) = layout();
    let mut s = Structure::new(&layout, 2);
    s.set(x, &[0], Kleene::True);
    s.set(n, &[0, 1], Kleene::True);
    s.set(n, &[1, 1], Kleene::Unknown);
    assert_eq!(s.with_copy(1), s.select(&[0, 1, 1]));
    let twice = s.select(&[1, 0, 1]);
    assert_eq!(twice.get(x, &[1]), Kleene::True);
    assert_eq!(twice.get(n, &[1, 0]), Kleene::True);
    assert_eq!(twice.get(n, &[1, 2]), Kleene::True);
    assert_eq!(twice.get(n, &[0, 2]), Kleene::Unknown);
    assert_eq!(twice.get(n, &[0, 1]), Kleene::False);
}

#[test]
fn bits_are_listed_in_order() {
    assert_eq!(bits(&[0b1010, 1]).collect::<Vec<_>>(), [1, 3, 64]);
}

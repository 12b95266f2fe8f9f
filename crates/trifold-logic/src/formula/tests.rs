//! Tests of formulas: renaming and text.

use super::*;
use crate::Predicate;

fn var(name: &str) -> Var {
    Var::new(name)
}

fn vocabulary() -> (Vocabulary, PredicateId, PredicateId) {
    let mut vocabulary = Vocabulary::default();
    let x = vocabulary.declare(Predicate::core("x", 1)).unwrap();
    let n = vocabulary.declare(Predicate::core("n", 2)).unwrap();
    (vocabulary, x, n)
}

#[test]
fn substitution_avoids_capture() {
    let (vocabulary, _, n) = vocabulary();
    let successor = Formula::exists([var("w")], Formula::atom(n, [var("v"), var("w")]));
    let moved = successor.substitute(&BTreeMap::from([(var("v"), var("w"))]));
    assert_eq!(moved.show(&vocabulary).to_string(), "E(w'1) n(w,w'1)");
}

#[test]
fn renaming_apart_makes_every_binder_distinct() {
    let (vocabulary, x, _) = vocabulary();
    let some = Formula::exists([var("v")], Formula::atom(x, [var("v")]));
    let both = Formula::and([some.clone(), some]).rename_apart(&BTreeSet::new());
    assert_eq!(both.show(&vocabulary).to_string(), "(E(v) x(v)) & E(v'1) x(v'1)");
}

#[test]
fn text_keeps_the_structure_of_the_formula() {
    let (vocabulary, x, n) = vocabulary();
    let at = |p, v: &str| Formula::atom(p, [var(v)]);
    let either = Formula::or([at(x, "v"), Formula::and([at(x, "w"), at(x, "u")])]);
    assert_eq!(either.show(&vocabulary).to_string(), "x(v) | x(w) & x(u)");
    let nested = Formula::and([either.clone(), either.negate()]);
    assert_eq!(nested.show(&vocabulary).to_string(), "(x(v) | x(w) & x(u)) & !(x(v) | x(w) & x(u))");
    let closure = Formula::transitive_closure(n, var("v"), var("v"));
    assert_eq!(closure.show(&vocabulary).to_string(), "n+(v,v)");
    let mixed = Formula::and([Formula::exists([var("v")], at(x, "v")).negate(), at(x, "w")]);
    assert_eq!(mixed.show(&vocabulary).to_string(), "!(E(v) x(v)) & x(w)");
    let inner = Formula::and([at(x, "w"), Formula::exists([var("v")], at(x, "v"))]);
    let outer = Formula::or([inner, at(x, "u")]);
    assert_eq!(outer.show(&vocabulary).to_string(), "(x(w) & E(v) x(v)) | x(u)");
}

//! The two versions of the cancel predicate for doubly linked lists [LevAmi00 §4.2, Figs. 17 and 18].

use trifold_examples::Example;
use trifold_logic::Kleene;

/// After `t = p->f`: the values of `b` from the element that t points to.
fn back_edges_of_t(program: &str) -> Vec<Kleene> {
    let example = Example::named(program, &[]);
    let engine = example.engine(example.options);
    let analysis = example.analyze(&engine);
    let specification = engine.specification();
    let id = |name: &str| specification.vocabulary.lookup(name).unwrap();
    let step = specification.cfg.edges.ids().find(|edge| specification.title(*edge) == "t = p->f").unwrap();
    let after = specification.cfg.edges[step].target;
    let structures: Vec<_> = analysis.solution.stores_of(after).flat_map(|store| store.iter()).collect();
    assert!(!structures.is_empty());
    let mut values = Vec::new();
    for structure in structures {
        for t in structure.universe().filter(|u| structure.unary(id("t"), *u) == Kleene::True) {
            values.extend(structure.universe().map(|u| structure.binary(id("b"), t, u)));
        }
    }
    values
}

#[test]
fn the_stronger_definition_knows_where_the_back_pointer_leads() {
    let strong = back_edges_of_t("dll/splice");
    assert!(strong.contains(&Kleene::True) && strong.iter().all(|value| value.is_definite()), "{strong:?}");
}

#[test]
fn the_weaker_definition_does_not() {
    let weak = back_edges_of_t("dll/splice_srw99");
    assert!(weak.contains(&Kleene::Unknown), "{weak:?}");
}

//! Tests of reading and writing structures.

use super::*;
use crate::files::MemoryFiles;
use crate::options::Options;
use trifold_logic::{Predicate, PredicateId, Vocabulary};
use trifold_structure::{Layout, Structure};

fn vocabulary() -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for (name, arity) in [("b", 0), ("x", 1), ("n", 2), ("r[n,x]", 1)] {
        vocabulary.declare(Predicate::core(name, arity));
    }
    vocabulary
}

fn read(text: &str) -> Vec<NamedStructure> {
    let (files, vocabulary) = (MemoryFiles::default().with("s.tvs", text), vocabulary());
    let layout = Arc::new(Layout::new(&vocabulary));
    let file = read_structures("s.tvs", &files, &Options::default(), &vocabulary, &layout);
    file.unwrap_or_else(|failure| panic!("{}", failure.render(false))).structures
}

#[test]
fn values_default_to_one_when_listed_and_zero_otherwise() {
    let text = "%n = {u0, [u.1,u0].0} %p = { sm = {[u.1, u0].0:1/2} x = {u0} b = 1/2
        n = {u0->[u.1,u0].0:1/2, [u.1,u0].0->u0:0} r[n, x] = {u0, [u.1,u0].0:1/2} inac = {u0:1/2} }
        %n = {} %p = {}";
    let structures = read(text);
    assert_eq!(structures.len(), 2);
    assert_eq!(structures[1].structure.size(), 0);
    let expected = "%n = {u0, [u.1,u0].0}\n%p = {\n  sm = {[u.1,u0].0:1/2}\n  ac = {u0:1/2}\n  b = 1/2\n  x = {u0}\n  \
        n = {u0->[u.1,u0].0:1/2}\n  r[n,x] = {u0, [u.1,u0].0:1/2}\n}\n";
    assert_eq!(write_structure(&structures[0].structure, &vocabulary()), expected);
}

#[test]
fn locations_and_messages_are_read_back() {
    let vocabulary = vocabulary();
    let mut structure = Structure::new(&Arc::new(Layout::new(&vocabulary)), 2);
    structure.set_names(vec!["a b".into(), "m3".into()]);
    structure.set_summary(1, true);
    let messages = vec!["may \"leak\"".to_string(), "second".to_string()];
    let entry = |name: &str, messages: Vec<String>| LocationStructures {
        name: name.into(),
        structures: vec![(messages, &structure), (vec![], &structure)],
    };
    let text = write_locations(vec![entry("l1", messages), entry("the end", vec![])], &vocabulary).collect::<String>();
    let read = read(&text);
    let places: Vec<_> = read.iter().map(|s| (s.location.as_deref().unwrap(), s.messages.len())).collect();
    assert_eq!(places, [("l1", 2), ("l1", 0), ("the end", 0), ("the end", 0)]);
    assert_eq!(read[0].messages[0], "may 'leak'");
    assert!(read.iter().all(|s| s.structure == structure && s.structure.names() == structure.names()));
}

#[test]
fn names_that_are_not_distinct_are_replaced() {
    let vocabulary = vocabulary();
    let mut structure = Structure::new(&Arc::new(Layout::new(&vocabulary)), 2);
    assert!(write_structure(&structure, &vocabulary).starts_with("%n = {_0, _1}"));
    structure.set_names(vec!["u".into(), "u".into()]);
    assert!(write_structure(&structure, &vocabulary).starts_with("%n = {_0, _1}"));
    structure.set_names(vec!["[a,b].0.1".into(), "[a,]".into()]);
    assert!(write_structure(&structure, &vocabulary).starts_with("%n = {[a,b].0.1, \"[a,]\"}"));
}

#[test]
fn a_vocabulary_is_inferred_from_use() {
    let text =
        "%n = {u} %p = { empty = {} b = 1 x = {u} } %n = {u} %p = { n = {u->u} empty = {(u, u):1/2} inac = {u:1/2} }";
    let files = MemoryFiles::default().with("s.tvs", text);
    let (vocabulary, file) = read_structures_alone("s.tvs", &files, &Options::default()).unwrap();
    let arities: Vec<_> = vocabulary.iter().skip(4).map(|(_, p)| (p.name.to_string(), p.arity)).collect();
    assert_eq!(arities, [("empty", 2), ("b", 0), ("x", 1), ("n", 2)].map(|(name, arity)| (name.to_string(), arity)));
    assert!(!file.structures[1].structure.is_active(0));
    assert_eq!(file.structures[0].structure.get(vocabulary.lookup("b").unwrap(), &[]), Kleene::True);
    let clash = MemoryFiles::default().with("s.tvs", "%n = {u} %p = { x = {u, u->u} }");
    assert!(infer_vocabulary("s.tvs", &clash, &Options::default()).is_err());
}

#[test]
fn a_huge_universe_is_refused() {
    let individuals: Vec<String> = (0..200_000).map(|i| format!("u{i}")).collect();
    let text = format!("%n = {{{}}} %p = {{}}", individuals.join(","));
    let (files, vocabulary) = (MemoryFiles::default().with("s.tvs", text), vocabulary());
    let layout = Arc::new(Layout::new(&vocabulary));
    let failure = read_structures("s.tvs", &files, &Options::default(), &vocabulary, &layout).unwrap_err();
    assert_eq!(failure.diagnostics[0].code, "too-large");
    assert_eq!(PredicateId::SM.index(), 0);
}

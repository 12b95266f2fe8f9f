//! Written structures are read back: random structures of up to 100 individuals.

use proptest::prelude::*;
use std::sync::Arc;
use trifold_logic::{Kleene, Predicate, PredicateId, Vocabulary};
use trifold_structure::{Layout, Structure};
use trifold_tvp::{LocationStructures, MemoryFiles, Options, read_structures, write_locations, write_structure};

fn vocabulary() -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for (name, arity) in [("b", 0), ("c[b]", 0), ("x", 1), ("r[n,x]", 1), ("n", 2), ("m[n,r[x]]", 2)] {
        vocabulary.declare(Predicate::core(name, arity));
    }
    vocabulary
}

/// A value, a predicate among the declared ones, and two individuals.
type Setting = (u8, usize, prop::sample::Index, prop::sample::Index);

fn structure(size: usize, settings: &[Setting], names: Option<Vec<String>>) -> Structure {
    let vocabulary = vocabulary();
    let mut structure = Structure::new(&Arc::new(Layout::new(&vocabulary)), size);
    for (value, predicate, u, w) in settings {
        let value = Kleene::ALL[*value as usize % 3];
        let predicate = PredicateId((*predicate % vocabulary.len()) as u32);
        let tuple = [u, w].map(|index| if size == 0 { 0 } else { index.index(size) });
        match (predicate, vocabulary[predicate].arity) {
            (PredicateId::IS_NEW | PredicateId::INSTANCE, _) => {}
            (_, 0) => structure.set(predicate, &[], value),
            _ if size == 0 => {}
            (PredicateId::SM, _) => structure.set_summary(tuple[0], value.may()),
            (PredicateId::AC, _) => structure.set(predicate, &tuple[..1], value.or(Kleene::Unknown)),
            (_, arity) => structure.set(predicate, &tuple[..arity], value),
        }
    }
    if let Some(names) = names {
        structure.set_names((0..size).map(|i| format!("{}{i}", names[i % names.len()]).into()).collect());
    }
    structure
}

fn structures() -> impl Strategy<Value = Structure> {
    let setting = (any::<u8>(), 0usize..100, any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let names = prop::option::of(prop::collection::vec("[a-z$_.\\[\\], 0-9é]{0,6}", 1..4));
    (0usize..=100, prop::collection::vec(setting, 0..300), names)
        .prop_map(|(size, settings, names)| structure(size, &settings, names))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_written_structure_is_read_back(structure in structures()) {
        let vocabulary = vocabulary();
        let text = write_structure(&structure, &vocabulary);
        let files = MemoryFiles::default().with("s.tvs", text.clone());
        let file = read_structures("s.tvs", &files, &Options::default(), &vocabulary, structure.layout())
            .unwrap_or_else(|failure| panic!("{}", failure.render(false)));
        prop_assert!(file.warnings.is_empty());
        prop_assert_eq!(&file.structures[0].structure, &structure);
        prop_assert_eq!(write_structure(&file.structures[0].structure, &vocabulary), text);
    }

    #[test]
    fn written_locations_are_read_back(structures in prop::collection::vec(structures(), 0..4), name in "[a-z ]{1,5}") {
        let vocabulary = vocabulary();
        let entries = structures.iter().map(|structure| (vec![name.clone()], structure)).collect();
        let text = write_locations(vec![LocationStructures { name: name.clone(), structures: entries }], &vocabulary).collect::<String>();
        let files = MemoryFiles::default().with("s.tvs", text);
        let layout = Arc::new(Layout::new(&vocabulary));
        let file = read_structures("s.tvs", &files, &Options::default(), &vocabulary, &layout).unwrap();
        prop_assert_eq!(file.structures.len(), structures.len());
        for (read, structure) in file.structures.iter().zip(&structures) {
            prop_assert_eq!(&read.structure, structure);
            prop_assert_eq!(read.location.as_ref(), Some(&name));
            prop_assert_eq!(&read.messages, &vec![name.clone()]);
        }
    }
}

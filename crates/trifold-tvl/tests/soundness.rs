//! The soundness oracle on every example program: what the concrete interpreter reaches is in the analysis.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use trifold_fixpoint::{Save, SolverOptions};
use trifold_structure::{Layout, Structure};
use trifold_tvl::{
    BlurRule, Engine, EngineOptions, Join, Limits, Order, RunLimits, Unsound, analyze, interpret, judge,
};
use trifold_tvp::{Files, Loaded, Options, ReadError, load, read_structures, write_structure};

struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        std::fs::read(path).map_err(|_| ReadError::NotFound)
    }
}

struct Example {
    path: PathBuf,
    loaded: Loaded,
    inputs: Vec<Structure>,
    order: Order,
}

/// The value of a `// key: value` line in the header of a program.
fn header(text: &str, key: &str) -> Option<String> {
    let prefix = format!("// {key}: ");
    text.lines().find_map(|line| line.strip_prefix(&prefix)).map(|value| value.trim().to_string())
}

fn example(path: &Path, macros: &[&str]) -> Example {
    let text = std::fs::read_to_string(path).unwrap();
    let mut options = Options::default();
    macros.iter().for_each(|name| options.define(name));
    let flags = header(&text, "options").unwrap_or_default();
    let words: Vec<&str> = flags.split_whitespace().collect();
    words.iter().filter_map(|word| word.strip_prefix("-D")).for_each(|name| options.define(name));
    let order =
        words.iter().position(|word| *word == "--order").map_or(Order::default(), |i| words[i + 1].parse().unwrap());
    let loaded =
        load(path.to_str().unwrap(), &Disk, &options).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let vocabulary = &loaded.specification.vocabulary;
    let layout = Arc::new(Layout::new(vocabulary));
    let input = path.with_file_name(header(&text, "input").unwrap());
    let file = read_structures(input.to_str().unwrap(), &Disk, &options, vocabulary, &layout)
        .unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let inputs = file.structures.into_iter().map(|named| named.structure).collect();
    Example { path: path.to_path_buf(), loaded, inputs, order }
}

fn programs(family: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tvp").join(family);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tvp"));
    paths.sort();
    assert!(!paths.is_empty(), "{family}");
    paths
}

fn check(example: &Example, options: EngineOptions, solver: &SolverOptions, limits: RunLimits) {
    let specification = Arc::new(example.loaded.specification.clone());
    let engine = Engine::new(specification.clone(), options);
    let analysis = analyze(&engine, &example.inputs, solver, Limits::default(), &mut ());
    assert!(analysis.solution.complete);
    let name = example.path.display();
    let reached = interpret(&engine, &example.inputs, limits, &mut |_| 0);
    assert!(reached.stores.len() > 20 || limits.stores < 20, "{name}: only {} stores reached", reached.stores.len());
    let show = |structure: &Structure| write_structure(structure, &specification.vocabulary);
    if let Some(breach) = reached.breaches.first() {
        let rule = engine.laws().rules()[breach.infeasible.rule].show(&specification.vocabulary);
        let title = &specification.actions[specification.cfg.edges[breach.edge].action].title;
        panic!("{name}: `{title}` breaches {rule}\nbefore\n{}after\n{}", show(&breach.before), show(&breach.after));
    }
    match judge(&engine, &analysis, &reached) {
        Ok(()) => {}
        Err(Unsound::StoreMissed { location, store }) => {
            panic!(
                "{name}, {options:?}: a store at {} is missed\n{}",
                specification.cfg.locations[location],
                show(&store)
            )
        }
        Err(Unsound::MessageMissed { edge, message }) => {
            let action = &specification.actions[specification.cfg.edges[edge].action];
            panic!("{name}, {options:?}: missed message {}", action.messages[message].text)
        }
    }
    assert!(analysis.contradictions.is_empty(), "{name}: the specification contradicts itself");
}

const SMALL: RunLimits = RunLimits { inputs: 12, max_size: 4, growth: 2, stores: 1500 };

#[test]
fn list_programs_are_sound_in_every_mode() {
    for path in programs("sll") {
        for macros in [&[][..], &["NONNULL"][..]] {
            let example = example(&path, macros);
            for join in [Join::Relational, Join::Partial, Join::Single] {
                for order in ["fpucb", "fcpucb"] {
                    let options = EngineOptions { join, order: order.parse().unwrap(), ..Default::default() };
                    check(&example, options, &SolverOptions::default(), SMALL);
                }
            }
            let blurred = EngineOptions { blur: BlurRule::Definite, ..Default::default() };
            check(&example, blurred, &SolverOptions::default(), SMALL);
            let sparse = SolverOptions { save: Save::BackEdges, threads: 2, ..Default::default() };
            check(&example, EngineOptions::default(), &sparse, SMALL);
        }
    }
}

#[test]
fn doubly_linked_programs_are_sound() {
    for path in programs("dll") {
        let example = example(&path, &[]);
        for join in [Join::Relational, Join::Partial, Join::Single] {
            check(&example, EngineOptions { join, ..Default::default() }, &SolverOptions::default(), SMALL);
        }
    }
}

#[test]
fn sorting_programs_are_sound() {
    let limits = RunLimits { inputs: 10, max_size: 4, growth: 2, stores: 1200 };
    for path in programs("sorting") {
        let example = example(&path, &[]);
        check(&example, EngineOptions { join: Join::Partial, ..Default::default() }, &SolverOptions::default(), limits);
    }
}

#[test]
fn ambient_programs_are_sound() {
    for path in programs("ambient") {
        let example = example(&path, &[]);
        let options = EngineOptions { join: Join::Single, order: example.order, ..Default::default() };
        let limits = RunLimits { inputs: 1, max_size: 23, growth: 30, stores: 60 };
        check(&example, options, &SolverOptions::default(), limits);
    }
}

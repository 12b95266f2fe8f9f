//! Every program of `examples/tvp`, and the structures it starts from, load without a warning; printed, they are the
//! same.

mod common;

use common::{examples, workspace};
use std::sync::Arc;
use trifold_structure::Layout;
use trifold_tvl::{Action, Origin, Specification};
use trifold_tvp::{Loaded, MemoryFiles, Options, load, print_specification, read_structures, render, write_structure};

/// The options that the comments of a file ask for, as in `// options: -DNONNULL`.
fn options(text: &str) -> Options {
    let mut options = Options::default();
    let words = text.lines().filter_map(|line| line.trim().strip_prefix("// options:")).flat_map(str::split_whitespace);
    words.filter_map(|word| word.strip_prefix("-D")).for_each(|define| options.define(define));
    options
}

fn load_cleanly(path: &str, options: &Options) -> Loaded {
    let loaded = load(path, &workspace(), options).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let warnings: String = loaded.warnings.iter().map(|warning| render(warning, &loaded.sources, false)).collect();
    assert!(warnings.is_empty(), "{warnings}");
    loaded
}

/// A path beside the one of a program.
fn beside(path: &str, name: &str) -> String {
    path.rsplit_once('/').map_or(name.to_string(), |(directory, _)| format!("{directory}/{name}"))
}

#[test]
fn every_program_and_its_input_load_without_warnings() {
    for path in examples("tvp") {
        let text = std::fs::read_to_string(workspace().0.join(&path)).unwrap();
        let options = options(&text);
        let vocabulary = load_cleanly(&path, &options).specification.vocabulary;
        let layout = Arc::new(Layout::new(&vocabulary));
        let inputs =
            text.lines().filter_map(|line| line.trim().strip_prefix("// input:")).flat_map(str::split_whitespace);
        for input in inputs.map(|input| beside(&path, input)) {
            let file = read_structures(&input, &workspace(), &options, &vocabulary, &layout)
                .unwrap_or_else(|failure| panic!("{path}: {}", failure.render(false)));
            assert!(file.warnings.is_empty(), "{input}");
            let written: String = file.structures.iter().map(|s| write_structure(&s.structure, &vocabulary)).collect();
            let files = MemoryFiles::default().with("again.tvs", written);
            let again = read_structures("again.tvs", &files, &Options::default(), &vocabulary, &layout).unwrap();
            let structures = |file: &trifold_tvp::StructureFile| {
                file.structures.iter().map(|s| s.structure.clone()).collect::<Vec<_>>()
            };
            assert_eq!(structures(&again), structures(&file), "{input}");
        }
    }
}

#[test]
fn a_printed_program_reads_as_the_same_program() {
    for path in examples("tvp") {
        for options in [Options::default(), options("// options: -DNONNULL")] {
            let first = load_cleanly(&path, &options).specification;
            let text = print_specification(&first);
            let files = MemoryFiles::default().with("printed.tvp", text.clone());
            let second = load("printed.tvp", &files, &Options::default())
                .unwrap_or_else(|failure| panic!("{path}: {}", failure.render(false)))
                .specification;
            assert_eq!(print_specification(&second), text, "{path}");
            assert_same(&first, &second);
        }
    }
}

fn assert_same(a: &Specification, b: &Specification) {
    let predicates = |s: &Specification| s.vocabulary.iter().map(|(_, p)| p.clone()).collect::<Vec<_>>();
    assert_eq!(predicates(a), predicates(b));
    let rules = |s: &Specification| s.rules.iter().map(|r| (r.body.clone(), r.head.clone())).collect::<Vec<_>>();
    assert_eq!(rules(a), rules(b));
    let actions = |s: &Specification| s.actions.iter().map(nowhere).collect::<Vec<_>>();
    assert_eq!(actions(a), actions(b));
    let edges = |s: &Specification| s.cfg.edges.iter().map(|e| (e.source, e.label, e.target)).collect::<Vec<_>>();
    assert_eq!(edges(a), edges(b));
    assert_eq!(a.cfg.calls, b.cfg.calls);
    assert_eq!((&a.cfg.locations, &a.cfg.printed), (&b.cfg.locations, &b.cfg.printed));
}

/// The action without its origins.
fn nowhere(action: &Action) -> Action {
    let mut action = action.clone();
    action.focus.iter_mut().for_each(|(_, origin)| *origin = Origin::default());
    action.messages.iter_mut().for_each(|message| message.origin = Origin::default());
    action.updates.iter_mut().for_each(|update| update.origin = Origin::default());
    action
}

//! The examples without the updates of instrumentation predicates that their authors wrote: derived ones do as well.
//!
//! `cargo test -p trifold-examples --test derived -- --nocapture` prints the table.

use trifold_examples::{Example, programs};
use trifold_tvl::{Action, Derive, EdgeId, EngineOptions, Join};

/// The messages that fire, by edge, and the number of structures kept.
fn outcome(example: &Example, options: EngineOptions) -> (Vec<(EdgeId, usize)>, usize) {
    let engine = example.engine(options);
    let analysis = example.analyze(&engine);
    let kept = analysis.solution.stores.iter().map(|store| store.count()).sum();
    (analysis.findings.iter().map(|finding| (finding.edge, finding.message)).collect(), kept)
}

/// How many updates of defined predicates the actions give.
fn written(example: &Example) -> usize {
    let specification = &example.loaded.specification;
    let defined = |action: &Action| {
        let of_defined = action.updates.iter().filter(|u| specification.vocabulary[u.predicate].definition.is_some());
        of_defined.count()
    };
    specification.actions.iter().map(defined).sum()
}

/// Same messages, at most 5 % more structures.
fn compare(example: &Example, options: EngineOptions, wrong: &mut Vec<String>) {
    let (findings, kept) = outcome(example, EngineOptions { derive: Derive::Missing, ..options });
    let (derived_findings, derived) = outcome(example, EngineOptions { derive: Derive::All, ..options });
    let family = example.path.parent().and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy();
    let program = format!("{family}/{}", example.path.file_stem().unwrap_or_default().to_string_lossy());
    let join = format!("{:?}", options.join).to_lowercase();
    let more = 100.0 * (derived as f64 / kept as f64 - 1.0);
    println!("{program:26} {join:10} {kept:6} {derived:6} {more:+6.1} %");
    if findings != derived_findings {
        wrong.push(format!(
            "{program}, {join}: the messages are {findings:?}, with derived updates {derived_findings:?}"
        ));
    }
    if derived * 100 > kept * 105 {
        wrong.push(format!("{program}, {join}: {kept} structures, with derived updates {derived}"));
    }
}

#[test]
fn derived_updates_are_as_good_as_written_ones() {
    let mut wrong = Vec::new();
    println!("program                    join      written derived");
    for path in ["sll", "dll", "sorting"].into_iter().flat_map(programs) {
        let example = Example::load(&path, &[]);
        assert!(written(&example) > 0, "{}: there is something to leave aside", path.display());
        compare(&example, example.options, &mut wrong);
    }
    for path in programs("sll") {
        let example = Example::load(&path, &["NONNULL"]);
        compare(&example, EngineOptions { join: Join::Single, ..example.options }, &mut wrong);
    }
    for path in ["sll", "dll"].into_iter().flat_map(programs) {
        let example = Example::load(&path, &[]);
        compare(&example, EngineOptions { join: Join::Partial, ..example.options }, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

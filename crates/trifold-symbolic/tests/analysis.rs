//! Analyses by best transformers, compared with those by focus and coerce.
//!
//! Every structure found by best transformers must embed in one that is found without them, every message must be among
//! the messages there; and the concrete interpreter must reach no store that is missing.

use std::sync::Arc;
use trifold_examples::{Example, programs};
use trifold_structure::embedding;
use trifold_symbolic::{BestSteps, StepsCost};
use trifold_tvl::{Analysis, Engine, RunLimits, When, interpret, judge};

fn best(example: &Example) -> (Engine, Analysis, StepsCost) {
    let engine = example.engine(example.options);
    let steps = Arc::new(BestSteps::new(engine.specification(), example.options.derive));
    let engine = engine.with_precise_steps(steps.clone(), When::Always);
    let analysis = example.analyze(&engine);
    (engine, analysis, steps.cost())
}

/// Compares the analyses of a program, and returns the cost of the precise one.
fn compare(example: &Example) -> StepsCost {
    let name = example.path.display();
    let usual = example.analyze(&example.engine(example.options));
    let (engine, best, cost) = best(example);
    for (location, named) in engine.specification().cfg.locations.enumerate() {
        let weaker = || usual.solution.stores_of(location).flat_map(|store| store.iter());
        for structure in best.solution.stores_of(location).flat_map(|store| store.iter()) {
            let embeds = weaker().any(|s| s == structure) || weaker().any(|s| embedding(structure, s).is_some());
            assert!(embeds, "{name}, {named}: not represented by what focus and coerce find: {structure:?}");
        }
    }
    for finding in &best.findings {
        let known = usual.findings.iter().any(|other| (other.edge, other.message) == (finding.edge, finding.message));
        assert!(known, "{name}: a message that focus and coerce exclude");
    }
    assert!(best.contradictions.is_empty(), "{name}");
    let limits = RunLimits { inputs: 30, max_size: 4, growth: 2, stores: 2_000 };
    let reached = interpret(&engine, &example.inputs, limits, &mut |_| 0);
    assert!(!reached.stores.is_empty(), "{name}");
    judge(&engine, &best, &reached).unwrap_or_else(|unsound| panic!("{name}: {unsound:?}"));
    cost
}

#[test]
fn on_lists_every_step_is_decided() {
    for path in ["sll", "dll"].into_iter().flat_map(programs) {
        let cost = compare(&Example::load(&path, &[]));
        assert!(cost.undecided == 0 && cost.steps > 0, "{}: {cost:?}", path.display());
    }
}

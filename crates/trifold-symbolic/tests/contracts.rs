//! Contracts of procedures: the stores of runs through calls are represented although no call enters a procedure, and a
//! promise that is not kept is reported wherever a run breaks it.

use std::sync::Arc;
use trifold_examples::Example;
use trifold_symbolic::Contracts;
use trifold_tvl::{Analysis, Engine, RunLimits, Unsound, interpret, judge};

const LIMITS: RunLimits = RunLimits { inputs: 30, max_size: 4, growth: 2, stores: 3_000 };

/// The analysis that relies on contracts, and the stores of runs that it misses.
fn analysed(name: &str) -> (Engine, Analysis, Result<(), Unsound>) {
    let mut example = Example::named(&format!("procedures/{name}"), &[]);
    let contracts = Contracts::prepare(&mut example.loaded.specification, &mut || false).expect("contracts");
    assert!(contracts.report.is_most_precise() && contracts.idle.is_empty());
    example.inputs.extend(contracts.inputs);
    let engine = Engine::new(Arc::new(example.loaded.specification.clone()), example.options);
    let engine = engine.relying_on(contracts.promised);
    let analysis = example.analyze(&engine);
    let reached = interpret(&engine, &example.inputs, LIMITS, &mut |_| 0);
    assert!(reached.stores.len() > 50 && reached.breaches.is_empty());
    let verdict = judge(&engine, &analysis, &reached);
    (engine, analysis, verdict)
}

#[test]
fn what_runs_see_is_represented() {
    let (engine, analysis, verdict) = analysed("specified");
    assert!(verdict.is_ok(), "{verdict:?}");
    assert!(analysis.findings.is_empty());
    // Nobody has entered the procedure but its own contract.
    let reverse = engine.specification().cfg.procedures.position(|p| p.name == "reverse").unwrap();
    let contexts = analysis.solution.contexts.iter().filter(|context| context.procedure == reverse);
    assert!(contexts.clone().count() > 0 && contexts.into_iter().all(|context| context.callers.is_empty()));
}

#[test]
fn broken_promises_are_found_where_they_are_broken() {
    for (name, location) in [("specified_body_bug", "exit"), ("specified_call_bug", "m2")] {
        let (engine, analysis, verdict) = analysed(name);
        // After a broken promise nothing is promised.
        assert!(!matches!(verdict, Err(Unsound::MessageMissed { .. })), "{name}: {verdict:?}");
        let places = analysis.findings.iter().map(|finding| &engine.specification().cfg.locations[finding.location]);
        assert_eq!(places.collect::<Vec<_>>(), [location], "{name}");
    }
}

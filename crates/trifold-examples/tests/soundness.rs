//! The soundness oracle on every example program: every store that the concrete interpreter reaches is in the analysis.

use trifold_examples::{Example, programs};
use trifold_fixpoint::{Save, SolverOptions};
use trifold_structure::Structure;
use trifold_tvl::{
    BlurRule, Derive, EngineOptions, Expression, Join, Limits, RunLimits, Unsound, analyze, interpret, judge,
};
use trifold_tvp::write_structure;

fn check(example: &Example, options: EngineOptions, solver: &SolverOptions, limits: RunLimits) {
    let specification = &example.loaded.specification;
    let engine = example.engine(options);
    let analysis = analyze(&engine, &example.inputs, solver, Limits::default(), &mut ());
    assert!(analysis.solution.stop.is_fixpoint());
    let name = example.path.display();
    let reached = interpret(&engine, &example.inputs, limits, &mut |_| 0);
    let enough = if name.to_string().contains("dialect") { 5 } else { 20 };
    assert!(reached.stores.len() > enough, "{name}: only {} stores reached", reached.stores.len());
    let show = |structure: &Structure| write_structure(structure, &specification.vocabulary);
    if let Some(breach) = reached.breaches.first() {
        let rule = engine.laws().rules()[breach.infeasible.rule].show(&specification.vocabulary);
        let title = specification.title(breach.edge);
        panic!("{name}: `{title}` breaches {rule}\nbefore\n{}after\n{}", show(&breach.before), show(&breach.after));
    }
    match judge(&engine, &analysis, &reached) {
        Ok(()) => {}
        Err(Unsound::StoreMissed { location, store }) => {
            let location = &specification.cfg.locations[location];
            panic!("{name}, {options:?}: a store at {location} is missed\n{}", show(&store))
        }
        Err(Unsound::MessageMissed { edge, message }) => {
            panic!("{name}, {options:?}: missed message {}", engine.specification().message(edge, message).text)
        }
    }
    assert!(analysis.contradictions.is_empty(), "{name}: the specification contradicts itself");
}

const SMALL: RunLimits = RunLimits { inputs: 12, max_size: 4, growth: 2, stores: 1500 };

#[test]
fn list_programs_are_sound_in_every_mode() {
    list_programs("sll");
}

/// Every store is represented beside the one that its procedure was entered with.
#[test]
fn procedures_on_lists_are_sound_in_every_mode() {
    list_programs("procedures");
}

fn list_programs(directory: &str) {
    for path in programs(directory) {
        for macros in [&[][..], &["NONNULL"][..]] {
            let example = Example::load(&path, macros);
            for join in [Join::Relational, Join::Partial, Join::Single] {
                for order in ["fpucb", "fcpucb"] {
                    let options = EngineOptions { join, order: order.parse().unwrap(), ..Default::default() };
                    check(&example, options, &SolverOptions::default(), SMALL);
                }
            }
            let blurred = EngineOptions { blur: BlurRule::Definite, ..Default::default() };
            check(&example, blurred, &SolverOptions::default(), SMALL);
            let derived = EngineOptions { derive: Derive::All, ..Default::default() };
            check(&example, derived, &SolverOptions::default(), SMALL);
            let forgetful = EngineOptions { forget_dead: true, ..Default::default() };
            check(&example, forgetful, &SolverOptions::default(), SMALL);
            let sparse = SolverOptions { save: Save::BackEdges, threads: 2, ..Default::default() };
            check(&example, EngineOptions::default(), &sparse, SMALL);
        }
    }
}

#[test]
fn orders_without_focus_or_coerce_are_sound() {
    for name in ["sll/create", "sll/search", "sll/reverse", "dll/splice"] {
        let example = Example::named(name, &[]);
        for order in ["pub", "fpub", "cpucb", "fcpub"] {
            let options = EngineOptions { join: Join::Partial, order: order.parse().unwrap(), ..Default::default() };
            check(&example, options, &SolverOptions::default(), SMALL);
        }
    }
}

#[test]
fn doubly_linked_programs_are_sound() {
    for path in programs("dll") {
        let example = Example::load(&path, &[]);
        for join in [Join::Relational, Join::Partial, Join::Single] {
            for derive in [Derive::Missing, Derive::All] {
                let options = EngineOptions { join, derive, ..Default::default() };
                check(&example, options, &SolverOptions::default(), SMALL);
            }
        }
    }
}

#[test]
fn sorting_programs_are_sound() {
    let limits = RunLimits { inputs: 10, max_size: 4, growth: 2, stores: 1200 };
    for path in programs("sorting") {
        let example = Example::load(&path, &[]);
        for (derive, forget_dead) in [(Derive::Missing, false), (Derive::All, false), (Derive::Missing, true)] {
            let options = EngineOptions { join: Join::Partial, derive, forget_dead, ..Default::default() };
            check(&example, options, &SolverOptions::default(), limits);
        }
    }
}

#[test]
fn ambient_programs_are_sound() {
    for path in programs("ambient") {
        let example = Example::load(&path, &[]);
        let limits = RunLimits { inputs: 1, max_size: 23, growth: 30, stores: 60 };
        for derive in [Derive::Missing, Derive::All] {
            check(&example, EngineOptions { derive, ..example.options }, &SolverOptions::default(), limits);
        }
    }
}

#[test]
fn nested_lists_are_sound() {
    let limits = RunLimits { inputs: 1, max_size: 1, growth: 5, stores: 1500 };
    for path in programs("nested") {
        for depth in ["DEPTH=1", "DEPTH=2", "DEPTH=3"] {
            let example = Example::load(&path, &[depth]);
            check(&example, example.options, &SolverOptions::default(), limits);
        }
    }
}

#[test]
fn programs_of_the_dialect_are_sound() {
    for path in programs("dialect") {
        let example = Example::load(&path, &[]);
        let mut expressions = example.loaded.specification.cfg.expressions();
        let joins = match expressions.all(|expression| matches!(expression, Expression::Unary(_))) {
            true => vec![Join::Relational, Join::Partial, Join::Single],
            false => vec![Join::Relational, Join::Partial],
        };
        for join in joins {
            for order in ["fpucb", "fcpucb", "pub"] {
                let options = EngineOptions { join, order: order.parse().unwrap(), ..Default::default() };
                check(&example, options, &SolverOptions::default(), SMALL);
            }
        }
    }
}

#[test]
fn programs_on_sets_are_sound() {
    let limits = RunLimits { inputs: 30, max_size: 6, growth: 1, stores: 1500 };
    for path in programs("sets") {
        // With an order on lists nothing is different; removal from a tree has very many structures.
        if ["tree_membership.tvp", "tree_insertion.tvp"].iter().any(|name| path.ends_with(name)) {
            let example = Example::load(&path, &["EXPRESSION"]);
            check(&example, example.options, &SolverOptions::default(), limits);
        }
        let example = Example::load(&path, &[]);
        for forget_dead in [false, true] {
            check(&example, EngineOptions { forget_dead, ..example.options }, &SolverOptions::default(), limits);
        }
        // Where all updates are derived, removal from a tree has very many structures.
        if !path.ends_with("tree_removal.tvp") {
            let derived = EngineOptions { derive: Derive::All, ..example.options };
            check(&example, derived, &SolverOptions::default(), limits);
        }
    }
}

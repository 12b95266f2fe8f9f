//! Results that depend on the order in which locations are visited, and results that do not.
//!
//! Under relational join the structures of a location are a set that only grows, and a step looks at one structure: the
//! result is the least fixpoint, for any order. Under partial join a structure is replaced by its join with the next
//! one of the same names. A step on the join may yield other names than the steps on its parts did, because a value
//! that distinguishes names is 1/2 now; structures that came from the parts stay. So it matters which structures had
//! arrived when a step was taken.

use std::collections::BTreeSet;
use trifold_examples::{Example, programs};
use trifold_fixpoint::{SolverOptions, Traversal};
use trifold_tvl::{Analysis, Engine, EngineOptions, Join, Limits, analyze};

fn run(example: &Example, engine: &Engine, traversal: Traversal) -> Analysis {
    let solver = SolverOptions { traversal, ..Default::default() };
    analyze(engine, &example.inputs, &solver, Limits::default(), &mut ())
}

/// The structures of each location.
fn structures(analysis: &Analysis) -> Vec<BTreeSet<Vec<u64>>> {
    let of_location = |store: &trifold_tvl::Structures| store.iter().map(|s| s.words().to_vec()).collect();
    analysis.solution.stores.iter().map(of_location).collect()
}

fn both_orders(path: &std::path::Path, join: Join) -> (Analysis, Analysis) {
    let example = Example::load(path, &[]);
    let engine = example.engine(EngineOptions { join, ..example.options });
    (run(&example, &engine, Traversal::WeakTopological), run(&example, &engine, Traversal::ReversePostOrder))
}

#[test]
fn relational_results_do_not_depend_on_the_order() {
    for path in ["sll", "dll", "dialect"].into_iter().flat_map(programs) {
        let (inner_first, reverse_post_order) = both_orders(&path, Join::Relational);
        assert_eq!(structures(&inner_first), structures(&reverse_post_order), "{}", path.display());
    }
}

#[test]
fn partial_results_depend_on_the_order_where_it_is_known() {
    let mut differ = Vec::new();
    let count = |analysis: &Analysis| structures(analysis).iter().map(BTreeSet::len).sum::<usize>();
    for path in ["sll", "dll", "sorting", "ambient", "dialect", "nested"].into_iter().flat_map(programs) {
        let (inner_first, reverse_post_order) = both_orders(&path, Join::Partial);
        if structures(&inner_first) != structures(&reverse_post_order) {
            let fewer = count(&inner_first) < count(&reverse_post_order);
            differ.push((path.file_stem().unwrap().to_string_lossy().into_owned(), fewer));
        }
        // Which messages fire does not depend on it here.
        let messages = |analysis: &Analysis| {
            analysis.findings.iter().map(|finding| (finding.edge, finding.message)).collect::<BTreeSet<_>>()
        };
        assert_eq!(messages(&inner_first), messages(&reverse_post_order), "{}", path.display());
    }
    // Two loops within each other; it pays to finish the inner one first.
    assert_eq!(differ, [("bubble_sort".to_string(), true)]);
}

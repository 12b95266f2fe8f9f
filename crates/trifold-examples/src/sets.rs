//! The results of the paper on sets, and ours.

use crate::Example;
use std::fmt::Write;
use trifold_tvl::EngineOptions;

/// A row of Table 2 of the paper.
pub struct Row {
    /// What is analysed.
    pub name: &'static str,
    /// Our program.
    pub program: &'static str,
    /// Locations of the paper's control-flow graph.
    pub locations: usize,
    /// Structures, in all.
    pub structures: usize,
    /// Structures, at most, at a location.
    pub most: usize,
    /// Structures at the exit, where the paper tells.
    pub exit: Option<usize>,
}

/// Table 2 of [Reineke05], with the numbers of structures at the exit from its text.
pub const TABLE_2: [Row; 6] = [
    Row { name: "membership, list", program: "list_membership", locations: 9, structures: 28, most: 6, exit: None },
    Row { name: "insertion, list", program: "list_insertion", locations: 19, structures: 81, most: 11, exit: Some(3) },
    Row { name: "removal, list", program: "list_removal", locations: 22, structures: 124, most: 11, exit: Some(4) },
    Row { name: "membership, tree", program: "tree_membership", locations: 10, structures: 84, most: 19, exit: None },
    Row {
        name: "insertion, tree",
        program: "tree_insertion",
        locations: 25,
        structures: 536,
        most: 91,
        exit: Some(21),
    },
    Row { name: "removal, tree", program: "tree_removal", locations: 76, structures: 27697, most: 3132, exit: Some(8) },
];

/// What an analysis comes to.
pub struct Result {
    /// Locations of the control-flow graph.
    pub locations: usize,
    /// Structures, in all.
    pub structures: usize,
    /// Structures, at most, at a location.
    pub most: usize,
    /// Structures where the program ends.
    pub exit: usize,
}

/// Analyses a program of `examples/tvp/sets` as its header says, with dead variables forgotten or kept.
pub fn run(program: &str, forget_dead: bool) -> Result {
    let example = Example::named(&format!("sets/{program}"), &[]);
    let engine = example.engine(EngineOptions { forget_dead, ..example.options });
    let analysis = example.analyze(&engine);
    let cfg = &engine.specification().cfg;
    let counts: Vec<usize> = analysis.solution.stores.iter().map(|store| store.as_slice().len()).collect();
    let is_end = |location: &usize| !cfg.edges.iter().any(|edge| edge.source == *location);
    Result {
        locations: counts.len(),
        structures: counts.iter().sum(),
        most: counts.iter().copied().max().unwrap_or(0),
        exit: (0..counts.len()).filter(is_end).map(|location| counts[location]).sum(),
    }
}

/// `docs/sets-results.md`, but for the table of variants, which has times.
pub fn document() -> String {
    let mut text = HEADING.to_string();
    for row in TABLE_2 {
        let (ours, kept) = (run(row.program, true), run(row.program, false));
        let published = row.exit.map_or("–".to_string(), |exit| exit.to_string());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {published} | {} | {} |",
            row.name,
            row.locations,
            ours.locations,
            row.structures,
            ours.structures,
            kept.structures,
            row.most,
            ours.most,
            kept.most,
            ours.exit,
            kept.exit,
        );
    }
    text + NOTES
}

const HEADING: &str = "\
# Sets: the paper's results, run again

This page is written by `cargo xtask sets-results`; a test checks that everything but the last table is up to date.

Table 2 of [Reineke05] beside our numbers, for the six programs of `examples/tvp/sets` with `--join partial`. *Kept* is without
forgetting dead variables (`--keep-dead`). All six are proved either way: the invariants of the data structure at the exit, and the
equivalence that gives the law of the operation (the `prove` lines of the programs).

| analysis | locations: paper | ours | structures: paper | ours | kept | most at a location: paper | ours | kept | at exit: paper | ours | kept |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
";

const NOTES: &str = "
Why the numbers differ:

- **Locations.** The paper's graphs have locations for actions that nullify dead variables, and for conditions that we write as one
  action. Dead variables are found here by an analysis.
- **Insertion, tree: 12 structures at the exit, not 21.** At our exit only `set` and `element` matter; the new element is told from the others just
  by being the one that is equal to `element`. With all variables kept there are 51, more than in the paper, which nullified some of them by hand.
- **Membership.** We count the two ends, for yes and no, together.
- **Removal, tree.** The same eight structures at the exit, by fewer than half as many on the way.

";

/// The heading of the table of variants.
pub const VARIANTS: &str = "\
## With and without
";

//! The results of the paper on sets, and ours.

use crate::Example;
use std::fmt::Write;
use trifold_logic::Kleene;
use trifold_structure::{Individual, Structure};
use trifold_tvl::{Engine, EngineOptions, IdVec, LocationId};

/// A row of Table 2 of the paper.
pub struct Row {
    /// The name of the operation.
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

/// Table 2 of \[Reineke05\], with the numbers of structures at the exit from its text.
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

/// The result of an analysis.
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
    let count = |location| analysis.solution.stores_of(location).map(|store| store.count()).sum();
    let counts: IdVec<LocationId, usize> = cfg.locations.ids().map(count).collect();
    let is_end = |location: &LocationId| !cfg.edges.iter().any(|edge| edge.source == *location);
    Result {
        locations: counts.len(),
        structures: counts.iter().sum(),
        most: counts.iter().copied().max().unwrap_or(0),
        exit: counts.ids().filter(is_end).map(|location| counts[location]).sum(),
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
    text += NOTES;
    for (number, structure) in exits("tree_insertion").iter().enumerate() {
        let _ = writeln!(text, "| {} | {structure} |", number + 1);
    }
    text + "\n"
}

/// The cases of the structures at the exit of a program on trees: was the element a member, is the node that equals it
/// the root of the tree now, and which members are less and greater.
fn exits(program: &str) -> Vec<String> {
    let example = Example::named(&format!("sets/{program}"), &[]);
    let engine = example.engine(EngineOptions { forget_dead: true, ..example.options });
    let analysis = example.analyze(&engine);
    let location = engine.specification().cfg.locations.position(|name| name == "exit").expect("an exit");
    let structures = analysis.solution.stores_of(location).flat_map(|store| store.iter());
    let mut all: Vec<String> = structures.map(|s| describe(s, &engine)).collect();
    all.sort();
    all
}

fn describe(structure: &Structure, engine: &Engine) -> String {
    let id = |name: &str| engine.specification().vocabulary.lookup(name).expect("a predicate of the program");
    let is = |name: &str, u: Individual| structure.unary(id(name), u);
    let the = |name: &str| structure.universe().find(|u| is(name, *u) == Kleene::True).expect("a variable");
    let (set, element) = (the("set"), the("element"));
    let is_member = |u: &Individual| *u != set && is("r[set]", *u) != Kleene::False;
    let equals = |u: Individual| {
        let dle = |v, w| structure.binary(id("dle"), v, w);
        dle(u, element).and(dle(element, u)) == Kleene::True
    };
    let root = structure.universe().find(|u| structure.binary(id("left"), set, *u) == Kleene::True);
    let kind = |u: Individual| {
        let place = if Some(u) == root { "the root" } else { "others" };
        let several = if structure.is_summary(u) { ", one or more" } else { "" };
        format!("{place}{several}")
    };
    let those = |name: &str, value: Kleene| {
        let members = structure.universe().filter(|u| is_member(u) && !equals(*u) && is(name, *u) == value);
        let kinds: Vec<String> = members.map(kind).collect();
        if kinds.is_empty() { "none".to_string() } else { kinds.join("; ") }
    };
    format!(
        "{} | {} | {} | {} | {}",
        ["no", "unknown", "yes"][is("wasElement", element) as usize],
        if root.is_some_and(equals) { "the root" } else { "below the root" },
        those("dle[element,left]", Kleene::True),
        those("dle[element,right]", Kleene::True),
        those("dle[element,left]", Kleene::Unknown),
    )
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
  by being the one that is equal to `element`. If `prev` matters as well there are 51, and more than in the paper, which nullified some variables by
  hand and does not say which. What the 12 structures stand for is shown below. The paper tells of most of its 21 that they are about the left-most or
  right-most place in the tree, or an empty subtree of the root: here these are the lines in which nothing is less, or nothing greater.
- **Membership.** We count the two ends, for yes and no, together.
- **Removal, tree.** The same eight structures at the exit, by fewer than half as many on the way.

## Insertion into a tree: the structures at the exit

| | was `element` a member? | what equals it is | members less than it | members greater than it | less or greater |
| --: | --- | --- | --- | --- | --- |
";

/// The heading of the table of variants.
pub const VARIANTS: &str = "\
## With and without
";

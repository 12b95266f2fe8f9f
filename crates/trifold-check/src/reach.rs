//! The places that analysed states come to. A place that none of them comes to is *not reached*: nothing is known about
//! it, and nothing is proved. For example, of `if (0) f();` the call is not reached, and neither is `f`.

use crate::domain::Outcome;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Edge, NodeId, Point, ProcId, Program, Statement};
use trifold_source::SourceMap;

/// How many shapes the points have in all analyses together.
#[derive(Default)]
pub struct Reach(FxHashMap<Point, usize>);

impl Reach {
    /// Of some outcomes.
    pub fn of<'o>(outcomes: impl Iterator<Item = &'o Outcome>) -> Reach {
        let mut shapes = FxHashMap::default();
        for (point, count) in outcomes.flat_map(|outcome| &outcome.points) {
            *shapes.entry(*point).or_default() += count;
        }
        Reach(shapes)
    }

    fn has(&self, procedure: ProcId, node: NodeId) -> bool {
        self.0.get(&Point { procedure, node }).is_some_and(|shapes| *shapes > 0)
    }

    /// Does a state come to the end of a procedure?
    pub fn leaves(&self, program: &Program, procedure: ProcId) -> bool {
        self.has(procedure, program[procedure].exit)
    }

    /// Does a state come to a procedure at all?
    pub fn enters(&self, program: &Program, procedure: ProcId) -> bool {
        self.has(procedure, program[procedure].entry)
    }

    /// The lines of procedures, which are in one file, that no state comes to, though one comes to the procedures.
    pub fn missed_lines(&self, program: &Program, procedures: &[ProcId], sources: &SourceMap) -> Vec<usize> {
        // For each line: has one of its statements been reached?
        let mut lines: BTreeMap<usize, bool> = BTreeMap::new();
        for procedure in procedures.iter().filter(|procedure| self.enters(program, **procedure)) {
            for edge in &program[*procedure].edges {
                let is_reached = self.has(*procedure, edge.from);
                // Nothing is written for a step that does nothing.
                if is_reached || edge.statement != Statement::Skip {
                    *lines.entry(sources.locate(edge.span).1.line).or_default() |= is_reached;
                }
            }
        }
        lines.into_iter().filter(|(_, is_reached)| !is_reached).map(|(line, _)| line).collect()
    }

    /// The edges at which all analysed states of a procedure end, though the program could go on beside them: such as
    /// that of an assumption that none of the states satisfies.
    pub fn dead_ends(&self, program: &Program, procedure: ProcId) -> Vec<usize> {
        let Some(body) = program.procedures.get(procedure.index()) else { return Vec::new() };
        if self.has(procedure, body.exit) {
            return Vec::new();
        }
        // Where a contract was entered, its preconditions are possible; the rest of it is a check, which need not go
        // on.
        let contract = program.contracts.get(&procedure);
        let is_called = contract.is_some_and(|contract| self.has(procedure, body.edges[contract.call].from));
        let is_dead = |edge: &Edge| match edge.statement {
            _ if !self.has(procedure, edge.from) => false,
            Statement::Stop => self.all_go_to(program, procedure, edge.from),
            Statement::Assume(_) => !is_called && self.none_leaves(program, procedure, edge.from),
            _ => false,
        };
        let ends = body.edges.iter().enumerate().filter(|(_, edge)| is_dead(edge));
        ends.map(|(number, _)| number).collect()
    }

    /// Are there conditions at a node, and does no state satisfy any of them? So it is if the precondition of a
    /// contract, as in `requires k > 3 && k < 2`, is not possible.
    fn none_leaves(&self, program: &Program, procedure: ProcId, node: NodeId) -> bool {
        let mut edges = program[procedure].edges.iter().filter(|edge| edge.from == node);
        edges.all(|edge| matches!(edge.statement, Statement::Assume(_)) && !self.has(procedure, edge.to))
    }

    /// Do branches lead to a node, of which all states go there? The parts of a condition such as `p && !p` are one
    /// branch after the other: a way from one of them to the next does not lead on.
    fn all_go_to(&self, program: &Program, procedure: ProcId, node: NodeId) -> bool {
        let edges = &program[procedure].edges;
        let before: BTreeSet<NodeId> = edges.iter().filter(|edge| edge.to == node).map(|edge| edge.from).collect();
        let is_on = |edge: &&Edge| edge.to != node && !before.contains(&straight_on(edges, edge.to, &before));
        let mut others = edges.iter().filter(|edge| before.contains(&edge.from)).filter(is_on).peekable();
        others.peek().is_some() && others.all(|edge| !self.has(procedure, edge.to))
    }
}

/// The first of some nodes that there is no other way from a node than to come to, or where the ways part.
fn straight_on(edges: &[Edge], mut node: NodeId, wanted: &BTreeSet<NodeId>) -> NodeId {
    for _ in edges {
        let mut after = edges.iter().filter(|edge| edge.from == node);
        match (after.next(), after.next()) {
            (Some(only), None) if !wanted.contains(&node) => node = only.to,
            _ => break,
        }
    }
    node
}

/// Lines in words, such as `3, 7 to 9`.
pub fn lines_in_words(lines: &[usize]) -> String {
    let runs = lines.chunk_by(|before, after| before + 1 == *after);
    let words = runs.map(|run| match run {
        [line] => line.to_string(),
        [first, second] => format!("{first}, {second}"),
        [first, .., last] => format!("{first} to {last}"),
        [] => String::new(),
    });
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_in_words() {
        assert_eq!(lines_in_words(&[3, 7, 8, 9, 12, 13]), "3, 7 to 9, 12, 13");
        assert_eq!(lines_in_words(&[]), "");
    }
}

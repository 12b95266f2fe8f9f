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
        let is_end = |edge: &Edge| edge.statement == Statement::Stop && self.has(procedure, edge.from);
        let ends = body.edges.iter().enumerate().filter(|(_, edge)| is_end(edge));
        ends.filter(|(_, end)| self.all_go_to(program, procedure, end.from)).map(|(number, _)| number).collect()
    }

    /// Do branches lead to a node, of which all states go there?
    fn all_go_to(&self, program: &Program, procedure: ProcId, node: NodeId) -> bool {
        let edges = &program[procedure].edges;
        let before: BTreeSet<NodeId> = edges.iter().filter(|edge| edge.to == node).map(|edge| edge.from).collect();
        let mut others = edges.iter().filter(|edge| before.contains(&edge.from) && edge.to != node).peekable();
        others.peek().is_some() && others.all(|edge| !self.has(procedure, edge.to))
    }
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

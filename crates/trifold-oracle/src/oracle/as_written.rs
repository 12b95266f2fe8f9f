//! The analysis of a program that was made from another one, before runs of that other one.

use super::abstraction::{Abstraction, At, Ending, Judgement, Silence, Visit};
use std::collections::BTreeSet;
use trifold_ir::{FindingKind, Incident, ProcId, Program};

/// An analysis, and the program as it was written. The analysed program was made from that by adding edges, and the old
/// edges have their old numbers. States are not the same, but incidents are.
///
/// For example, the three-valued domain adds an edge that assigns the result of a call, because the callee returns it
/// in a variable of its own. A leak that this assignment causes is one of the call in the program as it was written.
#[derive(Debug)]
pub struct AsWritten<'a, A> {
    /// The analysis.
    pub abstraction: &'a A,
    /// The program as it was written.
    pub program: &'a Program,
}

impl<A: Abstraction> AsWritten<'_, A> {
    /// The written edges for an edge: itself, or, for one that was added, those with the same place in the text.
    fn written(&self, (procedure, edge): At) -> Vec<At> {
        let Some(written) = self.program.procedures.get(procedure.index()) else { return Vec::new() };
        if edge < written.edges.len() {
            return vec![(procedure, edge)];
        }
        let span = self.abstraction.program()[procedure].edges[edge].span;
        let same = written.edges.iter().enumerate().filter(|(_, edge)| edge.span == span);
        same.map(|(number, _)| (procedure, number)).collect()
    }

    fn all_written(&self, edges: BTreeSet<At>) -> BTreeSet<At> {
        edges.into_iter().flat_map(|edge| self.written(edge)).collect()
    }
}

impl<A: Abstraction> Abstraction for AsWritten<'_, A> {
    fn program(&self) -> &Program {
        self.program
    }

    fn entry(&self) -> ProcId {
        self.abstraction.entry()
    }

    fn ending(&self) -> Ending {
        self.abstraction.ending()
    }

    fn findings(&self) -> Vec<(FindingKind, At)> {
        let findings = self.abstraction.findings().into_iter();
        findings.flat_map(|(kind, at)| self.written(at).into_iter().map(move |at| (kind, at))).collect()
    }

    fn ends(&self) -> BTreeSet<At> {
        self.all_written(self.abstraction.ends())
    }

    fn blind(&self) -> BTreeSet<At> {
        self.all_written(self.abstraction.blind())
    }

    fn loses_early(&self) -> bool {
        self.abstraction.loses_early()
    }

    fn represents(&self, _: &Visit<'_>) -> Judgement {
        Judgement::Silent(Silence::AsWritten)
    }

    fn excuse(&self, incident: &Incident) -> Option<Silence> {
        self.abstraction.excuse(incident)
    }
}

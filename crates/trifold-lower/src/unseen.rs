//! Which procedures may run in ways that the analysis has not seen.
//!
//! Where something is not analysed a path ends. Execution goes on there all the same, and with it the rest of the
//! procedure, the rest of its callers, and everything that is called there.

use crate::check::Report;
use std::collections::BTreeSet;
use trifold_ir::{CallGraph, FindingKind, NodeId, ProcId, Program, Statement};
use trifold_tvl::StopReason;

impl Report {
    /// The procedures about which findings say too little.
    pub fn unseen(&self, program: &Program) -> BTreeSet<ProcId> {
        if self.stop != StopReason::Fixpoint {
            return self.lowered.procedures.iter().copied().collect();
        }
        let ends = self.findings.iter().filter(|finding| finding.kind == FindingKind::NotAnalysed);
        behind(program, &self.lowered.procedures, ends.map(|finding| finding.at))
    }
}

/// The procedures that can go on, or be called, behind these edges.
fn behind(program: &Program, procedures: &[ProcId], ends: impl Iterator<Item = (ProcId, usize)>) -> BTreeSet<ProcId> {
    let calls = CallGraph::of(program);
    let mut open: Vec<(ProcId, usize)> = ends.collect();
    let mut seen: BTreeSet<(ProcId, usize)> = open.iter().copied().collect();
    let mut unseen = BTreeSet::new();
    while let Some((procedure, edge)) = open.pop() {
        unseen.insert(procedure);
        for callee in called_behind(program, procedure, program[procedure].edges[edge].to) {
            add_callees(&calls, callee, &mut unseen);
        }
        for caller in procedures {
            for (number, edge) in program[*caller].edges.iter().enumerate() {
                let returns_here =
                    matches!(&edge.statement, Statement::Call { targets, .. } if targets.contains(&procedure));
                if returns_here && seen.insert((*caller, number)) {
                    open.push((*caller, number));
                }
            }
        }
    }
    unseen
}

/// The procedures that are called somewhere behind a node.
fn called_behind(program: &Program, procedure: ProcId, node: NodeId) -> BTreeSet<ProcId> {
    let edges = &program[procedure].edges;
    let leaving = program[procedure].edges_from();
    let (mut called, mut open, mut seen) = (BTreeSet::new(), vec![node], BTreeSet::from([node]));
    while let Some(node) = open.pop() {
        for edge in leaving[node.index()].iter().map(|number| &edges[*number]) {
            if let Statement::Call { targets, .. } = &edge.statement {
                called.extend(targets);
            }
            if seen.insert(edge.to) {
                open.push(edge.to);
            }
        }
    }
    called
}

fn add_callees(calls: &CallGraph, procedure: ProcId, all: &mut BTreeSet<ProcId>) {
    let mut open = vec![procedure];
    while let Some(procedure) = open.pop() {
        if all.insert(procedure) {
            open.extend(calls.callees(procedure));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, check};
    use trifold_ir::parse;

    #[test]
    fn what_runs_behind_something_unknown_is_not_proved() {
        let text = "struct node { node *next; }
            proc before() { inner(); }
            proc inner() { node *x; x = null; }
            proc odd() { if (*) { unsupported \"asm\"; } }
            proc middle() { odd(); deep(); }
            proc deep() { node *x; x = null; }
            proc after() { node *x; x = null; }
            entry proc main() { before(); middle(); after(); }";
        let (program, _) = parse("test", text).map_err(|failure| failure.diagnostics).unwrap();
        let report = check(&program, program.entry.unwrap(), &Options::default(), &mut ());
        let unseen = report.unseen(&program);
        let mut names: Vec<&str> = unseen.iter().map(|procedure| program[*procedure].name.as_str()).collect();
        names.sort();
        assert_eq!(names, ["after", "deep", "main", "middle", "odd"]);
    }
}

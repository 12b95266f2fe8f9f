//! Which procedures may run in ways that the analysis has not seen.
//!
//! Where something is not analysed a path ends. Execution goes on there all the same, and with it the rest of the
//! procedure, the rest of its callers, and everything that is called there. For example, after an unknown call in `f`,
//! which `main` calls before `g`, nothing is proved of `f`, `main` and `g`.

use crate::refine::StructureReport;
use std::collections::BTreeSet;
use trifold_ir::{FindingKind, ProcId};
use trifold_passes::reachable_after;
use trifold_tvl::StopReason;

impl StructureReport {
    /// The procedures about which findings say too little.
    pub fn unanalysed(&self) -> BTreeSet<ProcId> {
        if self.stop != StopReason::Fixpoint {
            return self.lowered.procedures.iter().copied().collect();
        }
        let ends = self.findings.iter().filter(|finding| FindingKind::UNSEEN.contains(&finding.kind));
        reachable_after(&self.lowered.program, &self.lowered.procedures, ends.map(|finding| finding.place.at()))
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
        let unseen = report.unanalysed();
        let mut names: Vec<&str> = unseen.iter().map(|procedure| program[*procedure].name.as_str()).collect();
        names.sort();
        assert_eq!(names, ["after", "deep", "main", "middle", "odd"]);
    }
}

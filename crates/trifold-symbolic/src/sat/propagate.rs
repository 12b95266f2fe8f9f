//! Unit propagation with two watched literals.
//!
//! A clause needs attention only when one of its two watched literals becomes false. Then another literal is watched;
//! where there is none, the other watched literal must be true.

use super::{ClauseRef, Lit, Sat, Watch};

impl Sat {
    /// Stores a clause of at least two literals and watches the first two.
    pub(super) fn store(&mut self, literals: &[Lit]) -> ClauseRef {
        let clause = self.arena.len() as ClauseRef;
        self.arena.push(Lit(literals.len() as u32));
        self.arena.extend_from_slice(literals);
        self.watches[(!literals[0]).index()].push(Watch { clause, blocker: literals[1] });
        self.watches[(!literals[1]).index()].push(Watch { clause, blocker: literals[0] });
        clause
    }

    /// The literals of a clause, as a range of the arena.
    pub(super) fn range(&self, clause: ClauseRef) -> std::ops::Range<usize> {
        let start = clause as usize + 1;
        start..start + self.arena[clause as usize].0 as usize
    }

    /// Draws all conclusions; a clause whose literals are all false ends it.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        while self.propagated < self.trail.len() {
            let lit = self.trail[self.propagated];
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[lit.index()]);
            let conflict = self.visit(!lit, &mut watches);
            self.watches[lit.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Visits the clauses that watch a literal which has become false; those that go on watching it stay in the list.
    fn visit(&mut self, falsified: Lit, watches: &mut Vec<Watch>) -> Option<ClauseRef> {
        let mut kept = 0;
        for at in 0..watches.len() {
            let Watch { clause, blocker } = watches[at];
            if self.lit_value(blocker) <= 0 {
                let range = self.range(clause);
                let first = range.start;
                if self.arena[first] == falsified {
                    self.arena.swap(first, first + 1);
                }
                let other = self.arena[first];
                if self.lit_value(other) <= 0 {
                    if let Some(new) = (first + 2..range.end).find(|i| self.lit_value(self.arena[*i]) >= 0) {
                        self.arena.swap(first + 1, new);
                        self.watches[(!self.arena[first + 1]).index()].push(Watch { clause, blocker: other });
                        continue;
                    }
                    if self.lit_value(other) < 0 {
                        watches.drain(kept..at);
                        return Some(clause);
                    }
                    self.assign(other, clause);
                }
            }
            watches[kept] = watches[at];
            kept += 1;
        }
        watches.truncate(kept);
        None
    }
}

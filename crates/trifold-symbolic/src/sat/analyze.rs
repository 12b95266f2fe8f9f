//! What a conflict teaches: the clause of the first unique implication point, and the assumptions to blame.

use super::{ClauseRef, Lit, NO_CLAUSE, Sat};

impl Sat {
    /// Learns from a conflict, jumps back to where the learnt clause has one open literal, and makes that one true.
    pub(super) fn learn(&mut self, conflict: ClauseRef) {
        let mut learnt = self.first_implication_point(conflict);
        // The literal of the highest remaining level is watched, so that the clause wakes up in time.
        if let Some(highest) = (1..learnt.len()).max_by_key(|i| self.level[learnt[*i].variable()]) {
            learnt.swap(1, highest);
        }
        let level = learnt.get(1).map_or(0, |lit| self.level[lit.variable()]);
        self.backtrack(level as usize);
        let reason = if learnt.len() > 1 { self.store(&learnt) } else { NO_CLAUSE };
        self.assign(learnt[0], reason);
        self.order.decay();
    }

    /// Resolves backwards along the trail until one literal of the current level is left; it comes first.
    fn first_implication_point(&mut self, conflict: ClauseRef) -> Vec<Lit> {
        let current = self.decisions.len() as u32;
        let mut learnt = vec![Lit::FALSE];
        let (mut clause, mut open, mut at) = (conflict, 0, self.trail.len());
        loop {
            for i in self.range(clause) {
                let lit = self.arena[i];
                let variable = lit.variable();
                if self.seen[variable] || self.level[variable] == 0 || self.lit_value(lit) > 0 {
                    continue;
                }
                self.seen[variable] = true;
                self.order.bump(variable);
                if self.level[variable] == current { open += 1 } else { learnt.push(lit) }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].variable()] {
                    break;
                }
            }
            let lit = self.trail[at];
            open -= 1;
            if open == 0 {
                learnt[0] = !lit;
                break;
            }
            self.seen[lit.variable()] = false;
            clause = self.reason[lit.variable()];
        }
        let (kept, dropped): (Vec<Lit>, Vec<Lit>) = learnt[1..].iter().partition(|lit| !self.is_implied(**lit));
        [&learnt[..1], &kept, &dropped].concat().iter().for_each(|lit| self.seen[lit.variable()] = false);
        learnt.truncate(1);
        learnt.extend(kept);
        learnt
    }

    /// Does a literal of the learnt clause follow from its others in one step?
    fn is_implied(&self, lit: Lit) -> bool {
        let reason = self.reason[lit.variable()];
        reason != NO_CLAUSE
            && self.range(reason).all(|i| {
                let variable = self.arena[i].variable();
                variable == lit.variable() || self.seen[variable] || self.level[variable] == 0
            })
    }

    /// Finds assumptions that make this one, which is false, impossible. All decisions so far are assumptions.
    pub(super) fn blame(&mut self, assumption: Lit) {
        self.core.push(assumption);
        self.seen[assumption.variable()] = true;
        let start = self.decisions.first().copied().unwrap_or(self.trail.len());
        for at in (start..self.trail.len()).rev() {
            let lit = self.trail[at];
            let variable = lit.variable();
            if !self.seen[variable] {
                continue;
            }
            match self.reason[variable] {
                NO_CLAUSE => {
                    if !self.core.contains(&lit) {
                        self.core.push(lit);
                    }
                }
                reason => {
                    for i in self.range(reason) {
                        let variable = self.arena[i].variable();
                        self.seen[variable] |= self.level[variable] > 0;
                    }
                }
            }
            self.seen[variable] = false;
        }
        self.seen[assumption.variable()] = false;
    }
}

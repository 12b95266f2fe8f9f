//! Satisfiability of propositional clauses, by conflict-driven clause learning.
//!
//! The textbook algorithm: propagate units with two watched literals per clause; at a conflict learn the clause of the
//! first unique implication point and jump back; decide the most active variable, with the value it had last (at first
//! 0, so that models are small); restart by Luby's sequence. Clauses can be added between calls, and a call can assume
//! literals: when they cannot hold, [`Clauses::core`] names some of them that are to blame.
//!
//! The clause sets of this crate have hundreds of variables and are thrown away after a few calls, so learnt clauses
//! are kept for good and nothing is simplified in advance. That is also why this solver is our own: building one costs
//! next to nothing.

mod analyze;
mod order;
mod propagate;
#[cfg(test)]
mod tests;

use order::Order;
use std::fmt;
use std::ops::Not;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal that is always true: the first variable of every solver.
    pub const TRUE: Lit = Lit(0);
    /// The literal that is never true.
    pub const FALSE: Lit = Lit(1);

    pub(crate) fn positive(variable: usize) -> Lit {
        Lit((variable as u32) << 1)
    }

    pub(crate) fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl From<bool> for Lit {
    fn from(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "-" } else { "" }, self.variable())
    }
}

/// What a call finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Satisfiability {
    /// There is a model; see [`Clauses::value`].
    Sat,
    /// There is none under the assumptions; see [`Clauses::core`].
    Unsat,
    /// The limit was reached first.
    Stopped,
}

/// Clauses, and a decision procedure for them.
pub trait Clauses: fmt::Debug {
    /// Forgets everything: there are no clauses, and no variables but the constant one.
    fn reset(&mut self);

    /// A new variable, as a positive literal.
    fn new_var(&mut self) -> Lit;

    /// Demands that one of the literals be true.
    fn add_clause(&mut self, literals: &[Lit]);

    /// Looks for a model in which the assumptions are true, but gives up when no conflicts are left.
    fn solve(&mut self, assumptions: &[Lit], conflicts: &mut u64) -> Satisfiability;

    /// The value of a literal in the last model.
    fn value(&self, lit: Lit) -> bool;

    /// Assumptions that cannot be true together; empty when the clauses alone have no model.
    fn core(&self) -> &[Lit];
}

/// A position in the arena of clauses.
type ClauseRef = u32;

/// The reason of decisions and of what is known without assumptions.
const NO_CLAUSE: ClauseRef = ClauseRef::MAX;

/// A clause that watches a literal, and another literal of it: when that one is true nothing is to be done.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: ClauseRef,
    blocker: Lit,
}

/// A solver with the clauses it was given and those it has learnt.
#[derive(Debug)]
pub struct Sat {
    /// Clauses one after the other: the length, as a literal, and then the literals, the watched ones first.
    arena: Vec<Lit>,
    /// By the literal whose becoming false concerns the clause.
    watches: Vec<Vec<Watch>>,
    /// By literal: is it true (1), false (-1) or open (0)?
    values: Vec<i8>,
    /// By variable: when and why it got its value.
    level: Vec<u32>,
    reason: Vec<ClauseRef>,
    /// By variable: the value it had last.
    saved: Vec<bool>,
    /// By variable: is it in the clause being learnt?
    seen: Vec<bool>,
    order: Order,
    trail: Vec<Lit>,
    /// How long the trail was at each decision.
    decisions: Vec<usize>,
    propagated: usize,
    /// By variable: its value in the last model.
    model: Vec<bool>,
    core: Vec<Lit>,
    contradictory: bool,
    conflicts: u64,
}

impl Default for Sat {
    fn default() -> Sat {
        let mut sat = Sat {
            arena: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            saved: Vec::new(),
            seen: Vec::new(),
            order: Order::default(),
            trail: Vec::new(),
            decisions: Vec::new(),
            propagated: 0,
            model: Vec::new(),
            core: Vec::new(),
            contradictory: false,
            conflicts: 0,
        };
        let constant = sat.new_var();
        sat.add_clause(&[constant]);
        sat
    }
}

impl Clauses for Sat {
    fn reset(&mut self) {
        *self = Sat::default();
    }

    fn new_var(&mut self) -> Lit {
        let variable = self.level.len();
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([0, 0]);
        self.level.push(0);
        self.reason.push(NO_CLAUSE);
        self.saved.push(false);
        self.seen.push(false);
        self.order.add(variable);
        Lit::positive(variable)
    }

    fn add_clause(&mut self, literals: &[Lit]) {
        self.backtrack(0);
        let mut clause: Vec<Lit> = literals.iter().copied().filter(|lit| self.lit_value(*lit) >= 0).collect();
        clause.sort_unstable();
        clause.dedup();
        let tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if tautology || clause.iter().any(|lit| self.lit_value(*lit) > 0) {
            return;
        }
        match clause[..] {
            [] => self.contradictory = true,
            [unit] => {
                self.assign(unit, NO_CLAUSE);
                self.contradictory |= self.propagate().is_some();
            }
            _ => {
                self.store(&clause);
            }
        }
    }

    fn solve(&mut self, assumptions: &[Lit], conflicts: &mut u64) -> Satisfiability {
        self.core.clear();
        let (before, end) = (self.conflicts, self.conflicts.saturating_add(*conflicts));
        let verdict = (1..).find_map(|round| self.search(assumptions, luby(round) * 64, end));
        let verdict = verdict.expect("the rounds are infinitely many");
        self.backtrack(0);
        *conflicts = conflicts.saturating_sub(self.conflicts - before);
        verdict
    }

    fn value(&self, lit: Lit) -> bool {
        self.model[lit.variable()] != lit.is_negated()
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }
}

impl Sat {
    /// One round, up to a restart.
    fn search(&mut self, assumptions: &[Lit], until_restart: u64, end: u64) -> Option<Satisfiability> {
        let restart = self.conflicts + until_restart;
        loop {
            if self.contradictory {
                return Some(Satisfiability::Unsat);
            }
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                if self.decisions.is_empty() {
                    self.contradictory = true;
                    return Some(Satisfiability::Unsat);
                }
                self.learn(conflict);
            } else if self.conflicts >= end {
                return Some(Satisfiability::Stopped);
            } else if self.conflicts >= restart {
                self.backtrack(0);
                return None;
            } else if let Some(&assumption) = assumptions.get(self.decisions.len()) {
                if self.lit_value(assumption) < 0 {
                    self.blame(assumption);
                    return Some(Satisfiability::Unsat);
                }
                self.decide(assumption);
            } else if let Some(variable) = self.next_open() {
                let lit = Lit::positive(variable);
                self.decide(if self.saved[variable] { lit } else { !lit });
            } else {
                self.model = self.values.chunks_exact(2).map(|pair| pair[0] > 0).collect();
                return Some(Satisfiability::Sat);
            }
        }
    }

    fn next_open(&mut self) -> Option<usize> {
        std::iter::from_fn(|| self.order.pop()).find(|variable| self.values[2 * variable] == 0)
    }

    /// Opens a decision level; for an assumption that is true already it stays empty.
    fn decide(&mut self, lit: Lit) {
        self.decisions.push(self.trail.len());
        if self.lit_value(lit) == 0 {
            self.assign(lit, NO_CLAUSE);
        }
    }

    fn lit_value(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        let variable = lit.variable();
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.level[variable] = self.decisions.len() as u32;
        self.reason[variable] = reason;
        self.trail.push(lit);
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&length) = self.decisions.get(level) else { return };
        for lit in self.trail.drain(length..) {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.saved[lit.variable()] = !lit.is_negated();
            self.order.add(lit.variable());
        }
        self.decisions.truncate(level);
        self.propagated = length;
    }
}

/// Luby's sequence 1 1 2 1 1 2 4 …, from 1.
fn luby(i: u64) -> u64 {
    let bits = 64 - i.leading_zeros();
    if i + 1 == 1 << bits { 1 << (bits - 1) } else { luby(i + 1 - (1 << (bits - 1))) }
}

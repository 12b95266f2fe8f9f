//! Evaluation of a compiled [`Plan`] on a structure: for all assignments at once.
//!
//! A [`Workspace`] holds the words of one structure and after them its tables. Tables are computed when first asked for
//! and kept until a source they read changes, so that the constraints of coerce, which share most of their subformulas,
//! compute each of them once. The plan says where a table lies; only for tables of three and more columns, which are
//! rare and large, a place is found when they are needed. For example, the table of `E(w) n(v,w)` is one row, whose bit
//! `u` says whether the individual `u` has a successor.

use crate::algebra::{Tables, words};
use crate::plan::{Aligned, Node, Op, Plan, Source, Table};
use crate::{Individual, Plane, Structure, row_words};
use rustc_hash::FxHashMap;
use std::ops::Range;
use trifold_logic::PredicateId;
use trifold_work::spend;

/// The tables of one structure, as far as they have been computed.
#[derive(Default, Debug)]
pub struct Workspace {
    /// The words of the structure, then those of the tables.
    pub(crate) words: Vec<u64>,
    /// For each node the round in which it was computed, unless a source has changed since. Rounds count the
    /// calls of [`Workspace::begin`].
    computed: Vec<u32>,
    round: u32,
    /// Where tables of more than two columns start.
    wide: FxHashMap<Table, usize>,
    /// Words that are in use.
    used: usize,
    pub(crate) full: Vec<u64>,
    pub(crate) size: usize,
    parameters: Vec<Individual>,
}

impl Workspace {
    /// Forgets everything: the next evaluation is about another structure, or another universe.
    pub fn begin(&mut self, plan: &Plan, structure: &Structure) {
        self.size = structure.size();
        let row = row_words(self.size);
        self.full.clear();
        self.full.resize(row, u64::MAX);
        self.full[row - 1] = u64::MAX.checked_shr((64 * row - self.size) as u32).unwrap_or(0);
        self.used = plan.end.start(self.size, row);
        if self.words.len() < self.used {
            self.words.resize(self.used, 0);
        }
        self.words[..structure.words().len()].copy_from_slice(structure.words());
        spend(structure.words().len() as u64);
        self.wide.clear();
        if self.computed.len() < plan.nodes.len() {
            self.computed.resize(plan.nodes.len(), 0);
        }
        if self.round == u32::MAX {
            self.computed.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Gives the individuals that the plan's parameters stand for.
    pub fn set_parameters(&mut self, plan: &Plan, parameters: &[Individual]) {
        self.parameters.clear();
        self.parameters.extend_from_slice(parameters);
        self.invalidate(plan, Source::Parameters);
    }

    /// Takes over the plane of a predicate, which has changed in the structure.
    pub fn reload(&mut self, plan: &Plan, structure: &Structure, predicate: PredicateId, plane: Plane) {
        let changed = structure.range(predicate, plane);
        self.words[changed.clone()].copy_from_slice(&structure.words()[changed]);
        self.invalidate(plan, Source::Predicate(predicate, plane));
    }

    fn invalidate(&mut self, plan: &Plan, source: Source) {
        plan.dependents(source).iter().for_each(|table| self.computed[table.index()] = 0);
    }

    /// The bits of a table: for a closed formula one word, 0 or 1; else rows.
    pub fn evaluate(&mut self, plan: &Plan, table: Table) -> &[u64] {
        self.compute(plan, table);
        let node = &plan.nodes[table.index()];
        let start = self.start(node, table);
        &self.words[start..start + words(node.arity, self.size, self.full.len())]
    }

    /// Is the closed formula true on its plane?
    pub fn holds(&mut self, plan: &Plan, table: Table) -> bool {
        debug_assert_eq!(plan.arity(table), 0);
        self.evaluate(plan, table)[0] != 0
    }

    /// Makes a table available.
    pub(crate) fn compute(&mut self, plan: &Plan, table: Table) {
        let node = &plan.nodes[table.index()];
        if self.computed[table.index()] == self.round || node.is_plane() {
            return;
        }
        if node.arity > 2 && !self.wide.contains_key(&table) {
            self.wide.insert(table, self.used);
            self.used += words(node.arity, self.size, self.full.len());
            self.words.resize(self.words.len().max(self.used), 0);
        }
        let start = self.start(node, table);
        let place = start..start + words(node.arity, self.size, self.full.len());
        spend(self.work(&node.op, place.len()));
        if self.full.len() == 1 {
            self.run::<true>(plan, node, place);
        } else {
            self.run::<false>(plan, node, place);
        }
        self.computed[table.index()] = self.round;
    }

    /// The work of computing so many words of a table.
    fn work(&self, op: &Op, words: usize) -> u64 {
        let each = match op {
            Op::Product { .. } | Op::Closure { .. } => self.size * self.full.len(),
            _ => 1,
        };
        4 + (words * each) as u64
    }

    fn start(&self, node: &Node, table: Table) -> usize {
        if node.arity > 2 { self.wide[&table] } else { node.place.start(self.size, self.full.len()) }
    }

    /// Computes the operands, then the table; but where the first operands show that it is empty, the others are not
    /// needed. That pays because the breaches that coerce looks for are nearly always empty, and the planner puts cheap
    /// operands first.
    fn run<const WORD: bool>(&mut self, plan: &Plan, node: &Node, place: Range<usize>) {
        match &node.op {
            Op::And(operands) if WORD && node.arity <= 2 => self.and_words(plan, operands, node.arity, place),
            Op::And(operands) => {
                self.tables::<WORD>(plan, &place, |t, result| t.fill(node.arity, result));
                for operand in operands {
                    if is_empty(&self.words[place.clone()]) {
                        return;
                    }
                    self.compute(plan, operand.operand.table);
                    self.tables::<WORD>(plan, &place, |t, result| t.and(operand, node.arity, result));
                }
            }
            Op::Product { left, .. } if !left.negated && is_empty(self.evaluate(plan, left.table)) => {
                self.words[place].fill(0);
            }
            op => {
                op.operands(|operand| self.compute(plan, operand));
                self.tables::<WORD>(plan, &place, |tables, result| tables.run(op, node.arity, result));
            }
        }
    }

    /// A conjunction of at most two columns in which a row is a word. Operands that lack a column are but masks, of the
    /// rows or of the bits in each row. All operands lie in front of the result.
    fn and_words(&mut self, plan: &Plan, operands: &[Aligned], arity: usize, place: Range<usize>) {
        let full = self.full[0];
        let (mut rows, mut bits) = (u64::MAX, if arity == 0 { 1 } else { full });
        let mut started = false;
        for Aligned { operand, columns } in operands {
            let node = &plan.nodes[operand.table.index()];
            if !node.is_plane() {
                if rows == 0 || bits == 0 || started && is_empty(&self.words[place.clone()]) {
                    break;
                }
                self.compute(plan, operand.table);
            }
            let start = node.place.start(self.size, 1);
            let flip = if operand.negated { full } else { 0 };
            match columns[..] {
                [] => bits = if (self.words[start] != 0) == operand.negated { 0 } else { bits },
                [0] if arity == 2 => rows &= self.words[start] ^ flip,
                [_] => bits &= self.words[start] ^ flip,
                _ => {
                    let (before, result) = self.words[..place.end].split_at_mut(place.start);
                    let pairs = result.iter_mut().zip(&before[start..]);
                    if started {
                        pairs.for_each(|(word, row)| *word &= row ^ flip);
                    } else {
                        pairs.for_each(|(word, row)| *word = row ^ flip);
                    }
                    started = true;
                }
            }
        }
        let result = &mut self.words[place];
        if !started {
            result.fill(bits);
        }
        if rows != u64::MAX || started && bits != full {
            let mask = |u: usize| (rows >> u & 1).wrapping_neg() & bits;
            result.iter_mut().enumerate().for_each(|(u, word)| *word &= mask(u));
        }
    }

    /// Calls `f` with the tables that are there and the place of the one that is being computed.
    #[inline(always)]
    fn tables<const WORD: bool>(
        &mut self,
        plan: &Plan,
        place: &Range<usize>,
        f: impl FnOnce(&Tables<WORD>, &mut [u64]),
    ) {
        let (before, rest) = self.words.split_at_mut(place.start);
        let (result, after) = rest.split_at_mut(place.len());
        let tables = Tables {
            plan,
            wide: &self.wide,
            words: [before, after],
            behind: place.end,
            full: &self.full,
            size: self.size,
            row_words: self.full.len(),
            parameters: &self.parameters,
        };
        f(&tables, result);
    }
}

fn is_empty(table: &[u64]) -> bool {
    table.iter().fold(0, |all, word| all | word) == 0
}

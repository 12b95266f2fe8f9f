//! Evaluation of a compiled [`Plan`] on a structure: for all assignments at once.
//!
//! A [`Workspace`] holds the tables of one structure. Tables are computed when first asked for and kept until a
//! source they read changes, so that the constraints of coerce, which share most of their subformulas, compute
//! each of them once.

use crate::algebra::{Tables, words};
use crate::plan::{Node, Op, Plan, Source, Table};
use crate::{Individual, Structure, assign, row_words};
use std::ops::Range;

/// Where a table is, and whether it can be used. Rounds count the calls of [`Workspace::begin`].
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Slot {
    /// Where it starts, in the scratch buffer or, for a predicate's plane, in the structure's own.
    pub offset: u32,
    /// The round in which it got its place.
    placed: u32,
    /// The round in which it was computed, unless a source has changed since.
    computed: u32,
}

/// The tables of one structure, as far as they have been computed.
#[derive(Default, Debug)]
pub struct Workspace {
    slots: Vec<Slot>,
    round: u32,
    scratch: Vec<u64>,
    /// Words of `scratch` that are in use.
    used: usize,
    full: Vec<u64>,
    size: usize,
    parameters: Vec<Individual>,
}

impl Workspace {
    /// Forgets everything: the next evaluation is about another structure, or another universe.
    pub fn begin(&mut self, plan: &Plan, structure: &Structure) {
        self.size = structure.size();
        self.used = 0;
        self.full.clear();
        self.full.resize(row_words(self.size), 0);
        for u in 0..self.size {
            assign(&mut self.full, u, true);
        }
        if self.slots.len() < plan.nodes.len() {
            self.slots.resize(plan.nodes.len(), Slot::default());
        }
        if self.round == u32::MAX {
            self.slots.fill(Slot::default());
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

    /// Says that a source has changed in the structure.
    pub fn invalidate(&mut self, plan: &Plan, source: Source) {
        for table in plan.dependents(source) {
            self.slots[table.index()].computed = 0;
        }
    }

    /// The bits of a table: for a closed formula one word, 0 or 1; else rows.
    pub fn evaluate<'a>(&'a mut self, plan: &Plan, table: Table, structure: &'a Structure) -> &'a [u64] {
        self.compute(plan, table, structure);
        let node = &plan.nodes[table.index()];
        let buffer = if node.is_plane() { structure.words() } else { &self.scratch };
        let start = self.slots[table.index()].offset as usize;
        &buffer[start..start + words(node.arity, self.size, self.full.len())]
    }

    /// Is the closed formula true on its plane?
    pub fn holds(&mut self, plan: &Plan, table: Table, structure: &Structure) -> bool {
        debug_assert_eq!(plan.arity(table), 0);
        self.evaluate(plan, table, structure)[0] != 0
    }

    fn compute(&mut self, plan: &Plan, table: Table, structure: &Structure) {
        let slot = self.slots[table.index()];
        if slot.computed == self.round {
            return;
        }
        let node = &plan.nodes[table.index()];
        if let Op::Load(predicate, plane) = node.op
            && node.is_plane()
        {
            let offset = structure.plane_offset(predicate, plane) as u32;
            self.slots[table.index()] = Slot { offset, placed: self.round, computed: self.round };
            return;
        }
        let words = words(node.arity, self.size, self.full.len());
        let start = if slot.placed == self.round { slot.offset as usize } else { self.place(words) };
        if self.full.len() == 1 {
            self.run::<true>(plan, node, structure, start..start + words);
        } else {
            self.run::<false>(plan, node, structure, start..start + words);
        }
        self.slots[table.index()] = Slot { offset: start as u32, placed: self.round, computed: self.round };
    }

    fn place(&mut self, words: usize) -> usize {
        self.used += words;
        if self.scratch.len() < self.used {
            self.scratch.resize(self.used, 0);
        }
        self.used - words
    }

    /// Computes the operands, then the table; but where the first operands show that it is empty, the others are not needed.
    /// The breaches that coerce looks for are nearly always empty, and the planner puts cheap operands first.
    fn run<const WORD: bool>(&mut self, plan: &Plan, node: &Node, structure: &Structure, place: Range<usize>) {
        match &node.op {
            Op::And(operands) => {
                let Some((first, others)) = operands.split_first() else {
                    return self.tables::<WORD>(plan, structure, &place, |t, result| t.fill(node.arity, result));
                };
                self.compute(plan, first.operand.table, structure);
                self.tables::<WORD>(plan, structure, &place, |t, result| t.set(first, node.arity, result));
                for operand in others {
                    if is_empty(&self.scratch[place.clone()]) {
                        return;
                    }
                    self.compute(plan, operand.operand.table, structure);
                    self.tables::<WORD>(plan, structure, &place, |t, result| t.and(operand, node.arity, result));
                }
            }
            Op::Product { left, .. } if !left.negated && is_empty(self.evaluate(plan, left.table, structure)) => {
                self.scratch[place].fill(0);
            }
            op => {
                op.operands(|operand| self.compute(plan, operand, structure));
                self.tables::<WORD>(plan, structure, &place, |tables, result| tables.run(op, node.arity, result));
            }
        }
    }

    /// Calls `f` with the tables that are there and the place of the one that is being computed.
    #[inline(always)]
    fn tables<const WORD: bool>(
        &mut self,
        plan: &Plan,
        structure: &Structure,
        place: &Range<usize>,
        f: impl FnOnce(&Tables<WORD>, &mut [u64]),
    ) {
        let (before, rest) = self.scratch.split_at_mut(place.start);
        let (result, after) = rest.split_at_mut(place.len());
        let tables = Tables {
            plan,
            structure,
            slots: &self.slots,
            scratch: [before, after],
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

//! Evaluation of a compiled [`Plan`] on a structure: for all assignments at once.
//!
//! A [`Workspace`] holds the tables of one structure. Tables are computed when first asked for and kept until a
//! source they read changes, so that the constraints of coerce, which share most of their subformulas, compute
//! each of them once.

use crate::plan::{Aligned, Argument, Op, Operand, Plan, Source, Table};
use crate::{Individual, Plane, Structure, assign, row_words, test};
use trifold_logic::PredicateId;

/// Where a table's bits are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Nowhere,
    /// In the structure's own buffer, at this offset.
    Structure(usize),
    /// In the scratch buffer, at this offset.
    Scratch(usize),
    /// There, but out of date.
    Stale(usize),
}

/// The tables of one structure, as far as they have been computed.
#[derive(Default, Debug)]
pub struct Workspace {
    places: Vec<Place>,
    scratch: Vec<u64>,
    full: Vec<u64>,
    size: usize,
    parameters: Vec<Individual>,
}

impl Workspace {
    /// Forgets everything: the next evaluation is about another structure, or another universe.
    pub fn begin(&mut self, plan: &Plan, structure: &Structure) {
        self.size = structure.size();
        self.places.clear();
        self.places.resize(plan.nodes.len(), Place::Nowhere);
        self.scratch.clear();
        self.full.clear();
        self.full.resize(row_words(self.size), 0);
        for u in 0..self.size {
            assign(&mut self.full, u, true);
        }
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
            if let Place::Scratch(offset) = self.places[table.index()] {
                self.places[table.index()] = Place::Stale(offset);
            }
        }
    }

    /// The bits of a table: for a closed formula one word, 0 or 1; else rows.
    pub fn evaluate<'a>(&'a mut self, plan: &Plan, table: Table, structure: &'a Structure) -> &'a [u64] {
        self.compute(plan, table, structure);
        self.slice(plan, table, structure)
    }

    /// Is the closed formula true on its plane?
    pub fn holds(&mut self, plan: &Plan, table: Table, structure: &Structure) -> bool {
        debug_assert_eq!(plan.arity(table), 0);
        self.evaluate(plan, table, structure)[0] != 0
    }

    fn words(&self, arity: usize) -> usize {
        if arity == 0 { 1 } else { self.size.pow(arity as u32 - 1) * row_words(self.size) }
    }

    fn slice<'a>(&'a self, plan: &Plan, table: Table, structure: &'a Structure) -> &'a [u64] {
        let words = self.words(plan.nodes[table.index()].arity);
        match self.places[table.index()] {
            Place::Structure(offset) => &structure.words()[offset..offset + words],
            Place::Scratch(offset) => &self.scratch[offset..offset + words],
            Place::Nowhere | Place::Stale(_) => unreachable!("the table has been computed"),
        }
    }

    fn compute(&mut self, plan: &Plan, table: Table, structure: &Structure) {
        let place = self.places[table.index()];
        if matches!(place, Place::Structure(_) | Place::Scratch(_)) {
            return;
        }
        let node = &plan.nodes[table.index()];
        if let Op::Load(predicate, plane) = node.op
            && node.arity > 0
        {
            self.places[table.index()] = Place::Structure(structure.plane_offset(predicate, plane));
            return;
        }
        self.compute_operands(plan, &node.op, structure);
        let words = self.words(node.arity);
        let offset = match place {
            Place::Stale(offset) => offset,
            _ => {
                let offset = self.scratch.len();
                self.scratch.resize(offset + words, 0);
                offset
            }
        };
        // Operands are computed before what reads them, so they lie in front of the result.
        let (before, after) = self.scratch.split_at_mut(offset);
        let tables = Tables {
            plan,
            structure,
            places: &self.places,
            scratch: before,
            full: &self.full,
            size: self.size,
            row: row_words(self.size),
            parameters: &self.parameters,
        };
        tables.run(&node.op, node.arity, &mut after[..words]);
        self.places[table.index()] = Place::Scratch(offset);
    }

    fn compute_operands(&mut self, plan: &Plan, op: &Op, structure: &Structure) {
        match op {
            Op::Value(_) | Op::Load(..) | Op::Equal(_) | Op::NonEmpty(_) => {}
            Op::Select { source, .. } => self.compute(plan, *source, structure),
            Op::And(operands) | Op::Or(operands) => {
                operands.iter().for_each(|o| self.compute(plan, o.operand.table, structure));
            }
            Op::Exists { operand, .. } | Op::Closure { operand, .. } => self.compute(plan, operand.table, structure),
            Op::Product { left, right, .. } => {
                self.compute(plan, left.table, structure);
                self.compute(plan, right.table, structure);
            }
        }
    }
}

/// The tables that are there while one more is computed.
struct Tables<'a> {
    plan: &'a Plan,
    structure: &'a Structure,
    places: &'a [Place],
    scratch: &'a [u64],
    full: &'a [u64],
    size: usize,
    /// Words of a row.
    row: usize,
    parameters: &'a [Individual],
}

impl<'a> Tables<'a> {
    fn run(&self, op: &Op, arity: usize, result: &mut [u64]) {
        match op {
            Op::Value(on) => result[0] = *on as u64,
            Op::Load(predicate, plane) => {
                let value = self.structure.nullary(*predicate);
                result[0] = if *plane == Plane::Must { value.must() } else { value.may() } as u64;
            }
            Op::Equal(plane) => self.equal(*plane, result),
            Op::NonEmpty(plane) => result[0] = self.witnesses(*plane).iter().any(|word| *word != 0) as u64,
            Op::Select { source, arguments } => self.select(*source, arguments, arity, result),
            Op::And(operands) => {
                self.fill(arity, true, result);
                operands.iter().for_each(|operand| self.and(operand, arity, result));
            }
            Op::Or(operands) => {
                self.fill(arity, false, result);
                operands.iter().for_each(|operand| self.or(operand, arity, result));
            }
            Op::Exists { operand, column, plane } => self.exists(*operand, *column as usize, arity, *plane, result),
            Op::Product { left, right, plane } => self.product(*left, *right, *plane, result),
            Op::Closure { operand, plane } => self.closure(*operand, arity, *plane, result),
        }
    }

    fn table(&self, table: Table) -> &'a [u64] {
        let arity = self.plan.nodes[table.index()].arity;
        let words = if arity == 0 { 1 } else { self.size.pow(arity as u32 - 1) * self.row };
        match self.places[table.index()] {
            Place::Structure(offset) => &self.structure.words()[offset..offset + words],
            Place::Scratch(offset) => &self.scratch[offset..offset + words],
            Place::Nowhere | Place::Stale(_) => unreachable!("operands are computed first"),
        }
    }

    /// The individuals that may (or, on `Must`, surely do) exist.
    fn witnesses(&self, plane: Plane) -> &'a [u64] {
        match plane {
            Plane::Must => self.structure.row(PredicateId::AC, Plane::Must),
            Plane::May => self.full,
        }
    }

    fn fill(&self, arity: usize, on: bool, result: &mut [u64]) {
        match (on, arity) {
            (false, _) => result.fill(0),
            (true, 0) => result[0] = 1,
            (true, _) => result.chunks_exact_mut(self.row).for_each(|row| row.copy_from_slice(self.full)),
        }
    }

    fn equal(&self, plane: Plane, result: &mut [u64]) {
        result.fill(0);
        for u in 0..self.size {
            if plane == Plane::May || !self.structure.is_summary(u) {
                assign(&mut result[u * self.row..(u + 1) * self.row], u, true);
            }
        }
    }

    fn and(&self, aligned: &Aligned, arity: usize, result: &mut [u64]) {
        let negated = aligned.operand.negated;
        if self.row == 1 && arity > 0 && self.combine_words(aligned, arity, result, |word, bits| word & bits) {
            return;
        }
        self.combine(
            aligned,
            arity,
            result,
            |row, operand| {
                for (word, bits) in row.iter_mut().zip(operand) {
                    *word &= if negated { !*bits } else { *bits };
                }
            },
            |row, on| {
                if on == negated {
                    row.fill(0);
                }
            },
        );
    }

    fn or(&self, aligned: &Aligned, arity: usize, result: &mut [u64]) {
        let negated = aligned.operand.negated;
        if self.row == 1 && arity > 0 && self.combine_words(aligned, arity, result, |word, bits| word | bits) {
            return;
        }
        self.combine(
            aligned,
            arity,
            result,
            |row, operand| {
                for ((word, bits), full) in row.iter_mut().zip(operand).zip(self.full) {
                    *word |= if negated { !*bits & *full } else { *bits };
                }
            },
            |row, on| {
                if on != negated {
                    if arity == 0 { row[0] = 1 } else { row.copy_from_slice(self.full) }
                }
            },
        );
    }

    /// The common case of [`Tables::combine`]: rows are words, and there are at most two columns. False if it is not that.
    fn combine_words(
        &self,
        aligned: &Aligned,
        arity: usize,
        result: &mut [u64],
        operator: impl Fn(u64, u64) -> u64,
    ) -> bool {
        let operand = self.table(aligned.operand.table);
        let full = self.full[0];
        let flip = if aligned.operand.negated { full } else { 0 };
        let spread = |on: u64| if on & 1 != 0 { full ^ flip } else { flip };
        match (&aligned.columns[..], arity) {
            ([], 1 | 2) => {
                let bits = spread(operand[0]);
                result.iter_mut().for_each(|word| *word = operator(*word, bits));
            }
            ([0], 1) | ([1], 2) => {
                let bits = operand[0] ^ flip;
                result.iter_mut().for_each(|word| *word = operator(*word, bits));
            }
            ([0, 1], 2) => result.iter_mut().zip(operand).for_each(|(word, bits)| *word = operator(*word, bits ^ flip)),
            ([0], 2) => {
                let column = operand[0];
                result.iter_mut().enumerate().for_each(|(u, word)| *word = operator(*word, spread(column >> u)));
            }
            _ => return false,
        }
        true
    }

    /// Combines each row of the result with the matching row of the operand, or, where the operand lacks the last
    /// column, with the matching bit.
    fn combine(
        &self,
        aligned: &Aligned,
        arity: usize,
        result: &mut [u64],
        with_row: impl Fn(&mut [u64], &[u64]),
        with_bit: impl Fn(&mut [u64], bool),
    ) {
        let operand = self.table(aligned.operand.table);
        let row = self.row;
        match (&aligned.columns[..], arity) {
            ([], 0) => with_bit(result, operand[0] != 0),
            ([], _) => result.chunks_exact_mut(row).for_each(|r| with_bit(r, operand[0] != 0)),
            ([0], 1) => with_row(result, operand),
            ([0, 1], 2) => with_row_pairs(result, operand, row, with_row),
            ([1], 2) => result.chunks_exact_mut(row).for_each(|r| with_row(r, operand)),
            ([0], 2) => result.chunks_exact_mut(row).enumerate().for_each(|(u, r)| with_bit(r, test(operand, u))),
            _ => self.combine_wide(aligned, arity, result, operand, with_row, with_bit),
        }
    }

    fn combine_wide(
        &self,
        aligned: &Aligned,
        arity: usize,
        result: &mut [u64],
        operand: &[u64],
        with_row: impl Fn(&mut [u64], &[u64]),
        with_bit: impl Fn(&mut [u64], bool),
    ) {
        let (last, leading) = aligned.columns.split_last().expect("operands without columns are handled before");
        let along_bits = *last as usize == arity - 1;
        for (index, r) in result.chunks_exact_mut(self.row).enumerate() {
            // Column `c` of the result is the digit of this weight of the row's number.
            let digit = |c: u8| index / self.size.pow((arity - 2) as u32 - c as u32) % self.size;
            let operand_row = leading.iter().fold(0, |number, c| number * self.size + digit(*c));
            let operand_row = &operand[operand_row * self.row..(operand_row + 1) * self.row];
            if along_bits { with_row(r, operand_row) } else { with_bit(r, test(operand_row, digit(*last))) }
        }
    }

    fn select(&self, source: Table, arguments: &[Argument], arity: usize, result: &mut [u64]) {
        let table = self.table(source);
        result.fill(0);
        if self.size == 0 {
            return;
        }
        let (last, leading) = arguments.split_last().expect("a table without columns is never selected from");
        let mut digits = vec![0; arity];
        loop {
            let at = |argument: &Argument| match argument {
                Argument::Column(c) => digits[*c as usize],
                Argument::Parameter(k) => self.parameters[*k as usize],
            };
            let number = leading.iter().fold(0, |number, argument| number * self.size + at(argument));
            if test(&table[number * self.row..(number + 1) * self.row], at(last)) {
                match digits.split_last() {
                    None => result[0] = 1,
                    Some((bit, rows)) => {
                        let number = rows.iter().fold(0, |number, digit| number * self.size + digit);
                        assign(&mut result[number * self.row..(number + 1) * self.row], *bit, true);
                    }
                }
            }
            if !self.advance(&mut digits) {
                return;
            }
        }
    }

    /// The next assignment of individuals to columns, last column fastest; false after the last one.
    fn advance(&self, digits: &mut [Individual]) -> bool {
        for digit in digits.iter_mut().rev() {
            *digit += 1;
            if *digit < self.size {
                return true;
            }
            *digit = 0;
        }
        false
    }

    /// The planner always eliminates the last column, so a row's witnesses decide one bit of the result.
    fn exists(&self, operand: Operand, column: usize, arity: usize, plane: Plane, result: &mut [u64]) {
        debug_assert_eq!(column, arity);
        let table = self.table(operand.table);
        let witnesses = self.witnesses(plane);
        let any = |row: &[u64]| {
            let flip = if operand.negated { u64::MAX } else { 0 };
            row.iter().zip(witnesses).any(|(bits, witness)| (bits ^ flip) & witness != 0)
        };
        if arity == 0 {
            result[0] = any(table) as u64;
            return;
        }
        result.fill(0);
        for (index, row) in table.chunks_exact(self.row).enumerate() {
            if any(row) {
                let (number, bit) = (index / self.size, index % self.size);
                assign(&mut result[number * self.row..(number + 1) * self.row], bit, true);
            }
        }
    }

    fn product(&self, left: Operand, right: Operand, plane: Plane, result: &mut [u64]) {
        let witnesses = self.witnesses(plane);
        let right_table = self.table(right.table);
        let flip = if left.negated { u64::MAX } else { 0 };
        result.fill(0);
        for (r, row) in result.chunks_exact_mut(self.row).zip(self.table(left.table).chunks_exact(self.row)) {
            for (index, (bits, witness)) in row.iter().zip(witnesses).enumerate() {
                let mut through = (bits ^ flip) & witness;
                while through != 0 {
                    let c = index * 64 + through.trailing_zeros() as usize;
                    through &= through - 1;
                    let onward = &right_table[c * self.row..(c + 1) * self.row];
                    for ((word, bits), full) in r.iter_mut().zip(onward).zip(self.full) {
                        *word |= if right.negated { !*bits & *full } else { *bits };
                    }
                }
            }
        }
    }

    /// Warshall's algorithm on rows. Only individuals that exist on the plane may lie inside a path.
    fn closure(&self, operand: Operand, arity: usize, plane: Plane, result: &mut [u64]) {
        let table = self.table(operand.table);
        for (r, row) in result.chunks_exact_mut(self.row).zip(table.chunks_exact(self.row)) {
            for ((word, bits), full) in r.iter_mut().zip(row).zip(self.full) {
                *word = if operand.negated { !*bits & *full } else { *bits };
            }
        }
        debug_assert!(arity >= 2);
        if self.size == 0 {
            return;
        }
        let witnesses = self.witnesses(plane);
        let mut onward = vec![0; self.row];
        for matrix in result.chunks_exact_mut(self.size * self.row) {
            for k in (0..self.size).filter(|k| test(witnesses, *k)) {
                onward.copy_from_slice(&matrix[k * self.row..(k + 1) * self.row]);
                if onward.iter().all(|word| *word == 0) {
                    continue;
                }
                for row in matrix.chunks_exact_mut(self.row).filter(|row| test(row, k)) {
                    row.iter_mut().zip(&onward).for_each(|(word, bits)| *word |= *bits);
                }
            }
        }
    }
}

fn with_row_pairs(result: &mut [u64], operand: &[u64], row: usize, with_row: impl Fn(&mut [u64], &[u64])) {
    for (r, o) in result.chunks_exact_mut(row).zip(operand.chunks_exact(row)) {
        with_row(r, o);
    }
}

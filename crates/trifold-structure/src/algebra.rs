//! Relational algebra on bit tables: how each operation of a [`Plan`] is computed.
//!
//! A table with columns `c1 … ck` is a sequence of rows, one for each value of `c1 … ck-1`; the bits of a row are the
//! values of `ck`. Bits beyond the universe are 0, so complementing is an exclusive or with the full row.
//!
//! Nearly all universes have at most 64 individuals. Then a row is a word, and the compiler is told so: `WORD` fixes
//! the length of a row to 1, which turns the loops over the words of a row into single instructions. For example, the
//! conjunction of two unary tables over 40 individuals is one `and` of two words.

use crate::plan::{Aligned, Argument, Op, Operand, Plan, Table};
use crate::{Individual, Plane, assign, bits, test};
use rustc_hash::FxHashMap;
use trifold_logic::PredicateId;

/// The tables that are there while one more is computed.
pub(crate) struct Tables<'a, const WORD: bool> {
    pub plan: &'a Plan,
    /// Where tables of more than two columns start.
    pub wide: &'a FxHashMap<Table, usize>,
    /// The words before the table that is being computed, and after it.
    pub words: [&'a [u64]; 2],
    /// Where the second part starts.
    pub behind: usize,
    /// The row of all individuals.
    pub full: &'a [u64],
    pub size: usize,
    /// Words of a row; see [`Tables::row`].
    pub row_words: usize,
    pub parameters: &'a [Individual],
}

impl<'a, const WORD: bool> Tables<'a, WORD> {
    /// Computes a table of this many columns.
    pub fn run(&self, op: &Op, arity: usize, result: &mut [u64]) {
        match op {
            Op::Value(on) => result[0] = *on as u64,
            Op::Load(predicate, plane) => {
                let (word, mask) = self.plan.layout.nullary_bit(*predicate, *plane);
                result[0] = (self.words[0][word] & mask != 0) as u64;
            }
            Op::Equal(plane) => self.equal(*plane, result),
            Op::NonEmpty(plane) => result[0] = self.witnesses(*plane).iter().any(|word| *word != 0) as u64,
            Op::Select { source, arguments } => self.select(*source, arguments, arity, result),
            Op::And(_) => unreachable!("the operands of a conjunction are computed one at a time"),
            Op::Or(operands) => {
                result.fill(0);
                operands.iter().for_each(|operand| self.combine(operand, arity, result, |word, bits| word | bits));
            }
            Op::Exists { operand, column, plane } => {
                debug_assert_eq!(*column as usize, arity, "the planner always eliminates the last column");
                self.exists(*operand, arity, *plane, result);
            }
            Op::Product { left, right, plane } => self.product(*left, *right, *plane, result),
            Op::Closure { operand, plane } => self.closure(*operand, *plane, result),
        }
    }

    /// Words of a row.
    #[inline(always)]
    fn row(&self) -> usize {
        if WORD { 1 } else { self.row_words }
    }

    fn table(&self, table: Table) -> &'a [u64] {
        let node = &self.plan.nodes[table.index()];
        let start = if node.arity > 2 { self.wide[&table] } else { node.place.start(self.size, self.row()) };
        let words = words(node.arity, self.size, self.row());
        match start.checked_sub(self.behind) {
            None => &self.words[0][start..start + words],
            Some(start) => &self.words[1][start..start + words],
        }
    }

    /// The row of a unary predicate.
    fn unary(&self, predicate: PredicateId, plane: Plane) -> &'a [u64] {
        let start = self.plan.layout.place(predicate, plane).start(self.size, self.row());
        &self.words[0][start..start + self.row()]
    }

    /// The individuals that may (or, on `Must`, surely do) exist.
    fn witnesses(&self, plane: Plane) -> &'a [u64] {
        match plane {
            Plane::Must => self.unary(PredicateId::AC, Plane::Must),
            Plane::May => self.full,
        }
    }

    /// The mask that complements word `i` of a row, or leaves it.
    #[inline(always)]
    fn flip(&self, negated: bool, i: usize) -> u64 {
        if negated { self.full[i] } else { 0 }
    }

    fn equal(&self, plane: Plane, result: &mut [u64]) {
        result.fill(0);
        let summaries = self.unary(PredicateId::SM, Plane::May);
        for u in 0..self.size {
            if plane == Plane::May || !test(summaries, u) {
                assign(&mut result[u * self.row()..(u + 1) * self.row()], u, true);
            }
        }
    }

    /// The table that holds everywhere: the conjunction of nothing.
    pub fn fill(&self, arity: usize, result: &mut [u64]) {
        match arity {
            0 => result[0] = 1,
            _ => result.chunks_exact_mut(self.row()).for_each(|r| r.copy_from_slice(self.full)),
        }
    }

    /// Restricts the result to the operand.
    pub fn and(&self, operand: &Aligned, arity: usize, result: &mut [u64]) {
        self.combine(operand, arity, result, |word, bits| word & bits);
    }

    /// Combines each row of the result with the matching row of the operand, or, where the operand lacks the last
    /// column, with its matching bit on all of the row.
    #[inline(always)]
    fn combine(&self, aligned: &Aligned, arity: usize, result: &mut [u64], operator: impl Fn(u64, u64) -> u64) {
        let Operand { table, negated } = aligned.operand;
        let operand = self.table(table);
        if arity == 0 {
            result[0] = operator(result[0], operand[0] ^ negated as u64);
        } else if !WORD || arity > 2 {
            self.combine_rows(aligned, arity, result, operator);
        } else {
            let full = self.full[0];
            let flip = if negated { full } else { 0 };
            let spread = |on: u64| (on & 1).wrapping_neg() & full ^ flip;
            let all = |result: &mut [u64], bits: u64| result.iter_mut().for_each(|word| *word = operator(*word, bits));
            match aligned.columns[..] {
                [] => all(result, spread(operand[0])),
                [0] if arity == 2 => {
                    let column = operand[0];
                    for (u, word) in result.iter_mut().enumerate() {
                        *word = operator(*word, spread(column >> u));
                    }
                }
                [_] => all(result, operand[0] ^ flip),
                _ => {
                    for (word, bits) in result.iter_mut().zip(operand) {
                        *word = operator(*word, bits ^ flip);
                    }
                }
            }
        }
    }

    /// The general case of [`Tables::combine`].
    fn combine_rows(&self, aligned: &Aligned, arity: usize, result: &mut [u64], operator: impl Fn(u64, u64) -> u64) {
        let Operand { table, negated } = aligned.operand;
        let operand = self.table(table);
        let row = self.row();
        let with_row = |r: &mut [u64], bits: &[u64]| {
            for i in 0..row {
                r[i] = operator(r[i], bits[i] ^ self.flip(negated, i));
            }
        };
        let with_bit = |r: &mut [u64], on: bool| {
            for (i, word) in r.iter_mut().enumerate() {
                *word = operator(*word, if on != negated { self.full[i] } else { 0 });
            }
        };
        if aligned.columns.is_empty() {
            return result.chunks_exact_mut(row).for_each(|r| with_bit(r, operand[0] != 0));
        }
        let (last, leading) = aligned.columns.split_last().expect("operands without columns are handled before");
        let along_bits = *last as usize == arity - 1;
        let mut digits = vec![0; arity - 1];
        for r in result.chunks_exact_mut(row) {
            let number = leading.iter().fold(0, |number, c| number * self.size + digits[*c as usize]);
            let bits = &operand[number * row..(number + 1) * row];
            if along_bits {
                with_row(r, bits)
            } else {
                with_bit(r, test(bits, digits[*last as usize]))
            }
            self.advance(&mut digits);
        }
    }

    fn select(&self, source: Table, arguments: &[Argument], arity: usize, result: &mut [u64]) {
        let table = self.table(source);
        let row = self.row();
        let given = |k: &u8| self.parameters[*k as usize];
        let rows = || table.chunks_exact(row).enumerate();
        result.fill(0);
        match arguments {
            _ if self.size == 0 => {}
            [Argument::Parameter(k)] => result[0] = test(table, given(k)) as u64,
            [Argument::Parameter(k), Argument::Parameter(l)] => {
                result[0] = test(&table[given(k) * row..], given(l)) as u64;
            }
            [Argument::Parameter(k), Argument::Column(0)] => {
                result.copy_from_slice(&table[given(k) * row..(given(k) + 1) * row]);
            }
            [Argument::Column(0), Argument::Parameter(k)] => {
                rows().for_each(|(u, r)| result[u / 64] |= (test(r, given(k)) as u64) << (u % 64));
            }
            [Argument::Column(0), Argument::Column(0)] => {
                rows().for_each(|(u, r)| result[u / 64] |= (test(r, u) as u64) << (u % 64));
            }
            [Argument::Column(1), Argument::Column(0)] if WORD => {
                for (u, r) in table.iter().enumerate() {
                    let mut left = *r;
                    while left != 0 {
                        result[left.trailing_zeros() as usize] |= 1 << u;
                        left &= left - 1;
                    }
                }
            }
            [Argument::Column(1), Argument::Column(0)] => {
                for (u, r) in rows() {
                    bits(r).for_each(|v| result[v * row + u / 64] |= 1 << (u % 64));
                }
            }
            _ => self.select_wide(table, arguments, arity, result),
        }
    }

    fn select_wide(&self, table: &[u64], arguments: &[Argument], arity: usize, result: &mut [u64]) {
        let row = self.row();
        let (last, leading) = arguments.split_last().expect("a table without columns is never selected from");
        let mut digits = vec![0; arity];
        loop {
            let at = |argument: &Argument| match argument {
                Argument::Column(c) => digits[*c as usize],
                Argument::Parameter(k) => self.parameters[*k as usize],
            };
            let number = leading.iter().fold(0, |number, argument| number * self.size + at(argument));
            if test(&table[number * row..(number + 1) * row], at(last)) {
                match digits.split_last() {
                    None => result[0] = 1,
                    Some((bit, rows)) => {
                        let number = rows.iter().fold(0, |number, digit| number * self.size + digit);
                        assign(&mut result[number * row..(number + 1) * row], *bit, true);
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

    /// A row's witnesses decide one bit of the result.
    fn exists(&self, operand: Operand, arity: usize, plane: Plane, result: &mut [u64]) {
        let table = self.table(operand.table);
        let witnesses = self.witnesses(plane);
        let row = self.row();
        let any = |r: &[u64]| (0..row).any(|i| (r[i] ^ self.flip(operand.negated, i)) & witnesses[i] != 0);
        if arity == 0 {
            result[0] = any(table) as u64;
            return;
        }
        if WORD && arity == 1 {
            let (flip, witnesses) = (self.flip(operand.negated, 0), witnesses[0]);
            let witnessed = |(u, word): (usize, &u64)| (((word ^ flip) & witnesses != 0) as u64) << u;
            result[0] = table.iter().enumerate().map(witnessed).fold(0, |all, bit| all | bit);
            return;
        }
        result.fill(0);
        let Some(group) = std::num::NonZero::new(self.size * row) else { return };
        for (r, rows) in result.chunks_exact_mut(row).zip(table.chunks_exact(group.get())) {
            for (u, witnessed) in rows.chunks_exact(row).map(any).enumerate() {
                r[u / 64] |= (witnessed as u64) << (u % 64);
            }
        }
    }

    fn product(&self, left: Operand, right: Operand, plane: Plane, result: &mut [u64]) {
        let witnesses = self.witnesses(plane);
        let (left_table, right_table) = (self.table(left.table), self.table(right.table));
        let row = self.row();
        if WORD {
            let (flip_left, flip_right) = (self.flip(left.negated, 0), self.flip(right.negated, 0));
            // Individuals that lead nowhere need not be looked at.
            let leads_on = |(c, row): (usize, &u64)| ((row ^ flip_right != 0) as u64) << c;
            let useful = witnesses[0] & right_table.iter().enumerate().map(leads_on).fold(0, |all, bit| all | bit);
            for (r, through) in result.iter_mut().zip(left_table) {
                let mut through = (through ^ flip_left) & useful;
                let mut reached = 0;
                while through != 0 {
                    reached |= right_table[through.trailing_zeros() as usize] ^ flip_right;
                    through &= through - 1;
                }
                *r = reached;
            }
            return;
        }
        result.fill(0);
        for (r, through) in result.chunks_exact_mut(row).zip(left_table.chunks_exact(row)) {
            for i in 0..row {
                let mut through = (through[i] ^ self.flip(left.negated, i)) & witnesses[i];
                while through != 0 {
                    let c = i * 64 + through.trailing_zeros() as usize;
                    through &= through - 1;
                    let onward = &right_table[c * row..(c + 1) * row];
                    for j in 0..row {
                        r[j] |= onward[j] ^ self.flip(right.negated, j);
                    }
                }
            }
        }
    }

    /// Warshall's algorithm on rows. Only individuals that exist on the plane may lie inside a path.
    fn closure(&self, operand: Operand, plane: Plane, result: &mut [u64]) {
        let row = self.row();
        for (r, steps) in result.chunks_exact_mut(row).zip(self.table(operand.table).chunks_exact(row)) {
            for i in 0..row {
                r[i] = steps[i] ^ self.flip(operand.negated, i);
            }
        }
        if self.size == 0 {
            return;
        }
        let witnesses = self.witnesses(plane);
        let mut onward = vec![0; if WORD { 0 } else { row }];
        for matrix in result.chunks_exact_mut(self.size * row) {
            for k in bits(witnesses) {
                if WORD {
                    let onward = matrix[k];
                    matrix.iter_mut().for_each(|word| *word |= onward & (*word >> k & 1).wrapping_neg());
                    continue;
                }
                onward.copy_from_slice(&matrix[k * row..(k + 1) * row]);
                for r in matrix.chunks_exact_mut(row).filter(|r| test(r, k)) {
                    r.iter_mut().zip(&onward).for_each(|(word, bits)| *word |= *bits);
                }
            }
        }
    }
}

/// Words of a table with this many columns; one for a truth value.
pub(crate) fn words(arity: usize, size: usize, row: usize) -> usize {
    match arity {
        0 => 1,
        1 => row,
        2 => size * row,
        _ => size.pow(arity as u32 - 1) * row,
    }
}

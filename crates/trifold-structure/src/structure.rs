//! Three-valued logical structures [LevAmi00 §2.1, §2.2] as flat bit planes.
//!
//! A structure is one buffer of words. Each predicate has two planes, `must` (value 1) and `may` (value 1/2 or 1):
//!
//! ```text
//! nullary must | nullary may | unary 0 must | unary 0 may | unary 1 must | … | binary 0 must (n rows) | binary 0 may | …
//! ```
//!
//! A row has one bit per individual, so up to 64 individuals need one word per row. Two structures over the
//! same vocabulary with the same buffer are equal; cloning is a copy of memory.
//!
//! # Invariants
//! `must` implies `may`; bits beyond the universe are 0; `sm` is never 1, since "stands for at least two" is never known.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use trifold_logic::{Kleene, PredicateId, Vocabulary};

/// An individual of one structure: its position in the universe.
pub type Individual = usize;

/// One of the two Boolean views of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Plane {
    /// The value is 1.
    Must,
    /// The value is 1/2 or 1.
    May,
}

impl Plane {
    /// The other plane: negation reads it.
    pub fn dual(self) -> Plane {
        match self {
            Plane::Must => Plane::May,
            Plane::May => Plane::Must,
        }
    }
}

/// Where a predicate's values lie, for any size of universe.
#[derive(Clone, Copy, Debug)]
struct Slot {
    arity: usize,
    /// The bit of a nullary predicate.
    bit: usize,
    /// The planes of any other.
    planes: [Place; 2],
}

/// Where a table lies in a buffer: behind the values of nullary predicates and this many rows and matrices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Place {
    pub nullary: u32,
    pub rows: u32,
    pub matrices: u32,
}

impl Place {
    /// The first word, for this size of the universe and this many words in a row.
    #[inline(always)]
    pub fn start(self, size: usize, row_words: usize) -> usize {
        self.nullary as usize + (self.rows as usize + self.matrices as usize * size) * row_words
    }
}

/// The arrangement of a vocabulary's predicates in a structure's buffer.
#[derive(Clone, Default, Debug)]
pub struct Layout {
    slots: Vec<Slot>,
    count: [usize; 3],
}

impl Layout {
    /// The layout for a vocabulary whose predicates have at most two arguments.
    pub fn new(vocabulary: &Vocabulary) -> Layout {
        Layout::for_arities(&vocabulary.iter().map(|(_, predicate)| predicate.arity).collect::<Vec<_>>())
    }

    /// The layout for predicates of these arities.
    pub(crate) fn for_arities(arities: &[usize]) -> Layout {
        let mut count = [0; 3];
        arities.iter().for_each(|arity| count[*arity] += 1);
        let mut layout = Layout { slots: Vec::with_capacity(arities.len()), count };
        let front = Place { nullary: 2 * layout.nullary_words() as u32, rows: 0, matrices: 0 };
        let mut seen = [0; 3];
        for &arity in arities {
            let number = seen[arity];
            seen[arity] += 1;
            let plane = |plane: u32| match arity {
                1 => Place { rows: 2 * number + plane, ..front },
                _ => Place { rows: 2 * count[1] as u32, matrices: 2 * number + plane, ..front },
            };
            layout.slots.push(Slot { arity, bit: number as usize, planes: [plane(0), plane(1)] });
        }
        layout
    }

    /// The number of arguments of a predicate.
    pub fn arity(&self, predicate: PredicateId) -> usize {
        self.slots[predicate.index()].arity
    }

    /// The number of predicates.
    pub fn predicates(&self) -> usize {
        self.slots.len()
    }

    fn nullary_words(&self) -> usize {
        self.count[0].div_ceil(64)
    }

    /// The place of a unary predicate's row or of a binary predicate's matrix on a plane.
    pub(crate) fn place(&self, predicate: PredicateId, plane: Plane) -> Place {
        debug_assert_ne!(self.arity(predicate), 0, "nullary predicates have a bit, not a row");
        self.slots[predicate.index()].planes[plane as usize]
    }

    /// The place behind everything.
    pub(crate) fn end(&self) -> Place {
        let [_, unary, binary] = self.count.map(|count| 2 * count as u32);
        Place { nullary: 2 * self.nullary_words() as u32, rows: unary, matrices: binary }
    }

    fn unary_base(&self) -> usize {
        2 * self.nullary_words()
    }

    fn binary_base(&self, size: usize) -> usize {
        Place { matrices: 0, ..self.end() }.start(size, row_words(size))
    }

    fn total(&self, size: usize) -> usize {
        self.end().start(size, row_words(size))
    }

    /// Offset of a unary predicate's row or of a binary predicate's first row.
    fn offset(&self, predicate: PredicateId, plane: Plane, size: usize) -> usize {
        self.place(predicate, plane).start(size, row_words(size))
    }

    /// The word and the bit of a nullary predicate.
    pub(crate) fn nullary_bit(&self, predicate: PredicateId, plane: Plane) -> (usize, u64) {
        let index = self.slots[predicate.index()].bit;
        (plane as usize * self.nullary_words() + index / 64, 1 << (index % 64))
    }
}

/// Words of a row over a universe of this size; an empty universe still has one.
pub fn row_words(size: usize) -> usize {
    size.div_ceil(64).max(1)
}

/// A three-valued logical structure.
#[derive(Clone)]
pub struct Structure {
    layout: Arc<Layout>,
    size: usize,
    words: Vec<u64>,
    /// Names of the individuals, when they are tracked. They are no part of the structure's identity.
    names: Option<Vec<Arc<str>>>,
}

impl Structure {
    /// A structure of `size` individuals that all exist and stand for one thing each; every other value is 0.
    pub fn new(layout: &Arc<Layout>, size: usize) -> Structure {
        let words = vec![0; layout.total(size)];
        let mut structure = Structure { layout: layout.clone(), size, words, names: None };
        for individual in 0..size {
            structure.set_unary(PredicateId::AC, individual, Kleene::True);
        }
        structure
    }

    /// The number of individuals.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The individuals.
    pub fn universe(&self) -> std::ops::Range<Individual> {
        0..self.size
    }

    /// The arrangement of predicates.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The whole buffer: equal for equal structures.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Tracked names of the individuals; empty when they are not tracked.
    pub fn names(&self) -> &[Arc<str>] {
        self.names.as_deref().unwrap_or_default()
    }

    /// Are names tracked? An empty universe has none to show for it.
    pub fn tracks_names(&self) -> bool {
        self.names.is_some()
    }

    /// No longer tracks names.
    pub fn forget_names(&mut self) {
        self.names = None;
    }

    /// Starts to track names: one per individual.
    pub fn set_names(&mut self, names: Vec<Arc<str>>) {
        assert_eq!(names.len(), self.size, "one name per individual");
        self.names = Some(names);
    }

    /// The value of a predicate of any arity.
    pub fn get(&self, predicate: PredicateId, tuple: &[Individual]) -> Kleene {
        match *tuple {
            [] => self.nullary(predicate),
            [u] => self.unary(predicate, u),
            [u, v] => self.binary(predicate, u, v),
            _ => unreachable!("predicates have at most two arguments"),
        }
    }

    /// Sets the value of a predicate of any arity.
    pub fn set(&mut self, predicate: PredicateId, tuple: &[Individual], value: Kleene) {
        match *tuple {
            [] => self.set_nullary(predicate, value),
            [u] => self.set_unary(predicate, u, value),
            [u, v] => self.set_binary(predicate, u, v, value),
            _ => unreachable!("predicates have at most two arguments"),
        }
    }

    /// The value of a nullary predicate.
    pub fn nullary(&self, predicate: PredicateId) -> Kleene {
        let bit = |plane| {
            let (word, mask) = self.layout.nullary_bit(predicate, plane);
            self.words[word] & mask != 0
        };
        Kleene::from_planes(bit(Plane::Must), bit(Plane::May))
    }

    /// Sets the value of a nullary predicate.
    pub fn set_nullary(&mut self, predicate: PredicateId, value: Kleene) {
        self.set_nullary_plane(predicate, Plane::Must, value.must());
        self.set_nullary_plane(predicate, Plane::May, value.may());
    }

    /// Sets one plane of a nullary predicate. Keeping `must` within `may` is the caller's duty.
    pub fn set_nullary_plane(&mut self, predicate: PredicateId, plane: Plane, on: bool) {
        let (word, mask) = self.layout.nullary_bit(predicate, plane);
        if on { self.words[word] |= mask } else { self.words[word] &= !mask }
    }

    /// The value of a unary predicate.
    pub fn unary(&self, predicate: PredicateId, u: Individual) -> Kleene {
        let bit = |plane| test(self.row(predicate, plane), u);
        Kleene::from_planes(bit(Plane::Must), bit(Plane::May))
    }

    /// Sets the value of a unary predicate.
    pub fn set_unary(&mut self, predicate: PredicateId, u: Individual, value: Kleene) {
        assign(self.row_mut(predicate, Plane::Must), u, value.must());
        assign(self.row_mut(predicate, Plane::May), u, value.may());
    }

    /// The value of a binary predicate.
    pub fn binary(&self, predicate: PredicateId, u: Individual, v: Individual) -> Kleene {
        let bit = |plane| test(self.matrix_row(predicate, plane, u), v);
        Kleene::from_planes(bit(Plane::Must), bit(Plane::May))
    }

    /// Sets the value of a binary predicate.
    pub fn set_binary(&mut self, predicate: PredicateId, u: Individual, v: Individual, value: Kleene) {
        assign(self.matrix_row_mut(predicate, Plane::Must, u), v, value.must());
        assign(self.matrix_row_mut(predicate, Plane::May, u), v, value.may());
    }

    /// May this individual stand for several?
    pub fn is_summary(&self, u: Individual) -> bool {
        test(self.row(PredicateId::SM, Plane::May), u)
    }

    /// Marks an individual as summary or as a single one.
    pub fn set_summary(&mut self, u: Individual, summary: bool) {
        self.set_unary(PredicateId::SM, u, if summary { Kleene::Unknown } else { Kleene::False });
    }

    /// Does the individual exist in every represented store?
    pub fn is_active(&self, u: Individual) -> bool {
        test(self.row(PredicateId::AC, Plane::Must), u)
    }

    /// The bits of a plane: a row for a unary predicate, all rows for a binary one.
    pub fn plane(&self, predicate: PredicateId, plane: Plane) -> &[u64] {
        let start = self.layout.offset(predicate, plane, self.size);
        &self.words[start..start + self.plane_words(predicate)]
    }

    /// The bits of a plane, to be changed. Keeping `must` within `may` is the caller's duty.
    pub fn plane_mut(&mut self, predicate: PredicateId, plane: Plane) -> &mut [u64] {
        let start = self.layout.offset(predicate, plane, self.size);
        let length = self.plane_words(predicate);
        &mut self.words[start..start + length]
    }

    /// Where a plane starts in [`Structure::words`]; nullary predicates have no plane of their own.
    pub fn plane_offset(&self, predicate: PredicateId, plane: Plane) -> usize {
        self.layout.offset(predicate, plane, self.size)
    }

    /// The words in which the values on a plane lie.
    pub(crate) fn range(&self, predicate: PredicateId, plane: Plane) -> std::ops::Range<usize> {
        if self.layout.arity(predicate) == 0 {
            return 0..self.layout.unary_base();
        }
        let start = self.plane_offset(predicate, plane);
        start..start + self.plane_words(predicate)
    }

    fn plane_words(&self, predicate: PredicateId) -> usize {
        let row = row_words(self.size);
        if self.layout.arity(predicate) == 1 { row } else { self.size * row }
    }

    /// The row of a unary predicate.
    pub fn row(&self, predicate: PredicateId, plane: Plane) -> &[u64] {
        self.plane(predicate, plane)
    }

    /// The row of a unary predicate, to be changed.
    pub fn row_mut(&mut self, predicate: PredicateId, plane: Plane) -> &mut [u64] {
        self.plane_mut(predicate, plane)
    }

    /// The row of a binary predicate at its first argument.
    pub fn matrix_row(&self, predicate: PredicateId, plane: Plane, u: Individual) -> &[u64] {
        let row = row_words(self.size);
        &self.plane(predicate, plane)[u * row..(u + 1) * row]
    }

    /// The row of a binary predicate at its first argument, to be changed.
    pub fn matrix_row_mut(&mut self, predicate: PredicateId, plane: Plane, u: Individual) -> &mut [u64] {
        let row = row_words(self.size);
        &mut self.plane_mut(predicate, plane)[u * row..(u + 1) * row]
    }

    /// Makes all values of a predicate 1/2.
    pub fn forget(&mut self, predicate: PredicateId) {
        let (size, row) = (self.size, row_words(self.size));
        if self.layout.arity(predicate) == 0 {
            return self.set_nullary(predicate, Kleene::Unknown);
        }
        self.plane_mut(predicate, Plane::Must).fill(0);
        let last = u64::MAX.checked_shr((64 * row - size) as u32).unwrap_or(0);
        for bits in self.plane_mut(predicate, Plane::May).chunks_exact_mut(row) {
            bits.fill(u64::MAX);
            bits[row - 1] = last;
        }
    }

    /// The rows of some unary predicates, on `must` and then on `may`.
    pub fn rows_of(&self, predicates: &[PredicateId]) -> impl Iterator<Item = [&[u64]; 2]> {
        let row = row_words(self.size);
        predicates.iter().map(move |predicate| {
            let start = self.layout.place(*predicate, Plane::Must).start(self.size, row);
            let (must, may) = self.words[start..start + 2 * row].split_at(row);
            [must, may]
        })
    }

    /// Do all individuals surely exist?
    pub fn all_active(&self) -> bool {
        let active = self.row(PredicateId::AC, Plane::Must);
        active.iter().map(|word| word.count_ones() as usize).sum::<usize>() == self.size
    }

    /// The rows of the unary predicates and the matrices of the binary ones, `must` and `may` by turns.
    pub(crate) fn regions(&self) -> (&[u64], &[u64]) {
        let (front, matrices) = self.words.split_at(self.layout.binary_base(self.size));
        (&front[self.layout.unary_base()..], matrices)
    }

    /// The values of the nullary predicates: `must` in the first half, `may` in the second.
    pub(crate) fn nullary_region(&self) -> &[u64] {
        &self.words[..self.layout.unary_base()]
    }

    /// The values of nullary predicates, rows and matrices.
    pub(crate) fn all_regions(&self) -> [&[u64]; 3] {
        let (rows, matrices) = self.regions();
        [self.nullary_region(), rows, matrices]
    }

    /// The values of nullary predicates, rows and matrices, to be changed.
    pub(crate) fn all_regions_mut(&mut self) -> [&mut [u64]; 3] {
        let (front, matrices) = self.words.split_at_mut(self.layout.binary_base(self.size));
        let (nullary, rows) = front.split_at_mut(self.layout.unary_base());
        [nullary, rows, matrices]
    }

    /// The rows and matrices, to be changed.
    pub(crate) fn regions_mut(&mut self) -> (&mut [u64], &mut [u64]) {
        let [_, rows, matrices] = self.all_regions_mut();
        (rows, matrices)
    }

    /// A structure in which every value is 0, that of `ac` included, except for those of nullary predicates.
    pub(crate) fn blank(&self, size: usize) -> Structure {
        let mut words = vec![0; self.layout.total(size)];
        let nullary = self.layout.unary_base();
        words[..nullary].copy_from_slice(&self.words[..nullary]);
        Structure { layout: self.layout.clone(), size, words, names: None }
    }

    /// The structure with `count` more individuals that exist and satisfy nothing. New names are `m1`, `m2`, … beyond
    /// those already there.
    pub fn extended(&self, count: usize) -> Structure {
        let size = self.size + count;
        let mut result = self.blank(size);
        let (row, new_row) = (row_words(self.size), row_words(size));
        let (rows, matrices) = self.regions();
        let (new_rows, new_matrices) = result.regions_mut();
        for (old, new) in rows.chunks_exact(row).zip(new_rows.chunks_exact_mut(new_row)) {
            new[..row].copy_from_slice(old);
        }
        if self.size > 0 {
            let new_matrices = new_matrices.chunks_exact_mut(size * new_row);
            for (old, new) in matrices.chunks_exact(self.size * row).zip(new_matrices) {
                for (old, new) in old.chunks_exact(row).zip(new.chunks_exact_mut(new_row)) {
                    new[..row].copy_from_slice(old);
                }
            }
        }
        (self.size..size).for_each(|u| result.set_unary(PredicateId::AC, u, Kleene::True));
        if let Some(names) = &self.names {
            let fresh = (1..).map(|i| Arc::from(format!("m{i}"))).filter(|name| !names.contains(name));
            result.names = Some(names.iter().cloned().chain(fresh.take(count)).collect());
        }
        result
    }

    /// Both structures side by side: the individuals of this one, then those of the other. Nothing relates one's to the other's.
    /// Nullary values are those of this one.
    pub fn beside(&self, other: &Structure) -> Structure {
        let mut result = self.extended(other.size);
        for predicate in (0..self.layout.predicates()).map(|index| PredicateId(index as u32)) {
            match self.layout.arity(predicate) {
                1 => {
                    other.universe().for_each(|u| result.set_unary(predicate, self.size + u, other.unary(predicate, u)))
                }
                2 => {
                    for (u, v) in other.universe().flat_map(|u| other.universe().map(move |v| (u, v))) {
                        let value = other.binary(predicate, u, v);
                        if value != Kleene::False {
                            result.set_binary(predicate, self.size + u, self.size + v, value);
                        }
                    }
                }
                _ => {}
            }
        }
        result
    }

    /// The structure with a copy of an individual at the end, which has all its values.
    pub fn with_copy(&self, original: Individual) -> Structure {
        let (size, row) = (self.size, row_words(self.size));
        if row_words(size + 1) > 1 {
            return self.select(&self.universe().chain([original]).collect::<Vec<_>>());
        }
        let mut result = self.blank(size + 1);
        let (rows, matrices) = self.regions();
        let (new_rows, new_matrices) = result.regions_mut();
        let copied = |row: &u64| row | (row >> original & 1) << size;
        new_rows.iter_mut().zip(rows).for_each(|(new, old)| *new = copied(old));
        for (old, new) in matrices.chunks_exact(size * row).zip(new_matrices.chunks_exact_mut(size + 1)) {
            new.iter_mut().zip(old).for_each(|(new, old)| *new = copied(old));
            new[size] = new[original];
        }
        result.names = self.names.as_ref().map(|names| [&names[..], &[names[original].clone()]].concat());
        result
    }

    /// The structure whose individual `i` is individual `sources[i]` of this one: removes, reorders and duplicates.
    ///
    /// A duplicated individual keeps every value, pairs with its own copies included.
    pub fn select(&self, sources: &[Individual]) -> Structure {
        let mut result = self.blank(sources.len());
        let (rows, matrices) = self.regions();
        let (new_rows, new_matrices) = result.regions_mut();
        let (row, new_row) = (row_words(self.size), row_words(sources.len()));
        for (old, new) in rows.chunks_exact(row).zip(new_rows.chunks_exact_mut(new_row)) {
            gather(old, sources, new);
        }
        if self.size > 0 && !sources.is_empty() {
            let new_matrices = new_matrices.chunks_exact_mut(sources.len() * new_row);
            for (old, new) in matrices.chunks_exact(self.size * row).zip(new_matrices) {
                for (&source, new) in sources.iter().zip(new.chunks_exact_mut(new_row)) {
                    gather(&old[source * row..(source + 1) * row], sources, new);
                }
            }
        }
        if let Some(names) = &self.names {
            result.names = Some(sources.iter().map(|&source| names[source].clone()).collect());
        }
        result
    }
}

/// Collects the bits of `row` at `sources` into `result`, which is all 0.
fn gather(row: &[u64], sources: &[Individual], result: &mut [u64]) {
    if let ([row], [result]) = (row, &mut *result) {
        if *row != 0 {
            *result = sources.iter().enumerate().fold(0, |all, (i, source)| all | (row >> source & 1) << i);
        }
        return;
    }
    for (i, &source) in sources.iter().enumerate() {
        result[i / 64] |= (row[source / 64] >> (source % 64) & 1) << (i % 64);
    }
}

/// Reads a bit of a row.
pub fn test(row: &[u64], u: Individual) -> bool {
    row[u / 64] >> (u % 64) & 1 != 0
}

/// Writes a bit of a row.
pub fn assign(row: &mut [u64], u: Individual, on: bool) {
    let mask = 1 << (u % 64);
    if on { row[u / 64] |= mask } else { row[u / 64] &= !mask }
}

/// The positions of the bits of a row, ascending.
pub fn bits(row: &[u64]) -> impl Iterator<Item = Individual> + '_ {
    row.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            (bit < 64).then(|| {
                rest &= rest - 1;
                index * 64 + bit as usize
            })
        })
    })
}

impl PartialEq for Structure {
    fn eq(&self, other: &Structure) -> bool {
        self.size == other.size && self.words == other.words
    }
}

impl Eq for Structure {}

impl Hash for Structure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.size.hash(state);
        self.words.hash(state);
    }
}

impl std::fmt::Debug for Structure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Structure of {} individuals {{", self.size)?;
        for index in 0..self.layout.predicates() {
            let predicate = PredicateId(index as u32);
            let mut show = |tuple: &[Individual]| match self.get(predicate, tuple) {
                Kleene::False => Ok(()),
                value => write!(f, " #{index}{tuple:?}={value}"),
            };
            match self.layout.arity(predicate) {
                0 => show(&[])?,
                1 => self.universe().try_for_each(|u| show(&[u]))?,
                _ => self.universe().try_for_each(|u| self.universe().try_for_each(|v| show(&[u, v])))?,
            }
        }
        f.write_str(" }")
    }
}

#[cfg(test)]
mod tests;

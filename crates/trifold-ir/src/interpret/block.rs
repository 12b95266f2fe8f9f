//! Blocks of memory: the bytes of long arrays, of unions and of text.
//!
//! A block is immutable, and a number is its name: a write makes a new block, which shares its pages with the old one.
//! A number that names no block stands for memory in which its eight bytes are repeated. So zero is a block of zeros,
//! and memory without a value has some value as soon as a number is chosen for it.
//!
//! For example, `write_4(0, 8, 1)` is a block whose bytes from 8 to 11 are 1, 0, 0, 0, and all others 0.

use crate::computation::Cause;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A byte, and why it is not the one of a real run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Byte {
    pub value: u8,
    pub cause: Option<Cause>,
}

const PAGE: u64 = 32;

/// The names of blocks begin here, far from the numbers that are chosen for memory without a value.
const FIRST_NAME: i128 = 0xb10c << 48;

/// The bytes of some memory.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// What is repeated where nothing was written.
    repeated: (u64, Option<Cause>),
    pages: BTreeMap<u64, Arc<[Byte; PAGE as usize]>>,
}

impl Block {
    fn repeating(number: i128, cause: Option<Cause>) -> Block {
        Block { repeated: (number as u64, cause), pages: BTreeMap::new() }
    }

    /// Bytes, and zeros after them.
    pub fn of(bytes: impl IntoIterator<Item = Byte>) -> Block {
        let mut block = Block::repeating(0, None);
        (0..).zip(bytes).for_each(|(at, byte)| block.set(at, byte));
        block
    }

    pub fn get(&self, at: u64) -> Byte {
        match self.pages.get(&(at / PAGE)) {
            Some(page) => page[(at % PAGE) as usize],
            None => self.unwritten(at),
        }
    }

    fn unwritten(&self, at: u64) -> Byte {
        let (number, cause) = self.repeated;
        Byte { value: number.to_le_bytes()[(at % 8) as usize], cause }
    }

    pub fn set(&mut self, at: u64, byte: Byte) {
        let first = at - at % PAGE;
        let unwritten = std::array::from_fn(|offset| self.unwritten(first + offset as u64));
        let page = self.pages.entry(at / PAGE).or_insert_with(|| Arc::new(unwritten));
        Arc::make_mut(page)[(at % PAGE) as usize] = byte;
    }

    /// The number that is so many bytes, the least first.
    pub fn number(&self, at: u64, size: u8) -> (i128, Option<Cause>) {
        let bytes = (0..size).map(|offset| (offset, self.get(at.wrapping_add(offset.into()))));
        bytes.fold((0, None), |(number, cause), (offset, byte)| {
            (number | i128::from(byte.value) << (8 * offset), cause.or(byte.cause))
        })
    }

    /// Sets so many bytes to those of a number.
    pub fn set_number(&mut self, at: u64, size: u8, (number, cause): (i128, Option<Cause>)) {
        for offset in 0..size {
            let value = (number >> (8 * offset)) as u8;
            self.set(at.wrapping_add(offset.into()), Byte { value, cause });
        }
    }
}

/// The blocks of a run.
#[derive(Default)]
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    /// The block that a number stands for.
    pub fn named(&self, (number, cause): (i128, Option<Cause>)) -> Block {
        let known = usize::try_from(number - FIRST_NAME).ok().and_then(|index| self.0.get(index));
        match (known, cause) {
            (Some(block), None) => block.clone(),
            _ => Block::repeating(number, cause),
        }
    }

    /// Does a number name a block?
    pub fn is_name(&self, number: i128) -> bool {
        usize::try_from(number - FIRST_NAME).is_ok_and(|index| index < self.0.len())
    }

    /// A name for a block.
    pub fn add(&mut self, block: Block) -> i128 {
        self.0.push(block);
        FIRST_NAME + self.0.len() as i128 - 1
    }
}

//! `<stdlib.h>` [C11 7.22], and allocators that other headers have.

use super::row::Header::{Former, System};
use super::row::Returned::{Fresh, Input, Never, Number, Real};
use super::row::Size::{Argument, Product};
use super::row::Special::Unsupported;
use super::row::{FREED, NUMBER, RESIZED, Row, TEXT};
use trifold_ir::Region::{Heap, Stack};

/// What `heap_array` of the translation asks for, too.
const STDLIB: Row = Row::of(System("stdlib.h"));
const RESIZES: Row = Row { special: Some(Unsupported("an object that changes its size")), ..STDLIB };
/// From zero to `RAND_MAX` of the GNU C library; POSIX has the same for `random`.
const RANDOM: super::row::Returned = Input(Some((0, i32::MAX as i128)));

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "malloc",
        parameters: &[NUMBER],
        result: Fresh { size: Argument(0), zeroed: false, region: Heap, may_fail: true },
        ..STDLIB
    },
    Row {
        name: "calloc",
        parameters: &[NUMBER, NUMBER],
        result: Fresh { size: Product(0, 1), zeroed: true, region: Heap, may_fail: true },
        ..STDLIB
    },
    Row {
        name: "realloc",
        parameters: &[RESIZED.or_null(), NUMBER],
        result: Fresh { size: Argument(1), zeroed: false, region: Heap, may_fail: true },
        ..RESIZES
    },
    Row {
        name: "reallocarray",
        parameters: &[RESIZED.or_null(), NUMBER, NUMBER],
        result: Fresh { size: Product(1, 2), zeroed: false, region: Heap, may_fail: true },
        ..RESIZES
    },
    Row {
        name: "alloca",
        parameters: &[NUMBER],
        result: Fresh { size: Argument(0), zeroed: false, region: Stack, may_fail: false },
        ..Row::of(System("alloca.h"))
    },
    Row { name: "free", parameters: &[FREED.or_null()], ..STDLIB },
    Row { name: "cfree", parameters: &[FREED.or_null()], ..Row::of(Former) },
    Row { name: "abort", result: Never, ..STDLIB },
    Row { name: "exit", parameters: &[NUMBER], result: Never, ..STDLIB },
    Row { name: "_Exit", parameters: &[NUMBER], result: Never, ..STDLIB },
    Row { name: "quick_exit", parameters: &[NUMBER], result: Never, ..STDLIB },
    Row { name: "rand", result: RANDOM, ..STDLIB },
    Row { name: "random", result: RANDOM, ..STDLIB },
    Row { name: "srand", parameters: &[NUMBER], ..STDLIB },
    Row { name: "srandom", parameters: &[NUMBER], ..STDLIB },
    Row { name: "atoi", parameters: &[TEXT], result: Number, ..STDLIB },
    Row { name: "atol", parameters: &[TEXT], result: Number, ..STDLIB },
    Row { name: "atoll", parameters: &[TEXT], result: Number, ..STDLIB },
    Row { name: "atof", parameters: &[TEXT], result: Real, ..STDLIB },
];

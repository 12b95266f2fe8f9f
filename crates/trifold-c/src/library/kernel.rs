//! Functions of the kernel of Linux, for parts of it that are verified alone.

use super::row::Header::Kernel;
use super::row::Returned::{Fresh, Number};
use super::row::Size::Argument;
use super::row::{FREED, NUMBER, PRINT_FORMAT, PRINTED, Row};
use trifold_ir::Region::Heap;

const KERNEL: Row = Row::of(Kernel);

pub(super) const ROWS: &[Row] = &[
    // The second argument says where the memory may come from.
    Row {
        name: "kmalloc",
        parameters: &[NUMBER, NUMBER],
        result: Fresh { size: Argument(0), zeroed: false, region: Heap, may_fail: true },
        ..KERNEL
    },
    Row {
        name: "kzalloc",
        parameters: &[NUMBER, NUMBER],
        result: Fresh { size: Argument(0), zeroed: true, region: Heap, may_fail: true },
        ..KERNEL
    },
    Row { name: "kfree", parameters: &[FREED.or_null()], ..KERNEL },
    Row { name: "printk", parameters: &[PRINT_FORMAT], rest: PRINTED, result: Number, ..KERNEL },
];

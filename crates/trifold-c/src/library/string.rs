//! `<string.h>` [C11 7.24] and `<strings.h>`: text and memory.

use super::row::Header::System;
use super::row::Returned::{Fresh, Number, SameAs};
use super::row::Size::{Argument, OfText, OfTextAtMost};
use super::row::Special::{Copy, Fill};
use super::row::{NUMBER, Row, TEXT, read, text_at_most, written};
use trifold_ir::Region::Heap;

const STRING: Row = Row::of(System("string.h"));
const STRINGS: Row = Row::of(System("strings.h"));

pub(super) const ROWS: &[Row] = &[
    Row { name: "strlen", parameters: &[TEXT], result: Number, ..STRING },
    Row { name: "strnlen", parameters: &[text_at_most(1), NUMBER], result: Number, ..STRING },
    Row { name: "strcmp", parameters: &[TEXT, TEXT], result: Number, ..STRING },
    Row { name: "strncmp", parameters: &[text_at_most(2), text_at_most(2), NUMBER], result: Number, ..STRING },
    Row { name: "strcasecmp", parameters: &[TEXT, TEXT], result: Number, ..STRINGS },
    Row { name: "strncasecmp", parameters: &[text_at_most(2), text_at_most(2), NUMBER], result: Number, ..STRINGS },
    Row { name: "strspn", parameters: &[TEXT, TEXT], result: Number, ..STRING },
    Row { name: "strcspn", parameters: &[TEXT, TEXT], result: Number, ..STRING },
    Row { name: "strcpy", parameters: &[written(OfText(1)), TEXT], result: SameAs(0), ..STRING },
    Row { name: "strncpy", parameters: &[written(Argument(2)), text_at_most(2), NUMBER], result: SameAs(0), ..STRING },
    Row {
        name: "strdup",
        parameters: &[TEXT],
        result: Fresh { size: OfText(0), zeroed: false, region: Heap, may_fail: true },
        ..STRING
    },
    Row {
        name: "strndup",
        parameters: &[text_at_most(1), NUMBER],
        result: Fresh { size: OfTextAtMost(0, 1), zeroed: false, region: Heap, may_fail: true },
        ..STRING
    },
    Row {
        name: "memset",
        parameters: &[written(Argument(2)), NUMBER, NUMBER],
        result: SameAs(0),
        special: Some(Fill),
        ..STRING
    },
    Row {
        name: "memcpy",
        parameters: &[written(Argument(2)), read(Argument(2)), NUMBER],
        result: SameAs(0),
        special: Some(Copy),
        ..STRING
    },
    Row {
        name: "memmove",
        parameters: &[written(Argument(2)), read(Argument(2)), NUMBER],
        result: SameAs(0),
        special: Some(Copy),
        ..STRING
    },
];

//! What GNU C has built in, and no header declares under another name.

use super::row::Header::BuiltIn;
use super::row::Returned::{Never, SameAs};
use super::row::Special::{Expect, Fail, Unsupported, ValuesOnly};
use super::row::{ADDRESS, ANY, ARGUMENT_LIST, NUMBER, REAL, Row};

const BUILT_IN: Row = Row::of(BuiltIn);
const VARIABLE: Row = Row { special: Some(Unsupported("variable arguments")), ..BUILT_IN };

pub(super) const ROWS: &[Row] = &[
    Row { name: "__builtin_trap", result: Never, ..BUILT_IN },
    // To come there is undefined behaviour, so nothing follows from it that could be assumed.
    Row { name: "__builtin_unreachable", result: Never, special: Some(Fail), ..BUILT_IN },
    Row {
        name: "__builtin_expect",
        parameters: &[NUMBER, NUMBER],
        result: SameAs(0),
        special: Some(Expect),
        ..BUILT_IN
    },
    Row {
        name: "__builtin_expect_with_probability",
        parameters: &[NUMBER, NUMBER, REAL],
        result: SameAs(0),
        special: Some(Expect),
        ..BUILT_IN
    },
    Row {
        name: "__builtin_assume_aligned",
        parameters: &[ADDRESS.or_null(), NUMBER],
        rest: Some(NUMBER),
        result: SameAs(0),
        ..BUILT_IN
    },
    Row {
        name: "__builtin_prefetch",
        parameters: &[ADDRESS.or_null()],
        rest: Some(NUMBER),
        special: Some(ValuesOnly),
        ..BUILT_IN
    },
    Row { name: "__builtin_va_start", parameters: &[ARGUMENT_LIST], rest: Some(ANY), ..VARIABLE },
    Row { name: "__builtin_c23_va_start", parameters: &[ARGUMENT_LIST], rest: Some(ANY), ..VARIABLE },
    Row { name: "__builtin_va_end", parameters: &[ARGUMENT_LIST], ..VARIABLE },
    Row { name: "__builtin_va_copy", parameters: &[ARGUMENT_LIST, ARGUMENT_LIST], ..VARIABLE },
];

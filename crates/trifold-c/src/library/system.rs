//! Headers of which little is known: `<assert.h>` [C11 7.2] with the functions behind its macro, `<setjmp.h>`
//! [C11 7.13], `<unistd.h>` and `<pthread.h>` of POSIX.

use super::row::Header::{Macro, System};
use super::row::Returned::{Never, Number, Unknown};
use super::row::Size::Object;
use super::row::Special::{Assert, Fail, Unsupported};
use super::row::{ANY, NUMBER, Row, TEXT, read, written};

const FAILS: Row = Row { result: Never, special: Some(Fail), ..Row::of(System("assert.h")) };
const JUMPS: Row = Row { special: Some(Unsupported("a jump out of a function")), ..Row::of(System("setjmp.h")) };

pub(super) const ROWS: &[Row] = &[
    Row { name: "assert", parameters: &[NUMBER], special: Some(Assert), ..Row::of(Macro("assert.h")) },
    // The text, the file, the line, and the function if there is one.
    Row { name: "__assert_fail", parameters: &[TEXT, TEXT, NUMBER, TEXT.or_null()], ..FAILS },
    Row { name: "__assert_perror_fail", parameters: &[NUMBER, TEXT, NUMBER, TEXT.or_null()], ..FAILS },
    Row { name: "__assert", parameters: &[TEXT, TEXT, NUMBER], ..FAILS },
    Row { name: "setjmp", parameters: &[written(Object)], result: Number, ..JUMPS },
    Row { name: "_setjmp", parameters: &[written(Object)], result: Number, ..JUMPS },
    Row { name: "longjmp", parameters: &[read(Object), NUMBER], result: Never, ..JUMPS },
    Row { name: "_exit", parameters: &[NUMBER], result: Never, ..Row::of(System("unistd.h")) },
    Row {
        name: "pthread_*",
        rest: Some(ANY),
        result: Unknown,
        special: Some(Unsupported("threads")),
        ..Row::of(System("pthread.h"))
    },
];

//! `<stdio.h>` [C11 7.21].

use super::row::Header::System;
use super::row::Returned::{Input, Number};
use super::row::Size::Argument;
use super::row::Special::Scan;
use super::row::{
    ARGUMENT_LIST, CLOSED, NUMBER, PRINT_FORMAT, PRINTED, Row, SCAN_FORMAT, SCANNED, STREAM, TEXT, written,
};

const STDIO: Row = Row::of(System("stdio.h"));

pub(super) const ROWS: &[Row] = &[
    Row { name: "printf", parameters: &[PRINT_FORMAT], rest: PRINTED, result: Number, ..STDIO },
    Row { name: "fprintf", parameters: &[STREAM, PRINT_FORMAT], rest: PRINTED, result: Number, ..STDIO },
    Row {
        name: "snprintf",
        parameters: &[written(Argument(1)).or_null_if_empty(), NUMBER, PRINT_FORMAT],
        rest: PRINTED,
        result: Number,
        ..STDIO
    },
    Row { name: "vprintf", parameters: &[PRINT_FORMAT, ARGUMENT_LIST], result: Number, ..STDIO },
    Row { name: "vfprintf", parameters: &[STREAM, PRINT_FORMAT, ARGUMENT_LIST], result: Number, ..STDIO },
    Row { name: "puts", parameters: &[TEXT], result: Number, ..STDIO },
    Row { name: "fputs", parameters: &[TEXT, STREAM], result: Number, ..STDIO },
    Row { name: "putchar", parameters: &[NUMBER], result: Number, ..STDIO },
    Row { name: "putc", parameters: &[NUMBER, STREAM], result: Number, ..STDIO },
    Row { name: "fputc", parameters: &[NUMBER, STREAM], result: Number, ..STDIO },
    Row { name: "perror", parameters: &[TEXT.or_null()], ..STDIO },
    Row { name: "scanf", parameters: &[SCAN_FORMAT], rest: SCANNED, result: Number, special: Some(Scan), ..STDIO },
    // `EOF`, or an `unsigned char`.
    Row { name: "getchar", result: Input(Some((-1, 255))), ..STDIO },
    Row { name: "fflush", parameters: &[STREAM.or_null()], result: Number, ..STDIO },
    Row { name: "fclose", parameters: &[CLOSED], result: Number, ..STDIO },
];

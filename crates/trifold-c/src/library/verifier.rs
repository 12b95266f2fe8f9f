//! Functions by which programs say what may happen and what must not: those of the competition on software
//! verification, and those of Predator, whose programs others verify, too. Programs declare them themselves.

use super::row::Header::Verifier;
use super::row::Returned::{Input, Never};
use super::row::Special::{Assert, Assume, Fail, ValuesOnly};
use super::row::{ANY, NUMBER, Row, TEXT};

/// What these do if the program does not define them.
const VERIFIER: Row = Row::of(Verifier);
/// Reaching these is a failure, whatever a body says: nothing is proved by that.
const FAILS: Row = Row { result: Never, special: Some(Fail), overrides_body: true, ..VERIFIER };
/// Aids for those who debug a verifier.
const AID: Row = Row { special: Some(ValuesOnly), ..Row::of(Verifier) };

/// A value from outside.
const fn input(name: &'static str) -> Row {
    Row { name, result: Input(None), ..VERIFIER }
}

pub(super) const ROWS: &[Row] = &[
    Row { name: "__VERIFIER_error", ..FAILS },
    Row { name: "reach_error", ..FAILS },
    Row { name: "___sl_error", parameters: &[TEXT], ..FAILS },
    Row { name: "__VERIFIER_assume", parameters: &[NUMBER], special: Some(Assume), ..VERIFIER },
    Row { name: "__VERIFIER_assert", parameters: &[NUMBER], special: Some(Assert), overrides_body: true, ..VERIFIER },
    input("__VERIFIER_nondet_bool"),
    input("__VERIFIER_nondet_char"),
    input("__VERIFIER_nondet_schar"),
    input("__VERIFIER_nondet_uchar"),
    input("__VERIFIER_nondet_unchar"),
    input("__VERIFIER_nondet_short"),
    input("__VERIFIER_nondet_ushort"),
    input("__VERIFIER_nondet_int"),
    input("__VERIFIER_nondet_uint"),
    input("__VERIFIER_nondet_unsigned"),
    input("__VERIFIER_nondet_unsigned_int"),
    input("__VERIFIER_nondet_long"),
    input("__VERIFIER_nondet_ulong"),
    input("__VERIFIER_nondet_longlong"),
    input("__VERIFIER_nondet_ulonglong"),
    input("__VERIFIER_nondet_int128"),
    input("__VERIFIER_nondet_uint128"),
    input("__VERIFIER_nondet_u8"),
    input("__VERIFIER_nondet_u16"),
    input("__VERIFIER_nondet_u32"),
    input("__VERIFIER_nondet_U32"),
    input("__VERIFIER_nondet_size_t"),
    input("__VERIFIER_nondet_loff_t"),
    input("__VERIFIER_nondet_sector_t"),
    input("__VERIFIER_nondet_float"),
    input("__VERIFIER_nondet_double"),
    input("__VERIFIER_nondet_pointer"),
    input("__VERIFIER_nondet_pchar"),
    input("__VERIFIER_nondet_charp"),
    Row { name: "__VERIFIER_atomic_begin", special: Some(ValuesOnly), ..VERIFIER },
    Row { name: "__VERIFIER_atomic_end", special: Some(ValuesOnly), ..VERIFIER },
    Row { name: "__VERIFIER_plot", parameters: &[TEXT.or_null()], rest: Some(ANY), ..AID },
    Row { name: "___sl_break", parameters: &[TEXT.or_null()], ..AID },
    Row { name: "___sl_plot_trace_now", parameters: &[TEXT.or_null(), TEXT.or_null()], ..AID },
    Row { name: "___sl_plot_trace_once", parameters: &[TEXT.or_null(), TEXT.or_null()], ..AID },
];

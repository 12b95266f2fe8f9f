//! Functions by which programs say what may happen and what must not: those of the competition on software
//! verification, and those of Predator, whose programs others verify, too. Programs declare them themselves.

use super::row::Header::Verifier;
use super::row::Returned::{Input, Never};
use super::row::Special::{Assert, Assume, Fail, ValuesOnly};
use super::row::{ANY, NUMBER, Row, TEXT};

const VERIFIER: Row = Row { overrides_body: true, ..Row::of(Verifier) };
const FAILS: Row = Row { result: Never, special: Some(Fail), ..VERIFIER };
/// Aids for those who debug a verifier.
const AID: Row = Row { special: Some(ValuesOnly), ..Row::of(Verifier) };

pub(super) const ROWS: &[Row] = &[
    Row { name: "__VERIFIER_error", ..FAILS },
    Row { name: "reach_error", ..FAILS },
    Row { name: "___sl_error", parameters: &[TEXT], ..FAILS },
    Row { name: "__VERIFIER_assume", parameters: &[NUMBER], special: Some(Assume), ..VERIFIER },
    Row { name: "__VERIFIER_assert", parameters: &[NUMBER], special: Some(Assert), ..VERIFIER },
    // FIXME: `__VERIFIER_nondet_memory` gets memory, and chooses what is in it.
    Row { name: "__VERIFIER_nondet_*", result: Input(None), ..VERIFIER },
    Row { name: "__VERIFIER_atomic_begin", special: Some(ValuesOnly), ..VERIFIER },
    Row { name: "__VERIFIER_atomic_end", special: Some(ValuesOnly), ..VERIFIER },
    Row { name: "__VERIFIER_plot", parameters: &[TEXT.or_null()], rest: Some(ANY), overrides_body: true, ..AID },
    Row { name: "___sl_break", parameters: &[TEXT.or_null()], ..AID },
    Row { name: "___sl_plot_trace_now", parameters: &[TEXT.or_null(), TEXT.or_null()], ..AID },
    Row { name: "___sl_plot_trace_once", parameters: &[TEXT.or_null(), TEXT.or_null()], ..AID },
];

//! Functions that programs call and do not define, and that are known all the same: those of the C library, those that
//! GNU C has built in, and those by which programs speak to who verifies them.
//!
//! This is the one list of them. A function is a [`Row`]: what each parameter is, what comes back, and, if that does
//! not say how a call is translated, the name of a special treatment. A new function is a new row, and nothing else as
//! long as its columns say it all:
//!
//! ```text
//! Row { name: "strlen", parameters: &[TEXT], result: Number, ..STRING },
//! Row { name: "free", parameters: &[FREED.or_null()], ..STDLIB },
//! ```
//!
//! What is not listed is unknown: see `call_unknown` of the translation. Functions of GNU C that take operands of any
//! type have no parameters that a row could tell, so they are with the typing rules (`sema/builtin.rs`): some are
//! computed there, and what comes after a call of another one is not analysed.
//!
//! # Which columns count
//!
//! | column | used by the translation | judged by the tests |
//! | --- | --- | --- |
//! | name | finds the row | each row is called |
//! | header | no | the header declares the function |
//! | parameters, rest: number or pointer | does a declaration agree (`agreement.rs`) | compared with the header |
//! | `Written`, `Freed`, with sizes | what is written and freed, and whether it fits | no `const` in the header |
//! | `Text`, `TextAtMost` | text that must be there | pointers to `const char` in the header |
//! | `Stream`, `Closed` | streams that must be there, and are gone | pointers in the header |
//! | `Read`, `Address` | no | pointers in the header |
//! | `PrintFormat`, `ArgumentList` | which arguments a format asks for | pointers in the header |
//! | `or_null` | of text and streams: then nothing is read | the compiler takes null |
//! | result | yes | its type in the header, and whether the function returns |
//! | special | yes | without one, there is no column that the translation passes over |
//! | `overrides_body` | yes | |
//!
//! Functions of the kernel and of former times are judged by nobody: no header of the system has them.

mod agreement;
mod builtin;
mod kernel;
mod known;
mod row;
mod stdio;
mod stdlib;
mod string;
mod system;
#[cfg(test)]
mod tests;
mod treatment;
mod verifier;

pub(crate) use known::Known;
pub(crate) use row::{Null, Parameter, Role, Row, Size, Special};
pub(crate) use treatment::{Allocation, Treatment};

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The table, by where functions come from.
const TABLE: [&[Row]; 7] =
    [stdlib::ROWS, string::ROWS, stdio::ROWS, system::ROWS, builtin::ROWS, verifier::ROWS, kernel::ROWS];

/// GNU C has functions of the C library under names with this in front of them, too.
const PREFIX: &str = "__builtin_";

/// The row of a function that GNU C has built in.
fn find(name: &str) -> Option<&'static Row> {
    named(name).or_else(|| named(name.strip_prefix(PREFIX)?))
}

/// The row of a function under just this name.
fn named(name: &str) -> Option<&'static Row> {
    let is_of_family = |row: &&&Row| name.starts_with(row.name.trim_end_matches('*'));
    INDEX.rows.get(name).or_else(|| INDEX.families.iter().find(is_of_family)).copied()
}

/// The rows by name, since every call of a program asks for one several times.
struct Index {
    rows: FxHashMap<&'static str, &'static Row>,
    /// Those whose name ends with a star.
    families: Vec<&'static Row>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let (families, single): (Vec<&Row>, Vec<&Row>) = rows().partition(|row| row.name.ends_with('*'));
    Index { rows: single.into_iter().map(|row| (row.name, row)).collect(), families }
});

fn rows() -> impl Iterator<Item = &'static Row> {
    TABLE.into_iter().flatten()
}

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
//! | header | which allocators make arrays (`heap_array.rs`) | the header declares the function |
//! | parameters, rest: number or pointer | no | compared with the header |
//! | `Written`, `Freed`, with sizes | what is written and freed, and whether it fits | no `const` in the header |
//! | `Text`, `TextAtMost` | no: any pointer to characters is one to text | pointers to `const char` in the header |
//! | `Read`, `Stream`, `Closed`, `Address` | no | pointers in the header |
//! | `PrintFormat`, `ArgumentList` | which arguments a format asks for | pointers in the header |
//! | `or_null` | no: what is read or written must be there, anything else may be null | the compiler takes null |
//! | result | yes | its type in the header, and whether the function returns |
//! | special | yes | without one, there is no column that the translation passes over |
//! | `overrides_body` | yes | |
//!
//! Functions of the kernel and of former times are judged by nobody: no header of the system has them.

mod builtin;
mod kernel;
mod row;
mod stdio;
mod stdlib;
mod string;
mod system;
#[cfg(test)]
mod tests;
mod treatment;
mod verifier;

pub(crate) use row::{Header, Row, Size, Special};
pub(crate) use treatment::{Allocation, Treatment};

/// The table, by where functions come from.
const TABLE: [&[Row]; 7] =
    [stdlib::ROWS, string::ROWS, stdio::ROWS, system::ROWS, builtin::ROWS, verifier::ROWS, kernel::ROWS];

/// GNU C has functions of the C library under names with this in front of them, too.
const PREFIX: &str = "__builtin_";

/// The row of a function.
pub(crate) fn find(name: &str) -> Option<&'static Row> {
    let plain = name.strip_prefix(PREFIX).unwrap_or(name);
    // FIXME: a function `trap` that the program has from elsewhere is taken for `__builtin_trap`.
    let built_in = || builtin::ROWS.iter().find(|row| row.name.strip_prefix(PREFIX) == Some(plain));
    named(name).or_else(|| named(plain)).or_else(built_in)
}

/// The row of a function under just this name.
pub(crate) fn named(name: &str) -> Option<&'static Row> {
    let is_of_family = |row: &Row| row.name.strip_suffix('*').is_some_and(|start| name.starts_with(start));
    rows().find(|row| row.name == name).or_else(|| rows().find(|row| is_of_family(row)))
}

fn rows() -> impl Iterator<Item = &'static Row> {
    TABLE.into_iter().flatten()
}

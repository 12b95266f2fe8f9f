//! Heap programs as text: for tests, for debugging a front end, and for people who want to see the analysed program.
//!
//! A body is either structured, which is good to write, or a graph, which [`print`] writes:
//!
//! ```
//! let text = "
//! struct node { node *next; i32 data; }
//!
//! entry proc main() {
//!     node *x; node *t;
//!     x = null;
//!     while (*) { t = new node; t->next = x; x = t; }
//!     while (x != null) { t = x->next; free(x); x = t; }
//! }";
//! let (program, _) = trifold_ir::parse("lists", text).map_err(|failure| failure.diagnostics)?;
//! assert!(trifold_ir::print(&program).contains(": t = x->next;"));
//! # Ok::<(), Vec<trifold_source::Diagnostic>>(())
//! ```
//!
//! | written | means |
//! | --- | --- |
//! | `bool`, `i32`, `u8`, `node *`, `void *` | types |
//! | `5`, `5u8`, `-1i64`, `true` | constants; without a suffix `i32` |
//! | `(i + 1) * 2`, `u8(i)`, `-i`, `~i`, `!b` | expressions; no precedence, so operands need parentheses |
//! | `x = new node`, `new zeroed node`, `new node or null` | allocation on the heap; `stack` and `static` likewise |
//! | `x = owner(y, node::link)` | from a part to its container |
//! | `i = nondet`, `i = nondet(0, 9)` | any value |
//! | `i = nondet as float_less_64(x, y)` | any value for an analysis, and this one in a run |
//! | `f(x)`, `x = {f, g}(y)`, `unknown h(x)` | calls |
//! | `error(assertion, "text")`, `unsupported "text"`, `stop` | ends |
//! | `end x` | the stack object dies |
//!
//! Names that are words of this language, or no words at all, are put between back quotes.

mod lexer;
mod parse;
mod print;
mod statements;
#[cfg(test)]
mod tests;

pub use parse::parse;
pub use print::{print, show_condition, show_expr, show_statement};
use trifold_source::Diagnostic;

/// The first error ends the parse: this language is for tests.
type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Words that are not names.
const RESERVED: [&str; 36] = [
    "as",
    "assert",
    "assume",
    "bool",
    "else",
    "embedded",
    "end",
    "entry",
    "error",
    "exit",
    "false",
    "free",
    "global",
    "graph",
    "if",
    "loop",
    "new",
    "node_count",
    "nondet",
    "null",
    "or",
    "owner",
    "proc",
    "return",
    "skip",
    "stack",
    "static",
    "stop",
    "struct",
    "true",
    "uninit",
    "unknown",
    "unsupported",
    "void",
    "while",
    "zeroed",
];

/// The scalar type with a name.
fn scalar_named(name: &str) -> Option<crate::Scalar> {
    use crate::Scalar;
    if name == "bool" {
        return Some(Scalar::Bool);
    }
    let signed = name.starts_with('i');
    let digits = name.strip_prefix(['i', 'u'])?;
    let bits: u8 = digits.parse().ok()?;
    let canonical = bits.to_string() == digits && (1..=Scalar::MAX_BITS).contains(&bits);
    canonical.then_some(Scalar::Int { signed, bits })
}

/// Can a name be written as it is?
fn is_plain(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let word = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$'));
    starts && word && !RESERVED.contains(&name) && scalar_named(name).is_none()
}

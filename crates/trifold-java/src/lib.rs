//! Java: text to heap programs.
//!
//! ```text
//! text ─► lex ─► tokens ─► parse ─► syntax trees ─► classes ─► translate ─► heap program
//! ```
//!
//! Every function is total: any text gives a program or diagnostics. A construct of Java that heap programs do not
//! express becomes [`trifold_ir::Statement::Unsupported`] where it stands: execution that comes there is not analysed,
//! everything else is. Nothing is dropped.
//!
//! ```
//! let text = "class List { List n; static List tail(List l) { return l.n; } }";
//! let loaded = trifold_java::load("List.java", text, trifold_java::Entry::Library).unwrap();
//! assert!(trifold_ir::print(&loaded.program).contains("= l->n;"));
//!
//! let failure = trifold_java::load("List.java", &text.replace("l.n", "l.m"),
//! trifold_java::Entry::Library).unwrap_err();
//! assert_eq!(failure.diagnostics[0].message, "`List` has no field `m`");
//! ```

mod ast;
mod classes;
mod lex;
mod limits;
mod load;
mod parse;
mod translate;
mod translation;
mod types;

pub use load::{Loaded, load};
pub use translation::{Entry, TranslatedMethod};

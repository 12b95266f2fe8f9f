//! TVP and TVS: the text formats of specifications and structures [LevAmi00 §C].
//!
//! ```text
//! path ─► preprocess ─► tokens ─► parse ─► syntax tree ─► expand ─► Specification
//! ```
//!
//! Every token keeps its place and the includes and macros it came through; expansion adds the `foreach` iterations and
//! actions, so that each message points at the text that the author wrote. The crate does no input or output: text
//! comes from a [`Files`]. Every function is total: any bytes give a result or diagnostics, within fixed limits.
//!
//! ```
//! use trifold_tvp::{MemoryFiles, Options, load};
//! let text = "%s PVar {x, y}
//!     foreach (z in PVar) { %p z(v) unique box }
//!     %%
//!     %action Copy(x1, x2) { %t x1 + \" = \" + x2 { x1(v) = x2(v) } }
//!     %%
//!     start Copy(x, y) end";
//! let files = MemoryFiles::default().with("copy.tvp", text);
//! let loaded = load("copy.tvp", &files, &Options::default()).unwrap();
//! assert_eq!(loaded.specification.actions[trifold_tvl::ActionId(0)].title, "x = y");
//!
//! let files = files.with("copy.tvp", text.replace("(x, y)", "(x, yy)"));
//! let failure = load("copy.tvp", &files, &Options::default()).unwrap_err();
//! assert_eq!(failure.diagnostics[0].message, "there is no predicate `yy`");
//! ```

mod ast;
mod expand;
mod files;
mod lexer;
mod limits;
mod load;
mod options;
mod origin;
mod parse;
mod pragma;
mod preprocess;
mod print;
mod token;
mod tvs;

pub use files::{Files, MemoryFiles, ReadError};
pub use load::{Loaded, load, read_formula};
pub use options::Options;
pub use origin::{OriginTable, Place};
pub use print::print_specification;
pub use trifold_source::{
    Diagnostic, Failure, FileId, Label, LineColumn, Reason, Severity, SourceFile, SourceMap, Span, Step, Trail,
    expansion_labels, render,
};
pub use tvs::{
    LocationStructures, NamedStructure, StructureFile, infer_vocabulary, read_structures, read_structures_alone,
    write_locations, write_structure,
};

//! C11 with the extensions of GNU C: text to typed trees.
//!
//! ```text
//! text ─► lex ─► tokens ─► parse ─► syntax tree ─► sema ─► Program
//! ```
//!
//! The text has been preprocessed, or needs no preprocessor ([`needs_preprocessor`]); running one is input and output
//! and not done here. Line markers are honoured, so that every span leads to the file that people wrote. Every function
//! is total: any text gives a program or diagnostics.
//!
//! ```
//! let program = "struct node { struct node *next; }; struct node *tail(struct node *l) { return l->next; }";
//! let loaded = trifold_c::load("list.c", program).unwrap();
//! let tail = &loaded.program.functions[0];
//! let declaration = loaded.program.declaration(tail.declaration);
//! assert_eq!(loaded.program.show(declaration.ty), "struct node *(struct node *)");
//!
//! let failure = trifold_c::load("list.c", &program.replace("*next", "*nxet")).unwrap_err();
//! assert_eq!(failure.diagnostics[0].message, "`struct node` has no member `next`");
//! ```

mod ast;
mod client;
mod constant;
mod directive;
mod keyword;
mod lex;
mod library;
mod limits;
mod link;
mod literal;
mod load;
mod names;
mod parse;
mod path;
mod scope;
mod sema;
mod token;
mod translate;
mod typed;
mod types;
mod walk;

pub use client::{Clients, Start as ClientStart, clients};
pub use link::Symbols;
pub use literal::{Encoding, StringLiteral};
pub use load::{Loaded, load, load_units, may_have_contracts, needs_preprocessor, own_headers, symbols};
pub use names::{Names, Symbol};
pub use translate::{
    Assumed, Construct, ObjectType, Options as TranslateOptions, TranslatedFunction, Translation, translate,
};
pub use typed::{
    Asm, BinaryOperator, Block, Declaration, DeclarationId, DeclarationKind, Expr, ExprKind, For, Function, Global,
    Initializer, InitializerEntry, Label, LabelId, LabelName, PathStep, Program, Stmt, StmtKind, Storage,
    UnaryOperator,
};
pub use types::{
    ArrayLength, BitField, EnumId, Enumeration, FloatKind, FunctionType, IntKind, Member, Qualifiers, Record, RecordId,
    Target, Type, TypeId, Types,
};

//! Java as the Java machine runs it: class files to heap programs.
//!
//! ```text
//! bytes ─► read ─► classes ─► frames, webs ─► reach ─► groups, throws ─► translate ─► heap program
//! ```
//!
//! | module | computes |
//! | --- | --- |
//! | `read`, `opcode`, `descriptor` | class files, with names instead of numbers |
//! | `classes` | the class hierarchy, read when it is asked for; which method or field a name means |
//! | `frames`, `webs` | the types on the stack; which uses of a slot are one variable |
//! | `reach`, `dispatch`, `models`, `synthetic` | which methods may run, and of which classes objects are made |
//! | `flows` | the classes of objects that come where, which are often more special than types |
//! | `client` | a program that uses classes without `main` |
//! | `groups`, `throws` | one struct for classes that must be told apart; which exceptions leave a method |
//! | `identity` | which boxes are compared by their identity |
//! | `translate` | the heap program |
//! | `places`, `text` | lines and expressions of the source text |
//!
//! There is no input or output here: whoever calls hands the bytes over through a [`ClassPath`]. Every function is
//! total: any bytes give a program or diagnostics. What heap programs do not express becomes
//! [`trifold_ir::Statement::Unsupported`] where it stands: execution that comes there is not analysed, everything else
//! is. Nothing is dropped.

mod class;
mod classes;
mod client;
mod descriptor;
mod dispatch;
mod flows;
mod frames;
mod groups;
mod identity;
mod image;
mod kind;
mod load;
mod models;
mod opcode;
mod places;
mod pool;
mod reach;
mod read;
mod refined;
mod synthetic;
mod text;
mod throws;
mod translate;
mod webs;

pub use classes::ClassPath;
pub use image::{HEADER, Image};
pub use load::{ClientStart, Entry, Input, Loaded, TranslatedMethod, load};
pub use read::{Outline, class_name, outline};
pub use text::{Declared, declared};

//! Heap programs in the three-valued domain.
//!
//! [`lower`] turns a heap program into a specification: it picks predicates from types and use, and makes actions of
//! statements. [`check`] runs the analysis and reports the faults that may happen.
//!
//! # Abstractions
//!
//! Of a scalar only is known between which of the constants that it is compared with it lies, and, if it is data by
//! which lists may be sorted, how it compares to those of objects. A procedure that is called in several places, or
//! recurses, is analysed on its local heaps \[RinetzkySY05\]; if that leaves something open and nothing recurses, as if
//! it stood in the places of its calls.
//!
//! # Soundness
//!
//! [`Encoding`] gives the meaning of the predicates in a state of the concrete interpreter. Every state that a run
//! visits is represented by a structure at its point, unless something was reported on the way. A leak is reported no
//! later than where the interpreter reports it; a variable that is not read any more may not keep it from being
//! reported earlier. [`check`] looks again for leaks with such variables kept, if that does not take too long.

mod actions;
mod encoding;
mod lower;
mod refine;
mod tracked;
mod unanalysed;
mod vocabulary;

pub use encoding::Encoding;
pub use lower::{Calls, Lowered, Precision, Unread, lower};
pub use refine::{Options, StructureReport, check, check_with};
pub use tracked::families::{Families, Level, NamedRoles, Role};
pub use trifold_ir::Verdict;
pub use trifold_passes::links::LinkId;

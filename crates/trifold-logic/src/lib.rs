//! Kleene's three-valued first-order logic with transitive closure.
//!
//! The crate owns the words of the papers: truth values ([`Kleene`]), predicate symbols
//! ([`Predicate`], [`Vocabulary`]) and formulas ([`Formula`]) with their normal forms. It knows nothing of
//! structures, text files or programs.

mod definitions;
mod differencing;
mod formula;
mod kleene;
mod normal;
mod predicate;
mod predicate_id;
mod show;
mod simplify;
mod vocabulary;

pub use differencing::{Creates, Derived, Effect, NewValue, Rule, derive, may_close_cycle};
pub use formula::{Formula, Var};
pub use kleene::Kleene;
pub use normal::{Conjunction, DnfTooLarge, Literal, LiteralAtom, focus_conjunctions, negation_normal_form};
pub use predicate::{Definition, DisplaySet, Predicate, Properties};
pub use predicate_id::PredicateId;
pub use show::Shown;
pub use simplify::replace_atoms;
pub use vocabulary::Vocabulary;

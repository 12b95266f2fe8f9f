//! Most-precise abstract operations, computed by a decision procedure \[YorshRS04\].
//!
//! A structure represents stores. The properties that all of them have can be computed exactly, by asking a solver
//! whether there is a store with this or that property:
//!
//! ```text
//! formula, structures ─► Symbolic::assume ─► refine ─► Query ─► Solver ─► SAT
//!                                              ▲                   │
//!                                              └──── a store, or none, or undecided
//! ```
//!
//! [`Symbolic`] has the operations `assume`, `abstract_formula`, `meet` and `entails`, [`BestTransformer`] that of
//! actions. They go through [`Session`], which counts queries and remembers those that were left undecided. Results are
//! sound in any case, and the most precise ones if there were none.
//!
//! For example, `assume` of "`x` points to the last element" on the structure of all lists from `x` yields the list of
//! one element.

mod characteristic;
mod contracts;
mod external;
mod ground;
mod lemmas;
mod operations;
mod planes;
mod print;
mod query;
mod refine;
mod rules;
pub mod sat;
mod session;
mod steps;
mod store;
mod theory;
mod transformer;
mod translate;

pub use characteristic::{NotBounded, characteristic};
pub use contracts::Contracts;
pub use external::{External, Prover, Said};
pub use ground::{BuiltIn, Limits};
pub use operations::{Abstracted, Entailment, Symbolic};
pub use planes::bound;
pub use print::{smtlib, tptp};
pub use query::{Answer, Query, Requirement, Solver, Undecided};
pub use rules::integrity_rules;
pub use session::{QueryCost, Session};
pub use steps::{BestSteps, StepsCost};
pub use store::Store;
pub use theory::{Outside, Theory};
pub use transformer::{BestTransformer, Transformed, Unsupported};

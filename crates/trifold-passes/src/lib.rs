//! Passes over heap programs: from program to program, and facts about programs. For example, liveness tells that `x`
//! is dead after its last use. No abstract domain is needed for any of them, and both domains, the front ends and the
//! plan of a check use them.
//!
//! | program to program | reason |
//! | --- | --- |
//! | [`simplify()`] | translations leave nodes that do nothing; a smaller graph is analysed sooner |
//! | [`contracts::specify`] | contracts become procedures that check them, so that every domain can follow them |
//! | [`Callers`] | a procedure without callers gets one that makes arguments |
//! | [`clear_at_exit()`] | objects that only globals hold when the program ends count as leaked on request |
//! | [`without_idle`] | values that decide nothing, such as data that a queue holds for others, need not be tracked |
//! | [`without_unread`], [`unread::leave_out`] | pointers that no statement reads need not be tracked |
//! | [`dead_fields::without_dead_fields`] | fields that are overwritten after a call make no cutpoints |
//! | [`reuse_loads::reuse_loads`] | an object that is read twice is known to be the same |
//! | [`formals::prepare`] | procedures remember their arguments, so that they can be analysed on local heaps |
//!
//! | facts | reason |
//! | --- | --- |
//! | [`CallGraph`] | recursion needs summaries |
//! | [`Liveness`] | the value of a dead variable can be forgotten |
//! | [`Overwritten`] | so can a link that is set anew before it is followed |
//! | [`changing`] | a function that is analysed by itself knows nothing of globals that others change |
//! | [`points_to`], [`targets`], [`links`] | predicates are only needed for pointers that can be there |
//! | [`link_usage`], [`link_roles`], [`number_roles`] | `prev` leads back over `next`: which shapes a program builds |
//! | [`data_effects`] | a call that changes no data keeps lists sorted |
//! | [`intervals`] | scalars have values between bounds |
//! | [`reachable_after()`] | nothing is known of code that runs after a statement that was not analysed |

pub mod call_graph;
pub mod changing;
mod clear_at_exit;
pub mod contracts;
pub mod data_effects;
mod dataflow;
pub mod dead_fields;
pub mod formals;
mod harness;
mod idle;
pub mod intervals;
pub mod link_roles;
pub mod link_usage;
pub mod links;
mod liveness;
pub mod number_roles;
mod overwritten;
pub mod points_to;
mod reachable_after;
pub mod reuse_loads;
mod simplify;
pub mod targets;
pub mod unread;

pub use call_graph::CallGraph;
pub use clear_at_exit::{ELEMENT_OF, clear_at_exit};
pub use dataflow::backward;
pub use harness::{Callers, Demands, Missing, NoArguments, Path};
pub use idle::without_idle;
pub use liveness::Liveness;
pub use overwritten::Overwritten;
pub use reachable_after::reachable_after;
pub use simplify::simplify;
pub use unread::without_unread;

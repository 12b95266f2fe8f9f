//! Heap programs: the form between the source languages and the abstract domains.
//!
//! A [`Program`] has structs whose fields are pointers and scalars, global variables, and procedures. A procedure is a
//! control-flow graph; its edges carry the atomic statements of the papers (`x = null`, `x = y`, `x = y->f`,
//! `x->f = y`, `x = new T`, `free(x)`, conditions, calls), see [`Statement`]. A front end expresses the other
//! constructs of its language in these terms, or marks them as [`Statement::Unsupported`]. Nothing is dropped.
//!
//! # Everything that has an address is an object
//!
//! Variables cannot be pointed to; only objects can. A local variable whose address is taken becomes an object on the
//! stack, reached by a pointer that is never changed. A struct inside a struct becomes an object of its own: the field
//! is [embedded](Field::embedded), an immutable pointer from the container to its part.
//!
//! # Arithmetic
//!
//! Integers wrap around like two's complement, in programs of all source languages.
//!
//! Floats, unions, long arrays and text are integers of which an analysis knows nothing and which a run computes: see
//! [`Operation`].

mod build;
mod computation;
mod contract;
mod finding;
mod ids;
mod interpret;
mod kind;
mod operand;
mod program;
mod scalar;
mod statement;
mod text;
mod validate;

pub use build::Builder;
pub use computation::{Cause, FloatOp, Format, Meaning, Operation, TextOp};
pub use contract::{Clause, Contract, Promise};
pub use finding::{Finding, Place, TraceStep, subject, verdict_on};
pub use ids::{FieldId, NodeId, Point, ProcId, StructId, VarId};
pub use interpret::{
    Asked, Choices, Exhaustive, Frame, Incident, MadeChoice, Object, ObjectId, Options, Recorded, Replay, Run, RunEnd,
    RunStart, Seeded, State, Status, Value, interpret, interpret_from,
};
pub use kind::{FindingKind, Verdict};
pub use operand::{Expr, Operand};
pub use program::{Edge, Field, Node, Procedure, Program, Scope, Struct, Type, Variable};
pub use scalar::{BinaryOp, DivisionByZero, Scalar, UnaryOp};
pub use statement::{Condition, Region, Statement};
pub use text::{parse, print, show_condition, show_expr, show_statement};
pub use validate::validate;

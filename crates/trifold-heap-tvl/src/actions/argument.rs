//! Arguments of calls on local heaps.

use trifold_ir::VarId;
use trifold_logic::Var;

/// A variable of formulas for the object that an argument points to.
pub(super) fn s() -> Var {
    Var::new("s")
}

/// An argument: the caller's variable, the callee's variable that keeps its value, and its position among the formals.
pub(super) type Argument = (VarId, VarId, usize);

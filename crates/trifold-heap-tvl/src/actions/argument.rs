//! Arguments of calls on local heaps. For example, the call `f(x)` of `f(p)` has the argument `x`, the variable of `f`
//! that keeps the first value of `p`, and the position 0.

use trifold_ir::VarId;
use trifold_logic::Var;

/// A variable of formulas for the object that an argument points to.
pub(super) fn s() -> Var {
    Var::new("s")
}

/// An argument: the caller's variable, the callee's variable that keeps its value, and its position among the formals.
pub(super) type Argument = (VarId, VarId, usize);

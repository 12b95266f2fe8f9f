//! The logical variables of formulas.

use trifold_logic::Var;

/// `v`, `w`, `u`: the logical variables of the formulas here.
pub(crate) fn v() -> Var {
    Var::new("v")
}

/// See [`v`].
pub(crate) fn w() -> Var {
    Var::new("w")
}

/// See [`v`].
pub(crate) fn u() -> Var {
    Var::new("u")
}

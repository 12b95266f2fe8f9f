//! Formulas about one store of several: with other predicates, and about the individuals of that store only.
//!
//! For example, `E(v) x(v)` about the store after the first action becomes `E(v) live@1(v) & x@1(v)`.

use std::sync::Arc;
use trifold_logic::{Formula, PredicateId, Var};

/// How to translate a formula.
pub(crate) struct Translation<'t> {
    /// The formula that takes the place of an atom.
    pub atom: &'t dyn Fn(PredicateId, &[Var]) -> Formula,
    /// The property of the individuals over which quantifiers range, and through which paths lead.
    pub guard: &'t dyn Fn(&Var) -> Formula,
}

impl Translation<'_> {
    /// The translated formula. No bound variable may have the name of another variable that the new atoms mention.
    pub fn apply(&self, formula: &Formula) -> Formula {
        let each = |parts: &[Formula]| parts.iter().map(|part| self.apply(part)).collect::<Vec<_>>();
        match formula {
            Formula::Value(_) | Formula::Equal(..) => formula.clone(),
            // A store has no individuals that do not exist, and no summaries.
            Formula::Atom(PredicateId::AC, _) => Formula::TRUE,
            Formula::Atom(PredicateId::SM, _) => Formula::FALSE,
            Formula::Atom(p, arguments) => (self.atom)(*p, arguments),
            Formula::Not(inner) => self.apply(inner).negate(),
            Formula::And(parts) => Formula::and(each(parts)),
            Formula::Or(parts) => Formula::or(each(parts)),
            Formula::If(parts) => {
                let [c, a, b] = parts.each_ref().map(|part| self.apply(part));
                Formula::if_then_else(c, a, b)
            }
            Formula::Exists(v, body) => Formula::exists([v.clone()], Formula::and([(self.guard)(v), self.apply(body)])),
            Formula::Forall(v, body) => Formula::forall([v.clone()], (self.guard)(v).implies(self.apply(body))),
            Formula::Closure { start, end, left, right, body } => {
                let body = Formula::and([self.apply(body), (self.guard)(left), (self.guard)(right)]);
                let (start, end, left, right) = (start.clone(), end.clone(), left.clone(), right.clone());
                Formula::Closure { start, end, left, right, body: Arc::new(body) }
            }
        }
    }
}

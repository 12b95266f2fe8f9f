//! Formulas: names become predicates, composites are multiplied out, variables are checked.
//!
//! A bound variable that is also free in the formula, or bound again further in, is legal; such formulas are renamed
//! apart, so that the engine never meets one. For example, `|/{ z(v) : z in {x, y} }` becomes `x(v) | y(v)`.

use super::{Expander, Scope};
use crate::ast::{self, FormulaKind, Ident, Name, Operator};
use crate::limits::{MAX_FORMULA_NODES, MAX_FREE_VARIABLES};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use trifold_logic::{Formula, Var};
use trifold_source::{Diagnostic, Span};

/// The place of a formula, which decides which predicates and variables it may mention.
pub(super) struct Context<'c> {
    pub scope: &'c Scope,
    pub free: Free<'c>,
    /// Is it part of an action, where `isNew` and `instance` mean something?
    pub in_action: bool,
}

/// Which variables may be free. The formula's bound variables will differ from those listed.
pub(super) enum Free<'c> {
    /// Only these.
    Only(&'c [Var]),
    /// Any variable; these are known.
    Any(&'c [Var]),
}

impl<'c> Free<'c> {
    fn known(&self) -> &'c [Var] {
        match self {
            Free::Only(variables) | Free::Any(variables) => variables,
        }
    }
}

/// The state of one formula's expansion.
struct Lowering<'c> {
    context: &'c Context<'c>,
    /// The variables bound at this point.
    bound: Vec<Var>,
    /// All variables that were bound somewhere, and all that occur free.
    bound_somewhere: FxHashSet<Var>,
    free: FxHashSet<Var>,
    shadowing: bool,
    binders: u64,
}

/// A formula and the number of its nodes, shared ones counted at each occurrence.
struct Lowered {
    formula: Formula,
    nodes: u64,
}

impl Expander<'_> {
    /// The formula that the text stands for; 0 after an error.
    pub(super) fn formula(&mut self, text: &ast::Formula, context: &Context) -> Formula {
        let mut state = Lowering {
            context,
            bound: Vec::new(),
            bound_somewhere: FxHashSet::default(),
            free: FxHashSet::default(),
            shadowing: false,
            binders: 0,
        };
        let lowered = self.lower(text, context.scope, &mut state);
        match self.affordable(&lowered, text.span, &state) {
            true => self.renamed(lowered.formula, text.span, &state),
            false => Formula::FALSE,
        }
    }

    /// Is the formula small enough? Reports it if not.
    fn affordable(&mut self, lowered: &Lowered, span: Span, state: &Lowering) -> bool {
        let problem = match () {
            () if lowered.nodes > MAX_FORMULA_NODES => "expands to too many parts",
            () if state.free.len() > MAX_FREE_VARIABLES => "has too many free variables",
            () => return self.afford(lowered.nodes, span, state.context.scope),
        };
        let error = Diagnostic::error("formula-size", span, format!("this formula {problem}"));
        self.report(error, state.context.scope);
        false
    }

    /// The formula with bound variables renamed where they also occur free or are bound twice.
    fn renamed(&mut self, formula: Formula, span: Span, state: &Lowering) -> Formula {
        let known = state.context.free.known();
        let clash = state.bound_somewhere.iter().any(|v| state.free.contains(v) || known.contains(v));
        if !clash && !state.shadowing {
            return formula;
        }
        // Each bound variable is compared with all others.
        match self.afford(state.binders * state.binders, span, state.context.scope) {
            true => formula.rename_apart(&known.iter().cloned().collect::<BTreeSet<_>>()),
            false => Formula::FALSE,
        }
    }

    fn lower(&mut self, text: &ast::Formula, scope: &Scope, state: &mut Lowering) -> Lowered {
        if !self.afford(1, text.span, scope) {
            return leaf(Formula::FALSE);
        }
        match &text.kind {
            FormulaKind::Value(value) => leaf(Formula::Value(*value)),
            FormulaKind::Atom { predicate, arguments } => {
                leaf(self.atom(predicate, arguments, text.span, scope, state))
            }
            FormulaKind::Star { predicate, arguments, reflexive } => {
                leaf(self.star(predicate, arguments, *reflexive, scope, state))
            }
            FormulaKind::Equal { left, right, negated } => {
                let equal = Formula::equal(self.occurrence(left, scope, state), self.occurrence(right, scope, state));
                leaf(if *negated { equal.negate() } else { equal })
            }
            FormulaKind::Composite { operator, variable, set, body } => {
                let mut parts = Vec::new();
                self.for_each(variable, set, scope, |expander, scope| parts.push(expander.lower(body, scope, state)));
                self.connect(*operator, parts, text.span, scope)
            }
            _ => self.lower_compound(text, scope, state),
        }
    }

    fn lower_compound(&mut self, text: &ast::Formula, scope: &Scope, state: &mut Lowering) -> Lowered {
        match &text.kind {
            FormulaKind::Not(body) => self.lower(body, scope, state).map(Formula::negate),
            FormulaKind::Chain { operator, operands } => {
                let parts = operands.iter().map(|operand| self.lower(operand, scope, state)).collect();
                self.connect(*operator, parts, text.span, scope)
            }
            FormulaKind::Implies(parts) => {
                let [a, b] = parts.each_ref().map(|part| self.lower(part, scope, state));
                Lowered {
                    nodes: a.nodes.saturating_add(b.nodes).saturating_add(2),
                    formula: a.formula.implies(b.formula),
                }
            }
            FormulaKind::Iff(parts) => {
                let [a, b] = parts.each_ref().map(|part| self.lower(part, scope, state));
                let nodes = a.nodes.saturating_add(b.nodes).saturating_mul(2);
                if nodes > MAX_FORMULA_NODES {
                    return Lowered { formula: Formula::FALSE, nodes };
                }
                Lowered { nodes, formula: a.formula.iff(b.formula) }
            }
            FormulaKind::If(parts) => {
                let [c, a, b] = parts.each_ref().map(|part| self.lower(part, scope, state));
                let nodes = [&c, &a, &b].iter().fold(1u64, |sum, part| sum.saturating_add(part.nodes));
                Lowered { nodes, formula: Formula::if_then_else(c.formula, a.formula, b.formula) }
            }
            FormulaKind::Quantified { existential, variables, body } => {
                let variables: Vec<Var> = variables.iter().map(|word| self.variable(word)).collect();
                let body = self.lower_binder(&variables, body, scope, state);
                let quantify = |body| match existential {
                    true => Formula::exists(variables, body),
                    false => Formula::forall(variables, body),
                };
                body.map(quantify)
            }
            FormulaKind::Closure { ends, steps, body } => self.closure(ends, steps, body, scope, state),
            _ => leaf(Formula::FALSE),
        }
    }

    fn connect(&mut self, operator: Operator, parts: Vec<Lowered>, span: Span, scope: &Scope) -> Lowered {
        let nodes = parts.iter().fold(1u64, |sum, part| sum.saturating_add(part.nodes));
        let formulas = parts.into_iter().map(|part| part.formula);
        let formula = match operator {
            Operator::And => Formula::and(formulas),
            Operator::Or => Formula::or(formulas),
        };
        // Operands of nested chains were copied into this one.
        if let Formula::And(operands) | Formula::Or(operands) = &formula {
            self.afford(operands.len() as u64 / 4, span, scope);
        }
        Lowered { formula, nodes }
    }

    /// The body of a quantifier or closure.
    fn lower_binder(&mut self, variables: &[Var], body: &ast::Formula, scope: &Scope, state: &mut Lowering) -> Lowered {
        for variable in variables {
            state.binders += 1;
            state.shadowing |= state.bound.contains(variable);
            state.bound_somewhere.insert(variable.clone());
            state.bound.push(variable.clone());
        }
        let body = self.lower(body, scope, state);
        state.bound.truncate(state.bound.len() - variables.len());
        body
    }

    fn closure(
        &mut self,
        ends: &[Ident; 2],
        steps: &[Ident; 2],
        body: &ast::Formula,
        scope: &Scope,
        state: &mut Lowering,
    ) -> Lowered {
        let [start, end] = ends.each_ref().map(|word| self.occurrence(word, scope, state));
        let [left, right] = steps.each_ref().map(|word| self.variable(word));
        self.lower_binder(&[left.clone(), right.clone()], body, scope, state).map(|body| match &body {
            // The same formula as the abbreviation `p+(start, end)` gives.
            Formula::Atom(p, arguments) if arguments[..] == [left.clone(), right.clone()] => {
                Formula::transitive_closure(*p, start, end)
            }
            _ => Formula::Closure { start, end, left, right, body: body.into() },
        })
    }

    fn atom(&mut self, name: &Name, arguments: &[Ident], span: Span, scope: &Scope, state: &mut Lowering) -> Formula {
        let arguments: Vec<Var> = arguments.iter().map(|word| self.occurrence(word, scope, state)).collect();
        match self.predicate(name, arguments.len(), span, scope, state.context.in_action) {
            Some(predicate) => Formula::atom(predicate, arguments),
            None => Formula::FALSE,
        }
    }

    fn star(
        &mut self,
        name: &Name,
        arguments: &[Ident; 2],
        reflexive: bool,
        scope: &Scope,
        state: &mut Lowering,
    ) -> Formula {
        let [start, end] = arguments.each_ref().map(|word| self.occurrence(word, scope, state));
        // The abbreviation binds these two.
        state.binders += 2;
        state.bound_somewhere.extend(["_l", "_r"].map(Var::new));
        match self.predicate(name, 2, name.span, scope, state.context.in_action) {
            Some(predicate) if reflexive => Formula::reflexive_closure(predicate, start, end),
            Some(predicate) => Formula::transitive_closure(predicate, start, end),
            None => Formula::FALSE,
        }
    }

    /// An occurrence of a variable, which must be bound or allowed to be free.
    fn occurrence(&mut self, word: &Ident, scope: &Scope, state: &mut Lowering) -> Var {
        let variable = self.variable(word);
        if state.bound.contains(&variable) {
            return variable;
        }
        let first = state.free.insert(variable.clone());
        if let Free::Only(allowed) = state.context.free
            && first
            && !allowed.contains(&variable)
        {
            self.report(unbound(word, allowed), scope);
        }
        variable
    }
}

impl Lowered {
    fn map(self, f: impl FnOnce(Formula) -> Formula) -> Lowered {
        Lowered { formula: f(self.formula), nodes: self.nodes.saturating_add(1) }
    }
}

fn leaf(formula: Formula) -> Lowered {
    Lowered { formula, nodes: 1 }
}

fn unbound(word: &Ident, allowed: &[Var]) -> Diagnostic {
    let names: Vec<String> = allowed.iter().map(|v| format!("`{v}`")).collect();
    let note = match names.len() {
        0 => "no variable may be free here".to_string(),
        _ => format!("only {} may be free here", names.join(", ")),
    };
    let message = format!("variable `{}` is neither bound nor a parameter", word.text);
    Diagnostic::error("unbound-variable", word.span, message).note(note)
}

//! How formulas print: in the syntax of TVP, with as few parentheses as possible, so that what is printed reads back.
//!
//! `∃w. x(w) ∧ n*(w,v)` prints as `E(w) x(w) & n*(w,v)`.

use crate::formula::{Formula, Var};
use crate::predicate_id::PredicateId;
use crate::vocabulary::Vocabulary;
use std::fmt;

impl Formula {
    /// The formula as TVP text.
    pub fn show<'a>(&'a self, vocabulary: &'a Vocabulary) -> Shown<'a> {
        Shown { formula: self, vocabulary }
    }
}

/// A formula on its way to text; see [`Formula::show`].
pub struct Shown<'a> {
    formula: &'a Formula,
    vocabulary: &'a Vocabulary,
}

/// Binding strength of the syntax, weakest first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Strength {
    Or,
    And,
    Unary,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, self.formula, Strength::Or)
    }
}

impl Shown<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, formula: &Formula, context: Strength) -> fmt::Result {
        match formula {
            Formula::Value(value) => write!(f, "{value}"),
            Formula::Atom(predicate, arguments) => {
                let prime = if predicate.is_after() { "'" } else { "" };
                write!(f, "{}{prime}({})", self.vocabulary[*predicate].name, list(arguments))
            }
            Formula::Equal(v, w) => write!(f, "{v} == {w}"),
            Formula::Not(inner) => match inner.as_ref() {
                Formula::Equal(v, w) => write!(f, "{v} != {w}"),
                inner => {
                    f.write_str("!")?;
                    self.write(f, inner, Strength::Unary)
                }
            },
            Formula::And(parts) => self.join(f, parts, " & ", Strength::And, context),
            Formula::Or(parts) => match reflexive(parts) {
                Some((p, v, w)) => write!(f, "{}*({v},{w})", self.vocabulary[p].name),
                None => self.join(f, parts, " | ", Strength::Or, context),
            },
            Formula::If(parts) => {
                let [c, a, b] = parts.as_ref();
                f.write_str("(")?;
                self.write(f, c, Strength::Or)?;
                f.write_str(" ? ")?;
                self.write(f, a, Strength::Or)?;
                f.write_str(" : ")?;
                self.write(f, b, Strength::Or)?;
                f.write_str(")")
            }
            Formula::Exists(..) | Formula::Forall(..) | Formula::Closure { .. } => {
                self.write_binder(f, formula, context)
            }
        }
    }

    fn join(
        &self,
        f: &mut fmt::Formatter<'_>,
        parts: &[Formula],
        operator: &str,
        strength: Strength,
        context: Strength,
    ) -> fmt::Result {
        let parenthesised = strength < context;
        if parenthesised {
            f.write_str("(")?;
        }
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                f.write_str(operator)?;
            }
            // A quantifier extends as far right as it can, so only the last operand may go bare, or end in one.
            let last = i + 1 == parts.len();
            let inner = if last { strength } else { Strength::Unary };
            let inner = if matches!(part, Formula::And(_)) && (last || !ends_bare(part)) { strength } else { inner };
            self.write(f, part, inner)?;
        }
        if parenthesised {
            f.write_str(")")?;
        }
        Ok(())
    }

    fn write_binder(&self, f: &mut fmt::Formatter<'_>, formula: &Formula, context: Strength) -> fmt::Result {
        if let Some((p, v, w)) = step_closure(formula) {
            return write!(f, "{}+({v},{w})", self.vocabulary[p].name);
        }
        let parenthesised = context == Strength::Unary;
        if parenthesised {
            f.write_str("(")?;
        }
        let body = match formula {
            Formula::Closure { start, end, left, right, body } => {
                write!(f, "TC({start},{end})({left},{right}) ")?;
                body.as_ref()
            }
            _ => {
                let (letter, variables, body) = quantifier_block(formula);
                write!(f, "{letter}({}) ", list(&variables))?;
                body
            }
        };
        self.write(f, body, Strength::Or)?;
        if parenthesised {
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// Does the text of a conjunction end in a quantifier or closure without parentheses?
fn ends_bare(formula: &Formula) -> bool {
    let Formula::And(parts) = formula else { return false };
    match parts.last() {
        Some(Formula::Exists(..) | Formula::Forall(..)) => true,
        Some(closure @ Formula::Closure { .. }) => step_closure(closure).is_none(),
        _ => false,
    }
}

/// Adjacent quantifiers of the same kind, which are written as one.
fn quantifier_block(formula: &Formula) -> (char, Vec<Var>, &Formula) {
    let mut variables = Vec::new();
    let mut body = formula;
    let existential = matches!(formula, Formula::Exists(..));
    loop {
        match body {
            Formula::Exists(v, inner) if existential => {
                variables.push(v.clone());
                body = inner;
            }
            Formula::Forall(v, inner) if !existential => {
                variables.push(v.clone());
                body = inner;
            }
            _ => return (if existential { 'E' } else { 'A' }, variables, body),
        }
    }
}

/// Recognises `p+(v, w)`.
fn step_closure(formula: &Formula) -> Option<(PredicateId, &Var, &Var)> {
    let Formula::Closure { start, end, left, right, body } = formula else { return None };
    match body.as_ref() {
        Formula::Atom(p, arguments) if arguments[..] == [left.clone(), right.clone()] => Some((*p, start, end)),
        _ => None,
    }
}

/// Recognises `p*(v, w)`.
fn reflexive(parts: &[Formula]) -> Option<(PredicateId, &Var, &Var)> {
    let [Formula::Equal(v, w), closure] = parts else { return None };
    step_closure(closure).filter(|(_, start, end)| (*start, *end) == (v, w))
}

fn list(variables: &[Var]) -> String {
    variables.iter().map(Var::name).collect::<Vec<_>>().join(",")
}

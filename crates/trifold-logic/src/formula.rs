//! Formulas: first-order logic with transitive closure and equality [LevAmi00 §2.3, C.3].
//!
//! The text forms `->`, `<->`, `!=`, `p*` and `p+` are abbreviations; the constructors below expand them with
//! exactly their Kleene meaning. The conditional stays a node of its own, since an unknown condition
//! yields the information join of its branches, which is more than `(c & a) | (!c & b)` says.
//!
//! ```
//! use trifold_logic::{Formula, Predicate, Vocabulary, Var};
//! let mut vocabulary = Vocabulary::default();
//! let x = vocabulary.declare(Predicate::core("x", 1)).unwrap();
//! let n = vocabulary.declare(Predicate::core("n", 2)).unwrap();
//! let (v, w) = (Var::new("v"), Var::new("w"));
//! let reachable = Formula::exists(
//!     [v.clone()],
//!     Formula::and([Formula::atom(x, [v.clone()]), Formula::reflexive_closure(n, v.clone(), w.clone())]),
//! );
//! assert_eq!(reachable.free_vars(), [w]);
//! assert_eq!(reachable.show(&vocabulary).to_string(), "E(v) x(v) & n*(v,w)");
//! ```

use crate::{Kleene, PredicateId, Vocabulary};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A logical variable, known by its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(Arc<str>);

impl Var {
    /// The variable of this name.
    pub fn new(name: &str) -> Var {
        Var(name.into())
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// A variable like this one that is not in `taken`: `v`, then `v'1`, `v'2`, …
    pub fn fresh(&self, taken: &BTreeSet<Var>) -> Var {
        self.fresh_from(&mut 1, taken)
    }

    /// The same, when those with lower numbers are known to be taken; the number goes up.
    fn fresh_from(&self, number: &mut usize, taken: &BTreeSet<Var>) -> Var {
        if !taken.contains(self) {
            return self.clone();
        }
        loop {
            let candidate = Var(format!("{}'{number}", self.stem()).into());
            if !taken.contains(&candidate) {
                return candidate;
            }
            *number += 1;
        }
    }

    fn stem(&self) -> &str {
        self.0.split('\'').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A formula. Values are immutable and cheap to clone: subformulas are shared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// A constant.
    Value(Kleene),
    /// `p(v1, …, vk)`.
    Atom(PredicateId, Vec<Var>),
    /// `v == w`.
    Equal(Var, Var),
    /// `!φ`.
    Not(Arc<Formula>),
    /// Conjunction of any number of formulas; empty is 1.
    And(Arc<[Formula]>),
    /// Disjunction of any number of formulas; empty is 0.
    Or(Arc<[Formula]>),
    /// `(condition ? then : otherwise)`.
    If(Arc<[Formula; 3]>),
    /// `E(v) φ`.
    Exists(Var, Arc<Formula>),
    /// `A(v) φ`.
    Forall(Var, Arc<Formula>),
    /// `TC(start, end)(left, right) φ`: a path of one or more `φ`-steps leads from `start` to `end`.
    Closure {
        /// Where the path starts.
        start: Var,
        /// Where the path ends.
        end: Var,
        /// The variable of `body` that is a step's source.
        left: Var,
        /// The variable of `body` that is a step's target.
        right: Var,
        /// One step.
        body: Arc<Formula>,
    },
}

impl Formula {
    /// The constant 1.
    pub const TRUE: Formula = Formula::Value(Kleene::True);
    /// The constant 0.
    pub const FALSE: Formula = Formula::Value(Kleene::False);

    /// `p(arguments)`.
    pub fn atom(predicate: PredicateId, arguments: impl IntoIterator<Item = Var>) -> Formula {
        Formula::Atom(predicate, arguments.into_iter().collect())
    }

    /// `v == w`; trivially 1 when both are the same variable.
    pub fn equal(v: Var, w: Var) -> Formula {
        if v == w { Formula::TRUE } else { Formula::Equal(v, w) }
    }

    /// `!φ`, without double negations and negated constants.
    pub fn negate(self) -> Formula {
        match self {
            Formula::Value(value) => Formula::Value(!value),
            Formula::Not(inner) => inner.as_ref().clone(),
            other => Formula::Not(Arc::new(other)),
        }
    }

    /// Conjunction, flattened, without the constants 0 and 1.
    pub fn and(conjuncts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for conjunct in conjuncts {
            match conjunct {
                Formula::Value(Kleene::True) => {}
                Formula::Value(Kleene::False) => return Formula::FALSE,
                Formula::And(inner) => flat.extend(inner.iter().cloned()),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Formula::TRUE,
            1 => flat.remove(0),
            _ => Formula::And(flat.into()),
        }
    }

    /// Disjunction, flattened, without the constants 0 and 1.
    pub fn or(disjuncts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for disjunct in disjuncts {
            match disjunct {
                Formula::Value(Kleene::False) => {}
                Formula::Value(Kleene::True) => return Formula::TRUE,
                Formula::Or(inner) => flat.extend(inner.iter().cloned()),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Formula::FALSE,
            1 => flat.remove(0),
            _ => Formula::Or(flat.into()),
        }
    }

    /// `a -> b`, that is `!a | b`.
    pub fn implies(self, consequent: Formula) -> Formula {
        Formula::or([self.negate(), consequent])
    }

    /// `a <-> b`, that is `(a -> b) & (b -> a)`.
    pub fn iff(self, other: Formula) -> Formula {
        Formula::and([self.clone().implies(other.clone()), other.implies(self)])
    }

    /// `(condition ? then : otherwise)`.
    pub fn if_then_else(condition: Formula, then: Formula, otherwise: Formula) -> Formula {
        match condition {
            Formula::Value(Kleene::True) => then,
            Formula::Value(Kleene::False) => otherwise,
            condition => Formula::If(Arc::new([condition, then, otherwise])),
        }
    }

    /// `E(variables) φ`.
    pub fn exists(variables: impl IntoIterator<Item = Var, IntoIter: DoubleEndedIterator>, body: Formula) -> Formula {
        variables.into_iter().rev().fold(body, |body, v| Formula::Exists(v, Arc::new(body)))
    }

    /// `A(variables) φ`.
    pub fn forall(variables: impl IntoIterator<Item = Var, IntoIter: DoubleEndedIterator>, body: Formula) -> Formula {
        variables.into_iter().rev().fold(body, |body, v| Formula::Forall(v, Arc::new(body)))
    }

    /// `p+(start, end)`.
    pub fn transitive_closure(predicate: PredicateId, start: Var, end: Var) -> Formula {
        // The step variables are bound, so no other occurrence of the same name can interfere.
        let (left, right) = (Var::new("_l"), Var::new("_r"));
        let body = Arc::new(Formula::atom(predicate, [left.clone(), right.clone()]));
        Formula::Closure { start, end, left, right, body }
    }

    /// `p*(start, end)`.
    pub fn reflexive_closure(predicate: PredicateId, start: Var, end: Var) -> Formula {
        Formula::or([Formula::equal(start.clone(), end.clone()), Formula::transitive_closure(predicate, start, end)])
    }

    /// The free variables, in order of first occurrence.
    pub fn free_vars(&self) -> Vec<Var> {
        let mut found = Vec::new();
        self.collect_free(&mut Vec::new(), &mut found);
        found
    }

    fn collect_free(&self, bound: &mut Vec<Var>, found: &mut Vec<Var>) {
        fn see(v: &Var, bound: &[Var], found: &mut Vec<Var>) {
            if !bound.contains(v) && !found.contains(v) {
                found.push(v.clone());
            }
        }
        match self {
            Formula::Value(_) => {}
            Formula::Atom(_, arguments) => arguments.iter().for_each(|v| see(v, bound, found)),
            Formula::Equal(v, w) => [v, w].into_iter().for_each(|v| see(v, bound, found)),
            Formula::Not(inner) => inner.collect_free(bound, found),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.collect_free(bound, found)),
            Formula::If(parts) => parts.iter().for_each(|part| part.collect_free(bound, found)),
            Formula::Exists(v, body) | Formula::Forall(v, body) => {
                bound.push(v.clone());
                body.collect_free(bound, found);
                bound.pop();
            }
            Formula::Closure { start, end, left, right, body } => {
                [start, end].into_iter().for_each(|v| see(v, bound, found));
                bound.extend([left.clone(), right.clone()]);
                body.collect_free(bound, found);
                bound.truncate(bound.len() - 2);
            }
        }
    }

    /// Calls `visit` for every predicate occurrence.
    pub fn visit_predicates(&self, visit: &mut impl FnMut(PredicateId)) {
        match self {
            Formula::Value(_) | Formula::Equal(..) => {}
            Formula::Atom(predicate, _) => visit(*predicate),
            Formula::Not(body)
            | Formula::Exists(_, body)
            | Formula::Forall(_, body)
            | Formula::Closure { body, .. } => body.visit_predicates(visit),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.visit_predicates(visit)),
            Formula::If(parts) => parts.iter().for_each(|part| part.visit_predicates(visit)),
        }
    }

    /// Does the test hold of the formula or of some part of it?
    pub fn any(&self, test: &impl Fn(&Formula) -> bool) -> bool {
        test(self)
            || match self {
                Formula::Value(_) | Formula::Equal(..) | Formula::Atom(..) => false,
                Formula::Not(body)
                | Formula::Exists(_, body)
                | Formula::Forall(_, body)
                | Formula::Closure { body, .. } => body.any(test),
                Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| part.any(test)),
                Formula::If(parts) => parts.iter().any(|part| part.any(test)),
            }
    }

    /// Replaces free variables, renaming bound ones where they would capture a replacement.
    pub fn substitute(&self, replacement: &BTreeMap<Var, Var>) -> Formula {
        let mut names = replacement.iter().map(|(old, new)| (old.clone(), new.clone())).collect();
        let taken = replacement.values().cloned().collect();
        self.rename(&mut names, &mut Taken { names: taken, all_distinct: false, numbers: BTreeMap::new() })
    }

    /// An equal formula in which every bound variable is distinct from every other variable and from `avoid`.
    pub fn rename_apart(&self, avoid: &BTreeSet<Var>) -> Formula {
        let mut bound = Vec::new();
        self.collect_bound(&mut bound);
        if bound.is_empty() {
            return self.clone();
        }
        let free = self.free_vars();
        let mut seen: BTreeSet<&Var> = avoid.iter().chain(&free).collect();
        if bound.into_iter().all(|v| seen.insert(v)) {
            return self.clone();
        }
        let names = avoid.iter().cloned().chain(free).collect();
        self.rename(&mut Vec::new(), &mut Taken { names, all_distinct: true, numbers: BTreeMap::new() })
    }

    /// Every binding of a variable, in order.
    fn collect_bound<'f>(&'f self, found: &mut Vec<&'f Var>) {
        match self {
            Formula::Value(_) | Formula::Equal(..) | Formula::Atom(..) => {}
            Formula::Not(inner) => inner.collect_bound(found),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.collect_bound(found)),
            Formula::If(parts) => parts.iter().for_each(|part| part.collect_bound(found)),
            Formula::Exists(v, body) | Formula::Forall(v, body) => {
                found.push(v);
                body.collect_bound(found);
            }
            Formula::Closure { left, right, body, .. } => {
                found.extend([left, right]);
                body.collect_bound(found);
            }
        }
    }

    /// The formula with new names; those that come last count.
    fn rename(&self, names: &mut Vec<(Var, Var)>, taken: &mut Taken) -> Formula {
        let look = |v: &Var, names: &[(Var, Var)]| {
            names.iter().rev().find(|(old, _)| old == v).map_or(v, |(_, new)| new).clone()
        };
        match self {
            Formula::Value(value) => Formula::Value(*value),
            Formula::Atom(predicate, arguments) => {
                Formula::Atom(*predicate, arguments.iter().map(|v| look(v, names)).collect())
            }
            Formula::Equal(v, w) => Formula::equal(look(v, names), look(w, names)),
            Formula::Not(inner) => inner.rename(names, taken).negate(),
            Formula::And(parts) => Formula::and(parts.iter().map(|part| part.rename(names, taken))),
            Formula::Or(parts) => Formula::or(parts.iter().map(|part| part.rename(names, taken))),
            Formula::If(parts) => {
                let [c, a, b] = parts.each_ref().map(|part| part.rename(names, taken));
                Formula::if_then_else(c, a, b)
            }
            Formula::Exists(v, body) => {
                let (v, body) = taken.bind(v, names, |names, taken| body.rename(names, taken));
                Formula::Exists(v, Arc::new(body))
            }
            Formula::Forall(v, body) => {
                let (v, body) = taken.bind(v, names, |names, taken| body.rename(names, taken));
                Formula::Forall(v, Arc::new(body))
            }
            Formula::Closure { start, end, left, right, body } => {
                let (start, end) = (look(start, names), look(end, names));
                let (left, (right, body)) = taken.bind(left, names, |names, taken| {
                    taken.bind(right, names, |names, taken| body.rename(names, taken))
                });
                Formula::Closure { start, end, left, right, body: Arc::new(body) }
            }
        }
    }

    /// The formula as TVP text.
    pub fn show<'a>(&'a self, vocabulary: &'a Vocabulary) -> Shown<'a> {
        Shown { formula: self, vocabulary }
    }
}

/// Names that a newly bound variable must avoid while renaming.
struct Taken {
    names: BTreeSet<Var>,
    /// Must bound variables also differ from each other?
    all_distinct: bool,
    /// The first number that may be free, by stem: names are taken and not given back.
    numbers: BTreeMap<Box<str>, usize>,
}

impl Taken {
    /// Chooses the name of a bound variable. It counts for what is done inside.
    fn bind<T>(
        &mut self,
        v: &Var,
        names: &mut Vec<(Var, Var)>,
        inside: impl FnOnce(&mut Vec<(Var, Var)>, &mut Taken) -> T,
    ) -> (Var, T) {
        let fresh = self.fresh(v);
        if self.all_distinct {
            self.names.insert(fresh.clone());
        }
        names.push((v.clone(), fresh.clone()));
        let done = inside(names, self);
        names.pop();
        (fresh, done)
    }

    fn fresh(&mut self, v: &Var) -> Var {
        if !self.names.contains(v) {
            return v.clone();
        }
        let number = match self.numbers.get_mut(v.stem()) {
            Some(number) => number,
            None => self.numbers.entry(v.stem().into()).or_insert(1),
        };
        v.fresh_from(number, &self.names)
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

#[cfg(test)]
mod tests;

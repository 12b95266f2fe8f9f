//! Finite differencing: the update of a defined predicate, derived from the updates of those it is defined from.
//!
//! For a formula `φ` and an action, `Δ⁺φ` holds where the action makes `φ` true and `Δ⁻φ` where it makes it false. They
//! follow the structure of `φ` \[RepsSL03\]:
//!
//! | φ        | Δ⁺φ                            | Δ⁻φ                             |
//! |----------|--------------------------------|---------------------------------|
//! | ¬α       | Δ⁻α                            | Δ⁺α                             |
//! | α ∧ β    | Δ⁺α ∧ β'  ∨  α' ∧ Δ⁺β          | Δ⁻α ∧ β  ∨  α ∧ Δ⁻β             |
//! | α ∨ β    | Δ⁺α ∧ ¬β  ∨  ¬α ∧ Δ⁺β          | Δ⁻α ∧ ¬β'  ∨  ¬α' ∧ Δ⁻β         |
//! | ∃v α     | (∃v Δ⁺α) ∧ ¬∃v α               | (∃v Δ⁻α) ∧ ¬∃v α'               |
//!
//! where `α'` is `α` after the action. The new value of `q`, defined as `φ`, is then `q ? ¬Δ⁻φ : Δ⁺φ`. That keeps the
//! stored value of `q` where `φ` would be 1/2, which is the reason for storing it. A predicate after the action is an
//! atom of its own ([`PredicateId::after`]): formulas do not grow by inlining each other's updates.
//!
//! For example, let `s(v) = ∃w n(v,w)`, and let the action be `x->n = NULL`: `Δ⁻n` is `n(v,w) ∧ x(v)` and `Δ⁺n` is 0.
//! Then `Δ⁻s` is `(∃w n(v,w) ∧ x(v)) ∧ ¬∃w (n(v,w) ∧ ¬x(v))`: `s` becomes 0 where `x` points, and keeps its value
//! elsewhere.
//!
//! These rules come last. If the definition, with the updates filled in, is stored in some predicate, that
//! predicate is the new value ([`recognise`](self)). Reachability from a pointer, and cycles, have rules for the
//! updates that statements make ([`reach`](self)), and so has transitive closure ([`closure`](self)), and reachability
//! by way of a given first edge ([`branch`](self)); all use sharing ([`sharing`](self)), as far as it is stored.
//!
//! Creation and removal of individuals are reduced to updates: an individual that is new, or about to go, is one on
//! which all core predicates are 0. A definition whose quantifiers notice such an isolated individual is not
//! differenced but evaluated afresh; one that just may hold of it is evaluated afresh on the new ones only.
//!
//! # Soundness
//! On two-valued structures the derived value equals the definition evaluated after the action; the Embedding Theorem
//! carries that over to three-valued ones.

mod branch;
mod closure;
mod cycles;
mod reach;
mod recognise;
mod shape;
mod sharing;

use crate::simplify::{self, and, or};
use crate::{Definition, Formula, PredicateId, Var, Vocabulary};
pub use cycles::may_close_cycle;
use shape::has_unknown;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The new value of a predicate: `p(parameters) = formula`, over the values before (and, for derived ones, after) the
/// action.
#[derive(Clone, PartialEq, Debug)]
pub struct NewValue {
    /// The argument variables.
    pub parameters: Vec<Var>,
    /// The value.
    pub formula: Formula,
}

impl NewValue {
    /// The value at these arguments.
    fn at(&self, arguments: &[Var]) -> Formula {
        self.formula.substitute(&self.parameters.iter().cloned().zip(arguments.iter().cloned()).collect())
    }
}

/// The state of individuals when an action creates them, before its updates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Creates {
    /// None are created.
    Nothing,
    /// They satisfy nothing.
    Isolated,
    /// They have values already, which makes every definition uncertain.
    WithValues,
}

/// The effect of an action, as far as differencing reads it.
#[derive(Clone, Debug)]
pub struct Effect<'a> {
    /// The predicates.
    pub vocabulary: &'a Vocabulary,
    /// Explicit updates.
    pub updates: BTreeMap<PredicateId, NewValue>,
    /// The individuals it creates.
    pub creates: Creates,
    /// The individuals that stay, if some go.
    pub retains: Option<(Var, Formula)>,
}

/// How a new value was derived.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rule {
    /// The definition after the action is a constant, or a value that another predicate stored before it.
    Recognised,
    /// By the rules for reachability from a set, and for cycles.
    Reachability,
    /// By the rules for transitive closure.
    Closure,
    /// By the rules for connectives and quantifiers.
    Connectives,
    /// The definition was taken as it is, because it notices individuals that come or go, or because a variable in it
    /// gets a value unrelated to its old one.
    Afresh,
}

/// A derived update.
#[derive(Clone, PartialEq, Debug)]
pub struct Derived {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its new value.
    pub value: NewValue,
    /// How it was derived.
    pub rule: Rule,
}

/// The updates of all defined predicates in `wanted` that the action changes, in an order in which each uses only the
/// new values of core predicates, of explicitly updated ones and of those before it.
pub fn derive(effect: &Effect, wanted: &BTreeSet<PredicateId>) -> Vec<Derived> {
    if wanted.iter().all(|q| effect.updates.contains_key(q)) {
        return Vec::new();
    }
    let mut differencer = Differencer::new(effect);
    differencer.derive_all(wanted);
    differencer.derived
}

/// Where a predicate becomes true and where it becomes false.
#[derive(Clone, Debug)]
struct Delta {
    parameters: Vec<Var>,
    plus: Formula,
    minus: Formula,
}

struct Differencer<'a> {
    effect: &'a Effect<'a>,
    /// Variables of the action's own, which bound variables of definitions must not capture.
    outer: BTreeSet<Var>,
    /// The predicates that change.
    deltas: BTreeMap<PredicateId, Delta>,
    derived: Vec<Derived>,
}

/// Where a predicate whose value was `old` becomes true and where it becomes false, read off its new value. Tight: the
/// first implies that it was 0, the second that it was 1.
fn gains_and_losses(old: Formula, formula: &Formula) -> (Formula, Formula) {
    let not_old = old.clone().negate();
    match formula {
        Formula::And(parts) if parts.contains(&old) => {
            let rest = and(parts.iter().filter(|part| **part != old).cloned());
            (Formula::FALSE, and([old, rest.negate()]))
        }
        Formula::Or(parts) if parts.contains(&old) => {
            let rest = or(parts.iter().filter(|part| **part != old).cloned());
            (and([not_old, rest]), Formula::FALSE)
        }
        Formula::If(parts) if parts[0] == old => {
            (and([not_old, parts[2].clone()]), and([old, parts[1].clone().negate()]))
        }
        Formula::If(parts) if parts[2] == old => {
            let [c, a, _] = parts.as_ref();
            (and([not_old, c.clone(), a.clone()]), and([old, c.clone(), a.clone().negate()]))
        }
        Formula::If(parts) if parts[1] == old => {
            let [c, _, b] = parts.as_ref();
            let otherwise = c.clone().negate();
            (and([not_old, otherwise.clone(), b.clone()]), and([old, otherwise, b.clone().negate()]))
        }
        other if *other == old => (Formula::FALSE, Formula::FALSE),
        other => (and([not_old, other.clone()]), and([old, other.clone().negate()])),
    }
}

/// Has it no closure and only a few atoms, so that it may be repeated wherever a predicate is mentioned?
fn is_short(formula: &Formula) -> bool {
    let mut atoms = 0;
    formula.visit_predicates(&mut |_| atoms += 1);
    atoms <= 20 && !formula.any(&|part| matches!(part, Formula::Closure { .. }))
}

/// The free variables of updates and of the formula for individuals that stay, other than their parameters.
fn outer_variables(effect: &Effect) -> BTreeSet<Var> {
    let of = |formula: &Formula, parameters: &[Var]| {
        formula.free_vars().into_iter().filter(|v| !parameters.contains(v)).collect::<Vec<_>>()
    };
    let updates = effect.updates.values().flat_map(|value| of(&value.formula, &value.parameters));
    let retained = effect.retains.iter().flat_map(|(v, formula)| of(formula, std::slice::from_ref(v)));
    updates.chain(retained).collect()
}

impl<'a> Differencer<'a> {
    fn new(effect: &'a Effect<'a>) -> Differencer<'a> {
        let outer = outer_variables(effect);
        let mut differencer = Differencer { effect, outer, deltas: BTreeMap::new(), derived: Vec::new() };
        effect.updates.keys().for_each(|p| differencer.read_off(*p));
        differencer
    }

    fn derive_all(&mut self, wanted: &BTreeSet<PredicateId>) {
        for q in &self.effect.vocabulary.definitions().order {
            if wanted.contains(q) && !self.effect.updates.contains_key(q) {
                self.derive(*q);
            }
        }
    }

    /// The deltas of an explicit update, tight: `Δ⁺` implies that the predicate was 0, `Δ⁻` that it was 1.
    fn read_off(&mut self, p: PredicateId) {
        let NewValue { parameters, formula } = &self.effect.updates[&p];
        let old = Formula::atom(p, parameters.iter().cloned());
        let (plus, minus) = gains_and_losses(old, formula);
        let delta = Delta { parameters: parameters.clone(), plus, minus };
        let delta = self.with_removal(p, delta);
        self.deltas.insert(p, delta);
    }

    /// Values on individuals that go become 0.
    fn with_removal(&self, p: PredicateId, delta: Delta) -> Delta {
        let Some(going) = self.going(&delta.parameters) else { return delta };
        let old = Formula::atom(p, delta.parameters.iter().cloned());
        let stays = going.clone().negate();
        Delta {
            plus: and([delta.plus, stays]),
            minus: or([delta.minus, and([old, going])]),
            parameters: delta.parameters,
        }
    }

    /// "One of these individuals goes", when the action removes any.
    fn going(&self, individuals: &[Var]) -> Option<Formula> {
        let (v, stays) = self.effect.retains.as_ref()?;
        if individuals.is_empty() {
            return None;
        }
        let goes = |w: &Var| stays.substitute(&BTreeMap::from([(v.clone(), w.clone())])).negate();
        Some(or(individuals.iter().map(goes)))
    }

    fn derive(&mut self, q: PredicateId) {
        let Definition { parameters, formula } =
            self.effect.vocabulary[q].definition.as_ref().expect("only defined predicates are derived");
        let mut affected = false;
        formula.visit_predicates(&mut |p| affected |= self.deltas.contains_key(&p));
        let universe_changes = self.effect.creates != Creates::Nothing || self.effect.retains.is_some();
        let definitions = self.effect.vocabulary.definitions();
        // New individuals do not change a predicate that does not notice them.
        let is_unnoticed = self.effect.creates == Creates::Isolated && !definitions.notices_isolated(q);
        if !affected && (!universe_changes || is_unnoticed && self.effect.retains.is_none()) {
            return;
        }
        // The action's own variables occur in updates; neither parameters nor bound variables may be mistaken for them.
        let fresh: Vec<Var> = parameters.iter().map(|v| v.fresh(&self.outer)).collect();
        let renaming = parameters.iter().cloned().zip(fresh.iter().cloned()).collect();
        let avoid = self.outer.iter().chain(&fresh).cloned().collect();
        let formula = formula.substitute(&renaming).rename_apart(&avoid);
        let parameters = fresh;
        let stored = Formula::atom(q, parameters.iter().cloned());
        let afresh =
            self.effect.creates == Creates::WithValues || universe_changes && definitions.finds_isolated.contains(&q);
        let (value, rule) = if afresh {
            (self.after_among(&formula, Range::Staying), Rule::Afresh)
        } else {
            let (value, rule) = self.value_of(q, &parameters, &formula, &stored);
            (self.with_newcomers(q, value, &parameters, &formula), rule)
        };
        if value == stored {
            return;
        }
        let (plus, minus) = gains_and_losses(stored.clone(), &value);
        // The definite parts of a short formula say more than the old and the new value, both of which may be unknown.
        let short = |formula: Formula, otherwise: Formula| if is_short(&formula) { formula } else { otherwise };
        let new = self.new_atom(q, &parameters);
        let everywhere = |changes: Formula| [changes.clone(), changes];
        let [gains, losses] = match &value {
            Formula::If(parts) if parts[2] == stored && is_short(&parts[0]) => everywhere(parts[0].clone()),
            _ if universe_changes => everywhere(Formula::TRUE),
            _ => self
                .changed_paths(q, &parameters, &formula)
                .map(everywhere)
                .or_else(|| self.changed_branches(q, &parameters, &formula))
                .filter(|changes| changes.iter().all(is_short))
                .unwrap_or([Formula::TRUE; 2]),
        };
        let plus = short(plus, and([gains, stored.clone().negate(), new.clone()]));
        let minus = short(minus, and([losses, stored, new.negate()]));
        let delta = self.with_removal(q, Delta { parameters: parameters.clone(), plus, minus });
        self.deltas.insert(q, delta);
        self.derived.push(Derived { predicate: q, value: NewValue { parameters, formula: value }, rule });
    }

    /// The new value on individuals that were there before, by the first rule that fits.
    fn value_of(&self, q: PredicateId, parameters: &[Var], formula: &Formula, stored: &Formula) -> (Formula, Rule) {
        if let Some(value) = self.recognised(parameters, formula) {
            return (value, Rule::Recognised);
        }
        if let Some(value) = self.derive_reach(q, parameters, formula) {
            return (value, Rule::Reachability);
        }
        if let Some(value) = self.derive_closure(q, parameters, formula) {
            return (value, Rule::Closure);
        }
        if let Some(value) = self.derive_branch(q, parameters, formula) {
            return (value, Rule::Reachability);
        }
        if self.is_overwritten(formula) {
            return (self.inlined(formula), Rule::Afresh);
        }
        let (plus, minus) = self.delta(formula, Some(stored));
        (new_value(stored.clone(), plus, minus), Rule::Connectives)
    }

    /// Is every change in the formula a variable that gets a value unrelated to its old one? Then the old value does
    /// not help.
    fn is_overwritten(&self, formula: &Formula) -> bool {
        let mut overwritten = self.effect.creates == Creates::Nothing && self.effect.retains.is_none();
        formula.visit_predicates(&mut |p| {
            let forgets = |value: &NewValue| {
                let mut reads_itself = has_unknown(&value.formula) || value.parameters.len() > 1;
                value.formula.visit_predicates(&mut |read| reads_itself |= read == p);
                !reads_itself
            };
            overwritten &= !self.deltas.contains_key(&p) || self.effect.updates.get(&p).is_some_and(forgets);
        });
        overwritten
    }

    /// The definition with explicit updates filled in, if that is a constant or the stored value of some predicate.
    fn recognised(&self, parameters: &[Var], formula: &Formula) -> Option<Formula> {
        // Quantifiers must not range over individuals that go.
        if self.effect.retains.is_some() {
            return None;
        }
        match self.inlined(formula) {
            Formula::Value(value) => Some(Formula::Value(value)),
            inlined => self.stored(&inlined, parameters),
        }
    }

    /// The value, except that a definition which may hold of isolated individuals is evaluated afresh on created ones.
    fn with_newcomers(&self, q: PredicateId, value: Formula, parameters: &[Var], formula: &Formula) -> Formula {
        let definitions = self.effect.vocabulary.definitions();
        if self.effect.creates == Creates::Nothing || !definitions.holds_of_isolated.contains(&q) {
            return value;
        }
        let new = or(parameters.iter().map(|v| Formula::atom(PredicateId::IS_NEW, [v.clone()])));
        Formula::if_then_else(new, self.after_among(formula, Range::Staying), value)
    }

    /// A variable of our own; those of the action, and the given ones, are others.
    fn local(&self, name: &str, avoid: &[&Var]) -> Var {
        let taken = self.outer.iter().chain(avoid.iter().copied()).cloned().collect();
        Var::new(name).fresh(&taken)
    }

    fn new_atom(&self, p: PredicateId, arguments: &[Var]) -> Formula {
        Formula::atom(p.after(), arguments.iter().cloned())
    }

    /// `(Δ⁺φ, Δ⁻φ)`; `stored` is an atom that equals `φ` before the action, if there is one.
    fn delta(&self, formula: &Formula, stored: Option<&Formula>) -> (Formula, Formula) {
        let before = || stored.unwrap_or(formula).clone();
        match formula {
            Formula::Value(_) | Formula::Equal(..) => (Formula::FALSE, Formula::FALSE),
            Formula::Atom(p, arguments) => self.atom_delta(*p, arguments),
            Formula::Not(inner) => {
                let denied = stored.map(|atom| atom.clone().negate());
                let (plus, minus) = self.delta(inner, denied.as_ref());
                (minus, plus)
            }
            Formula::And(parts) => self.and_delta(parts),
            Formula::Or(parts) => {
                let denied: Vec<Formula> = parts.iter().map(|part| part.clone().negate()).collect();
                let (plus, minus) = self.and_delta(&denied);
                (minus, plus)
            }
            Formula::If(parts) => {
                let [c, a, b] = parts.as_ref().clone();
                let cases = [Formula::and([c.clone(), a]), Formula::and([c.negate(), b])];
                self.delta(&Formula::or(cases), stored)
            }
            Formula::Exists(..) => {
                let mut variables = Vec::new();
                let mut body = formula;
                while let Formula::Exists(v, inner) = body {
                    variables.push(v);
                    body = inner;
                }
                let (plus, minus) = self.delta(body, None);
                let some = |f: Formula| variables.iter().rev().fold(f, |f, v| simplify::exists(v, f));
                let plus = and([some(plus), before().negate()]);
                // Without a change that could end it, do not even ask whether another witness stays.
                let minus = match some(minus) {
                    Formula::FALSE => Formula::FALSE,
                    ends => and([before(), ends, self.after(formula).negate()]),
                };
                (plus, minus)
            }
            Formula::Forall(..) => {
                let mut variables = Vec::new();
                let mut body = formula;
                while let Formula::Forall(v, inner) = body {
                    variables.push(v.clone());
                    body = inner;
                }
                let counterexample = Formula::exists(variables, body.clone().negate());
                let denied = before().negate();
                let (plus, minus) = self.delta(&counterexample, Some(&denied));
                (minus, plus)
            }
            Formula::Closure { .. } => {
                let new = self.closure_after(formula, &before());
                if new == before() {
                    return (Formula::FALSE, Formula::FALSE);
                }
                (and([before().negate(), new.clone()]), and([before(), new.negate()]))
            }
        }
    }

    fn atom_delta(&self, p: PredicateId, arguments: &[Var]) -> (Formula, Formula) {
        let Some(delta) = self.deltas.get(&p) else {
            // A predicate without update changes only by the removal of individuals.
            let minus = match self.going(arguments) {
                Some(going) => and([Formula::atom(p, arguments.iter().cloned()), going]),
                None => Formula::FALSE,
            };
            return (Formula::FALSE, minus);
        };
        let renaming = delta.parameters.iter().cloned().zip(arguments.iter().cloned()).collect();
        (delta.plus.substitute(&renaming), delta.minus.substitute(&renaming))
    }

    fn and_delta(&self, parts: &[Formula]) -> (Formula, Formula) {
        let deltas: Vec<(Formula, Formula)> = parts.iter().map(|part| self.delta(part, None)).collect();
        let others = |i: usize, new: bool| {
            let rest = parts.iter().enumerate().filter(move |(j, _)| *j != i);
            rest.map(move |(_, part)| if new { self.after(part) } else { part.clone() }).collect::<Vec<_>>()
        };
        let case = |i: usize, delta: &Formula, new: bool| {
            if *delta == Formula::FALSE { Formula::FALSE } else { and([vec![delta.clone()], others(i, new)].concat()) }
        };
        let plus = or(deltas.iter().enumerate().map(|(i, (plus, _))| case(i, plus, true)));
        let minus = or(deltas.iter().enumerate().map(|(i, (_, minus))| case(i, minus, false)));
        (plus, minus)
    }

    /// The formula about the structure after the action. It does not notice the individuals that go, or they do not
    /// matter.
    fn after(&self, formula: &Formula) -> Formula {
        self.after_among(formula, Range::All)
    }

    /// The formula about the structure after the action, with its quantifiers and closures ranging over these
    /// individuals.
    fn after_among(&self, formula: &Formula, range: Range) -> Formula {
        let inside = |part: &Formula| self.after_among(part, range);
        let goes = |v: &Var| match range {
            Range::All => Formula::FALSE,
            Range::Staying => self.going(std::slice::from_ref(v)).unwrap_or(Formula::FALSE),
        };
        let stays = |v: &Var| goes(v).negate();
        match formula {
            Formula::Value(_) | Formula::Equal(..) => formula.clone(),
            // Where variables stand for individuals that stay, nothing has to be said of those that go; the value of a
            // predicate does not matter where one of its own arguments goes.
            Formula::Atom(p, arguments) if range == Range::Staying => self.atom_changed(*p, arguments),
            Formula::Atom(p, arguments) => self.atom_after(*p, arguments),
            Formula::Not(inner) => inside(inner).negate(),
            Formula::And(parts) => Formula::and(parts.iter().map(inside)),
            Formula::Or(parts) => Formula::or(parts.iter().map(inside)),
            Formula::If(parts) => {
                let [c, a, b] = parts.each_ref().map(inside);
                Formula::if_then_else(c, a, b)
            }
            Formula::Exists(v, body) => Formula::exists([v.clone()], Formula::and([stays(v), inside(body)])),
            Formula::Forall(v, body) => Formula::forall([v.clone()], Formula::or([goes(v), inside(body)])),
            Formula::Closure { start, end, left, right, body } => Formula::Closure {
                start: start.clone(),
                end: end.clone(),
                left: left.clone(),
                right: right.clone(),
                body: Arc::new(Formula::and([stays(left), stays(right), inside(body)])),
            },
        }
    }

    /// The formula about the structure after the action, with explicit updates in place of the predicates. It notices
    /// individuals that go.
    fn inlined(&self, formula: &Formula) -> Formula {
        simplify::replace_atoms(formula, &|p, arguments| match self.effect.updates.get(&p) {
            // The constant 1/2 stands for one of two values, but the same one at each occurrence.
            Some(update) if !has_unknown(&update.formula) => update.at(arguments),
            _ if self.deltas.contains_key(&p) => self.new_atom(p, arguments),
            _ => Formula::atom(p, arguments.iter().cloned()),
        })
    }

    /// The atom after the action, if its arguments stay.
    fn atom_changed(&self, p: PredicateId, arguments: &[Var]) -> Formula {
        let changed = self.deltas.contains_key(&p);
        Formula::atom(if changed { p.after() } else { p }, arguments.iter().cloned())
    }

    fn atom_after(&self, p: PredicateId, arguments: &[Var]) -> Formula {
        let value = self.atom_changed(p, arguments);
        match self.going(arguments) {
            Some(going) => and([value, going.negate()]),
            None => value,
        }
    }
}

/// Which individuals quantifiers range over.
#[derive(Clone, Copy, PartialEq)]
enum Range {
    All,
    Staying,
}

/// `q ? ¬Δ⁻ : Δ⁺`, in the simplest form.
fn new_value(stored: Formula, plus: Formula, minus: Formula) -> Formula {
    match (plus, minus) {
        (Formula::FALSE, Formula::FALSE) => stored,
        (plus, Formula::FALSE) => or([stored.clone(), simplify::without(plus, &stored.negate())]),
        (Formula::FALSE, minus) => and([stored.clone(), simplify::without(minus, &stored).negate()]),
        (plus, minus) => {
            let keeps = simplify::without(minus, &stored).negate();
            let starts = simplify::without(plus, &stored.clone().negate());
            Formula::if_then_else(stored, keeps, starts)
        }
    }
}

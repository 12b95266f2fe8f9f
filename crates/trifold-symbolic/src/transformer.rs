//! Best transformers: the canonical abstractions of the stores after an action, or after a sequence of actions
//! [YorshRS04 §4].
//!
//! The vocabulary gets a second copy of every predicate that an action updates, for its value afterwards, and the
//! update defines the copy in terms of the originals. Then the stores before and after are one structure over both
//! vocabularies, and the refinement of `refine.rs` makes the store after the action as precise as possible. A sequence
//! of actions has a copy for each update. For example, `x = y` has the copy `x@1`, with `A(v) x@1(v) <-> y(v)`.
//!
//! Individuals that are created are there from the beginning, those that are removed to the end; predicates `live` tell
//! which of them exist at which time, and every formula about a store speaks of those that live in it.
//!
//! The semantics is that of the concrete interpreter: a precondition, then an update. Only where an update says 1/2,
//! "either", the store afterwards is demanded to obey the integrity rules. Where it says 0 or 1 they are not needed;
//! and if an update contradicts them, its results are still here.
//!
//! DIVERGENCE([YorshRS04 §4]): the result is about the store afterwards alone. The store before is kept as a
//! constraint, but is not made precise, because that would only multiply the structures.

use crate::characteristic::abstraction_predicates;
use crate::lemmas::lemmas;
use crate::operations::Symbolic;
use crate::planes::bound;
use crate::query::{Answer, Query, Undecided};
use crate::refine::Refinement;
use crate::rules::{closed, integrity_rules};
use crate::session::Session;
use crate::store::Store;
use crate::theory::Theory;
use crate::translate::Translation;
use std::sync::Arc;
use trifold_logic::{Formula, Kleene, Predicate, PredicateId, Var, Vocabulary};
use trifold_structure::{Individual, Layout, Plane, Structure};
use trifold_tvl::{Abstraction, Action, Changes, Coercer, Constraint, Head, New, Origin, constraints};

/// Why there is no best transformer for an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// It copies individuals, of which there may be any number.
    Copies {
        /// The title of the action.
        action: String,
    },
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Unsupported::Copies { action } = self;
        write!(f, "`{action}` creates copies of individuals, for which there is no best transformer")
    }
}

impl std::error::Error for Unsupported {}

/// A structure that a transformer yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transformed {
    /// The bounded structure.
    pub structure: Structure,
    /// A store before the actions and the store after them whose canonical abstraction the structure is, if one is
    /// known.
    pub witness: Option<(Structure, Structure)>,
}

/// The best transformer of a sequence of actions.
#[derive(Debug)]
pub struct BestTransformer {
    /// The vocabulary of the specification, and its abstraction.
    originals: Arc<Layout>,
    abstraction: Abstraction,
    /// The vocabulary with the copies.
    layout: Arc<Layout>,
    theory: Theory,
    coercer: Coercer,
    /// By predicate: the copy that is its value after the last action.
    last: Vec<PredicateId>,
    tracked: Vec<PredicateId>,
    names: Vec<PredicateId>,
    /// Which individuals exist before and after, where they change.
    live: Option<(PredicateId, PredicateId)>,
    /// For each individual that is created, the predicate that holds of it.
    created: Vec<PredicateId>,
    /// Of the first action.
    parameters: Parameters,
}

impl BestTransformer {
    /// The transformer of actions that are carried out one after the other. Derived updates must have been added to
    /// them.
    pub fn new(symbolic: &Symbolic, actions: &[&Action]) -> Result<BestTransformer, Unsupported> {
        let mut builder = Builder::new(symbolic, actions);
        for (number, action) in actions.iter().enumerate() {
            builder.step(number + 1, action)?;
        }
        let Builder { vocabulary, mut formulas, constraints, current, live, live_first, created, parameters, .. } =
            builder;
        formulas.extend(lemmas(&formulas, &vocabulary));
        let declared = symbolic.specification.vocabulary.ids().skip(Vocabulary::BUILT_IN);
        let names = abstraction_predicates(&symbolic.specification.vocabulary);
        let arities: Vec<usize> = vocabulary.iter().map(|(_, p)| p.arity).collect();
        Ok(BestTransformer {
            originals: symbolic.layout.clone(),
            abstraction: symbolic.abstraction.clone(),
            layout: Arc::new(Layout::new(&vocabulary)),
            theory: Theory::new(&formulas, &vocabulary),
            coercer: Coercer::new(constraints, &arities),
            tracked: declared.map(|p| current[p.index()]).collect(),
            names: names.iter().map(|p| current[p.index()]).chain(live).collect(),
            last: current,
            live: live_first.zip(live),
            created,
            parameters,
        })
    }

    /// The canonical abstractions of the stores to which the actions lead from those that the structures represent.
    pub fn apply(&self, structures: &[Structure], session: &mut Session) -> Vec<Transformed> {
        let refinement =
            Refinement { theory: &self.theory, coercer: &self.coercer, names: &self.names, tracked: &self.tracked };
        let refined = refinement.refine(structures.iter().map(|structure| self.extend(structure)), session);
        let finished = refined.into_iter().map(|(structure, store)| Transformed {
            structure: self.abstraction.blur(&self.after(&structure)),
            witness: store.map(|Store { structure, .. }| (self.before(&structure), self.after(&structure))),
        });
        let mut results: Vec<Transformed> = finished.collect();
        results.sort_by_cached_key(|r| (r.structure.size(), r.structure.words().to_vec(), r.witness.is_none()));
        results.dedup_by(|a, b| a.structure == b.structure);
        results
    }

    /// The structure over all vocabularies, with the individuals that will be created; all copies are 1/2.
    fn extend(&self, structure: &Structure) -> Structure {
        let size = structure.size();
        let mut extended = Structure::new(&self.layout, size + self.created.len());
        let originals = structure.layout().predicates() as u32;
        for p in (0..self.layout.predicates() as u32).map(PredicateId).filter(|p| *p != PredicateId::AC) {
            let known = p.0 < originals;
            for_all_tuples(self.layout.arity(p), extended.size(), |tuple| {
                let old = tuple.iter().all(|u| *u < size);
                let value = match known {
                    true if old => structure.get(p, tuple),
                    true => Kleene::False,
                    false => Kleene::Unknown,
                };
                extended.set(p, tuple, value);
            });
        }
        for u in 0..extended.size() {
            let active = if u < size { structure.unary(PredicateId::AC, u) } else { Kleene::True };
            extended.set(PredicateId::AC, &[u], active);
            for (i, p) in self.created.iter().enumerate() {
                extended.set(*p, &[u], Kleene::from(u == size + i));
            }
            if let Some((live, _)) = self.live {
                extended.set(live, &[u], Kleene::from(u < size));
            }
        }
        extended
    }

    /// The theory, and that a formula about the store before the first action possibly holds, or that it possibly does
    /// not. Variables that are free in it are those of the precondition; others stand for individuals that exist.
    pub fn and_before(&self, formula: &Formula, positive: bool) -> Theory {
        let originals: Vec<PredicateId> = self.predicates().collect();
        self.and(formula, positive, self.live.map(|(first, _)| first), &originals, &self.parameters)
    }

    /// The same for the store after the last action, where all free variables stand for individuals that exist.
    pub fn and_after(&self, formula: &Formula, positive: bool) -> Theory {
        self.and(formula, positive, self.live.map(|(_, last)| last), &self.last, &Parameters(Vec::new()))
    }

    fn and(
        &self,
        formula: &Formula,
        positive: bool,
        live: Option<PredicateId>,
        copies: &[PredicateId],
        parameters: &Parameters,
    ) -> Theory {
        let atom = |p: PredicateId, arguments: &[Var]| match p {
            PredicateId::IS_NEW | PredicateId::INSTANCE => Formula::FALSE,
            p => Formula::atom(copies[p.index()], arguments.to_vec()),
        };
        let translated = Translation { atom: &atom, guard: &|v| holds(live, v) }.apply(formula);
        let bound = parameters.bind(translated);
        let free = bound.free_vars();
        let living: Vec<Formula> = free.iter().map(|v| holds(live, v)).chain([bound]).collect();
        let closed = Formula::exists(free, Formula::and(living));
        let mut theory = self.theory.clone();
        theory.extend(&[if positive { closed } else { closed.negate() }]);
        theory
    }

    /// Are there stores that the structure represents, that the actions can be applied to, and that satisfy a theory
    /// made by [`BestTransformer::and_before`] or [`BestTransformer::and_after`]? If so, one of them, before and after.
    pub fn ask(
        &self,
        theory: &Theory,
        structure: &Structure,
        session: &mut Session,
    ) -> Result<Option<(Structure, Structure)>, Undecided> {
        let mut extended = self.extend(structure);
        if self.coercer.coerce(&mut extended, &Changes::Anything, &mut session.scratch).is_err() {
            return Ok(None);
        }
        match session.ask(&Query { theory, structure: &extended, requirements: &[] }) {
            Answer::Unsatisfiable => Ok(None),
            Answer::Satisfiable(Some(store)) => Ok(Some((self.before(&store.structure), self.after(&store.structure)))),
            Answer::Satisfiable(None) => Ok(Some((structure.clone(), structure.clone()))),
            Answer::Undecided(reason) => Err(reason),
        }
    }

    /// The predicates of the specification.
    fn predicates(&self) -> impl Iterator<Item = PredicateId> {
        (0..self.originals.predicates() as u32).map(PredicateId)
    }

    fn before(&self, structure: &Structure) -> Structure {
        let originals: Vec<PredicateId> = self.predicates().collect();
        self.at(structure, self.live.map(|(first, _)| first), &originals)
    }

    fn after(&self, structure: &Structure) -> Structure {
        self.at(structure, self.live.map(|(_, last)| last), &self.last)
    }

    /// The structure at one time: the individuals that live then, and these copies of the predicates.
    fn at(&self, structure: &Structure, live: Option<PredicateId>, copies: &[PredicateId]) -> Structure {
        let lives = |u: &Individual| live.map_or(Kleene::True, |live| structure.unary(live, *u));
        let living: Vec<Individual> = structure.universe().filter(|u| lives(u).may()).collect();
        let mut result = Structure::new(&self.originals, living.len());
        for (p, copy) in copies.iter().enumerate().map(|(i, copy)| (PredicateId(i as u32), *copy)) {
            for_all_tuples(self.layout.arity(copy), living.len(), |tuple| {
                let value = match *tuple {
                    [] => structure.nullary(copy),
                    [u] => structure.unary(copy, living[u]),
                    [u, w] => structure.binary(copy, living[u], living[w]),
                    _ => unreachable!("predicates have at most two arguments"),
                };
                result.set(p, tuple, value);
            });
        }
        for (i, u) in living.iter().enumerate().filter(|(_, u)| lives(u) == Kleene::Unknown) {
            result.set(PredicateId::AC, &[i], structure.unary(PredicateId::AC, *u).and(Kleene::Unknown));
        }
        result
    }
}

fn for_all_tuples(arity: usize, size: usize, mut visit: impl FnMut(&[Individual])) {
    match arity {
        0 => visit(&[]),
        1 => (0..size).for_each(|u| visit(&[u])),
        _ => (0..size).for_each(|u| (0..size).for_each(|w| visit(&[u, w]))),
    }
}

/// Collects the formulas of the actions.
struct Builder<'a> {
    symbolic: &'a Symbolic,
    vocabulary: Vocabulary,
    formulas: Vec<Formula>,
    constraints: Vec<Constraint>,
    /// By predicate: the copy that is its value now.
    current: Vec<PredicateId>,
    /// Which individuals exist now, and which did in the beginning, where they change.
    live: Option<PredicateId>,
    live_first: Option<PredicateId>,
    created: Vec<PredicateId>,
    /// Of the first action.
    parameters: Parameters,
}

/// `p(v)`, or 1 without a predicate.
fn holds(p: Option<PredicateId>, v: &Var) -> Formula {
    p.map_or(Formula::TRUE, |p| Formula::atom(p, [v.clone()]))
}

impl<'a> Builder<'a> {
    fn new(symbolic: &'a Symbolic, actions: &[&Action]) -> Builder<'a> {
        let vocabulary = symbolic.specification.vocabulary.clone();
        let mut builder = Builder {
            symbolic,
            current: vocabulary.ids().collect(),
            vocabulary,
            formulas: Vec::new(),
            constraints: Vec::new(),
            live: None,
            live_first: None,
            created: Vec::new(),
            parameters: Parameters(Vec::new()),
        };
        if actions.iter().any(|action| action.new.is_some() || action.retain.is_some()) {
            builder.live = Some(builder.declare("live", 0, 1));
            builder.live_first = builder.live;
        }
        builder.assert_rules();
        for rule in constraints(&symbolic.specification, true) {
            let mut rule = rule.clone();
            rule.body = builder.among_living(&rule.body);
            let variables = match &rule.head {
                Head::False => Vec::new(),
                Head::Predicate { arguments, .. } => arguments.clone(),
                Head::Equal { left, right, .. } => vec![left.clone(), right.clone()],
            };
            let free = rule.body.free_vars().into_iter().chain(variables);
            let living: Vec<Formula> = free.map(|v| holds(builder.live, &v)).collect();
            rule.body = Formula::and(living.into_iter().chain([rule.body]));
            builder.constraints.push(rule);
        }
        builder
    }

    /// The integrity rules of the store as it is now.
    fn assert_rules(&mut self) {
        for rule in integrity_rules(&self.symbolic.specification) {
            let rule = self.among_living(&rule);
            self.formulas.push(rule);
        }
    }

    fn among_living(&self, formula: &Formula) -> Formula {
        let atom =
            |p: PredicateId, arguments: &[Var]| Formula::atom(self.current[p.index()], arguments.iter().cloned());
        Translation { atom: &atom, guard: &|v| holds(self.live, v) }.apply(formula)
    }

    fn declare(&mut self, name: &str, step: usize, arity: usize) -> PredicateId {
        let name = format!("{name}@{step}");
        self.vocabulary.declare(Predicate::core(&name, arity)).expect("no declared name has an @")
    }

    /// Adds the formulas of an action.
    fn step(&mut self, number: usize, action: &Action) -> Result<(), Unsupported> {
        let created = match &action.new {
            None => None,
            Some(New::Single) => Some(self.declare("new", number, 1)),
            Some(New::Copies { .. } | New::Clones { .. }) => {
                return Err(Unsupported::Copies { action: action.title.clone() });
            }
        };
        let old = self.live;
        let scope = move |v: &Var| match created {
            None => holds(old, v),
            Some(created) => Formula::or([holds(old, v), Formula::atom(created, [v.clone()])]),
        };
        let before = self.current.clone();
        let mut after = before.clone();
        for update in &action.updates {
            let Predicate { name, arity, .. } = self.vocabulary[update.predicate].clone();
            after[update.predicate.index()] = self.declare(&name, number, arity);
        }
        let atom = |p: PredicateId, arguments: &[Var]| match p {
            PredicateId::IS_NEW => created.map_or(Formula::FALSE, |created| Formula::atom(created, arguments.to_vec())),
            PredicateId::INSTANCE => Formula::FALSE,
            p if p.is_after() => Formula::atom(after[p.index()], arguments.to_vec()),
            p => Formula::atom(before[p.index()], arguments.to_vec()),
        };
        let parameters = self.precondition(number, action, &atom);
        if number == 1 {
            self.parameters = parameters.clone();
        }
        let translation = Translation { atom: &atom, guard: &scope };
        let within = |formula: &Formula| parameters.bind(translation.apply(formula));
        for update in &action.updates {
            let value = Formula::atom(after[update.predicate.index()], update.parameters.iter().cloned());
            let living = Formula::and(update.parameters.iter().map(&scope));
            self.define(living, value, &within(&update.formula));
        }
        if let Some(created) = created {
            self.created.push(created);
            self.isolate(created, &before);
        }
        if self.live.is_some() {
            let live = self.declare("live", number, 1);
            let (variable, stays) = match &action.retain {
                Some(retain) => (retain.variable.clone(), within(&retain.formula)),
                None => (Var::new("v"), Formula::TRUE),
            };
            let is_live = Formula::atom(live, [variable.clone()]);
            self.formulas.push(closed(is_live.clone().implies(scope(&variable))));
            self.define(scope(&variable), is_live, &stays);
            self.live = Some(live);
        }
        self.current = after;
        let either = |formula: &Formula| formula.any(&|part| matches!(part, Formula::Value(Kleene::Unknown)));
        let retained = action.retain.iter().map(|retain| &retain.formula);
        if action.updates.iter().map(|update| &update.formula).chain(retained).any(either) {
            self.assert_rules();
        }
        Ok(())
    }

    /// Asserts the precondition. Its free variables become predicates that hold of one individual each.
    fn precondition(
        &mut self,
        number: usize,
        action: &Action,
        atom: &dyn Fn(PredicateId, &[Var]) -> Formula,
    ) -> Parameters {
        let Some(precondition) = &action.precondition else { return Parameters(Vec::new()) };
        let live = self.live;
        let translated = Translation { atom, guard: &|v| holds(live, v) }.apply(precondition);
        let mut parameters = Vec::new();
        for v in precondition.free_vars() {
            let p = self.declare(&format!("{v}"), number, 1);
            let w = Var::new("w").fresh(&[v.clone()].into());
            let is = |v: &Var| Formula::atom(p, [v.clone()]);
            self.formulas.push(Formula::exists([v.clone()], Formula::and([is(&v), holds(live, &v)])));
            let same = Formula::equal(v.clone(), w.clone());
            self.formulas.push(closed(Formula::and([is(&v), is(&w)]).implies(same)));
            parameters.push((v, p));
        }
        let parameters = Parameters(parameters);
        self.formulas.push(bound(&parameters.bind(translated), Plane::May));
        parameters
    }

    /// `value` lies between the two bounds of the formula, as far as `scope` holds.
    fn define(&mut self, scope: Formula, value: Formula, formula: &Formula) {
        let (may, must) = (bound(formula, Plane::May), bound(formula, Plane::Must));
        let never = bound(&formula.clone().negate(), Plane::Must);
        self.formulas.push(closed(Formula::and([scope.clone(), value.clone()]).implies(may)));
        self.formulas.push(closed(Formula::and([scope.clone(), must.clone()]).implies(value.clone())));
        let Formula::Atom(predicate, arguments) = value else { unreachable!("values are atoms") };
        for (body, positive) in [(must, true), (never, false)] {
            let head = Head::Predicate { predicate, arguments: arguments.clone(), positive };
            let body = Formula::and([scope.clone(), body]);
            self.constraints.push(Constraint { body, head, origin: Origin::default() });
        }
        self.constraints.extend(backwards(&scope, &Formula::atom(predicate, arguments), formula));
    }

    /// Nothing holds of a new individual before the update.
    fn isolate(&mut self, created: PredicateId, before: &[PredicateId]) {
        let [v, w] = ["v", "w"].map(Var::new);
        for p in self.symbolic.specification.vocabulary.ids().skip(Vocabulary::BUILT_IN) {
            let copy = before[p.index()];
            let atom = |arguments: &[&Var]| Formula::atom(copy, arguments.iter().map(|v| (*v).clone()));
            let new = Formula::atom(created, [v.clone()]);
            match self.vocabulary[copy].arity {
                0 => {}
                1 => self.formulas.push(closed(new.implies(atom(&[&v]).negate()))),
                _ => {
                    let nothing = Formula::and([atom(&[&v, &w]).negate(), atom(&[&w, &v]).negate()]);
                    self.formulas.push(closed(new.implies(nothing)));
                }
            }
        }
    }
}

/// The consequences of a value after an action for values before: if it is the conjunction of some parts, each of them
/// holds where it does; and where it does not and all parts but one do, that one does not hold. For a disjunction, the
/// other way round.
fn backwards(scope: &Formula, value: &Formula, formula: &Formula) -> Vec<Constraint> {
    let (parts, conjunction) = match formula {
        Formula::Or(parts) => (&parts[..], false),
        Formula::And(parts) => (&parts[..], true),
        other => (std::slice::from_ref(other), true),
    };
    let signed = |formula: &Formula, positive: bool| if positive { formula.clone() } else { formula.clone().negate() };
    let mut constraints = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let (atom, positive) = match part {
            Formula::Not(inner) => (inner.as_ref(), false),
            other => (other, true),
        };
        let Formula::Atom(predicate, arguments) = atom else { continue };
        if predicate.index() < Vocabulary::BUILT_IN {
            continue;
        }
        let mut push = |body: Vec<Formula>, holds: bool| {
            let (predicate, arguments) = (*predicate, arguments.clone());
            let head = Head::Predicate { predicate, arguments, positive: holds == positive };
            let body = Formula::and([scope.clone()].into_iter().chain(body));
            constraints.push(Constraint { body, head, origin: Origin::default() });
        };
        push(vec![signed(value, conjunction)], conjunction);
        let others = parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| signed(other, conjunction));
        push(others.chain([signed(value, !conjunction)]).collect(), !conjunction);
    }
    constraints
}

/// The free variables of a precondition and the predicates that stand for them.
#[derive(Clone, Debug)]
struct Parameters(Vec<(Var, PredicateId)>);

impl Parameters {
    /// The formula about the individuals that the variables stand for.
    fn bind(&self, formula: Formula) -> Formula {
        let free = formula.free_vars();
        let used: Vec<&(Var, PredicateId)> = self.0.iter().filter(|(v, _)| free.contains(v)).collect();
        let are = used.iter().map(|(v, p)| Formula::atom(*p, [v.clone()]));
        let body = Formula::and(are.chain([formula]).collect::<Vec<_>>());
        Formula::exists(used.iter().map(|(v, _)| v.clone()).collect::<Vec<_>>(), body)
    }
}

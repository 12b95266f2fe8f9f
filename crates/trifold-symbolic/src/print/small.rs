//! Queries about small stores, in propositional logic.
//!
//! Among stores of at most so many individuals every formula is propositional: quantifiers run over the individuals,
//! and a path is no longer than there are individuals, so that closures are found by squaring. A model is a store, and
//! is read back. This complements the first-order formulas, whose models need not be finite.

use crate::planes::bound;
use crate::query::Query;
use crate::store::Store;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use trifold_logic::{Formula, Kleene, PredicateId, Var, Vocabulary};
use trifold_structure::{Individual, Plane, Structure};

/// A query for the stores of at most so many individuals.
pub(crate) struct SmallQuery {
    /// It ends with `(check-sat)`.
    pub script: String,
    /// What the propositional variables say, in the order of their names.
    atoms: Vec<(PredicateId, Vec<Individual>)>,
    size: usize,
}

impl SmallQuery {
    /// The query, for stores of at most `size` individuals.
    pub fn new(query: &Query, size: usize) -> SmallQuery {
        let (vocabulary, formulas) = query.formulas();
        let declared = vocabulary.iter().skip(Vocabulary::BUILT_IN).map(|(id, p)| (id, p.arity));
        let mut atoms = Vec::new();
        for (p, arity) in std::iter::once((PredicateId::AC, 1)).chain(declared) {
            let tuples = (0..arity).fold(vec![vec![]], |tuples: Vec<Vec<usize>>, _| {
                tuples.iter().flat_map(|tuple| (0..size).map(move |u| [&tuple[..], &[u]].concat())).collect()
            });
            atoms.extend(tuples.into_iter().map(|tuple| (p, tuple)));
        }
        let numbers = atoms.iter().cloned().zip(0..).collect();
        let mut grounder =
            Grounder { size, numbers, paths: FxHashMap::default(), script: "(set-logic QF_UF)\n".into() };
        for number in 0..atoms.len() {
            let _ = writeln!(grounder.script, "(declare-const {} Bool)", name(number));
        }
        for formula in &formulas {
            let ground = grounder.ground(&bound(formula, Plane::May), &mut FxHashMap::default());
            let _ = writeln!(grounder.script, "(assert {})", ground.text());
        }
        grounder.script.push_str("(check-sat)\n");
        SmallQuery { script: grounder.script, atoms, size }
    }

    /// The propositional variables.
    pub fn names(&self) -> impl Iterator<Item = String> {
        (0..self.atoms.len()).map(name)
    }

    /// The store of a model: one value for each name.
    pub fn store(&self, values: &[bool], structure: &Structure) -> Store {
        let holds = self.atoms.iter().zip(values).filter(|(_, holds)| **holds).map(|(atom, _)| atom);
        let exists = |u: &Individual| holds.clone().any(|(p, tuple)| (*p, &tuple[..]) == (PredicateId::AC, &[*u]));
        let living: Vec<Individual> = (0..self.size).filter(exists).collect();
        let (layout, mut images) = (structure.layout(), vec![0; living.len()]);
        let mut store = Structure::new(layout, living.len());
        for (p, tuple) in holds.clone().filter(|(p, _)| *p != PredicateId::AC) {
            let place = |u: &Individual| living.iter().position(|w| w == u);
            let Some(tuple) = tuple.iter().map(place).collect::<Option<Vec<_>>>() else { continue };
            match p.index().checked_sub(layout.predicates()) {
                None => store.set(*p, &tuple, Kleene::True),
                // Behind the predicates come those that stand for the individuals of the structure.
                Some(image) => images[tuple[0]] = image,
            }
        }
        Store { structure: store, images }
    }
}

fn name(number: usize) -> String {
    format!("a{number}")
}

/// A propositional formula.
#[derive(Clone, PartialEq)]
enum Ground {
    Value(bool),
    Text(String),
}

impl Ground {
    fn text(self) -> String {
        match self {
            Ground::Value(value) => value.to_string(),
            Ground::Text(text) => text,
        }
    }

    fn not(self) -> Ground {
        match self {
            Ground::Value(value) => Ground::Value(!value),
            Ground::Text(text) => Ground::Text(format!("(not {text})")),
        }
    }

    /// A conjunction (`neutral` is true) or a disjunction of parts, which are made as long as they matter.
    fn join(neutral: bool, parts: impl IntoIterator<Item = Ground>) -> Ground {
        let mut texts = Vec::new();
        for part in parts {
            match part {
                Ground::Value(value) if value == neutral => {}
                Ground::Value(_) => return part,
                Ground::Text(text) => texts.push(text),
            }
        }
        match &mut texts[..] {
            [] => Ground::Value(neutral),
            [only] => Ground::Text(std::mem::take(only)),
            _ => Ground::Text(format!("({} {})", if neutral { "and" } else { "or" }, texts.join(" "))),
        }
    }
}

/// The variables of a closure's body that are not its own, with their values; its own variables; the body.
type Path = (Vec<Individual>, Var, Var, Formula);

struct Grounder {
    size: usize,
    numbers: FxHashMap<(PredicateId, Vec<Individual>), usize>,
    /// For each closure, its values by start and end.
    paths: FxHashMap<Path, Vec<Ground>>,
    script: String,
}

impl Grounder {
    fn atom(&self, p: PredicateId, tuple: Vec<Individual>) -> Ground {
        Ground::Text(name(self.numbers[&(p, tuple)]))
    }

    fn exists(&self, u: Individual) -> Ground {
        self.atom(PredicateId::AC, vec![u])
    }

    fn ground(&mut self, formula: &Formula, at: &mut FxHashMap<Var, Individual>) -> Ground {
        match formula {
            Formula::Value(value) => Ground::Value(*value == Kleene::True),
            Formula::Atom(PredicateId::AC, _) => Ground::Value(true),
            Formula::Atom(p, _) if p.index() < Vocabulary::BUILT_IN => Ground::Value(false),
            Formula::Atom(p, arguments) => self.atom(*p, arguments.iter().map(|v| at[v]).collect()),
            Formula::Equal(v, w) => Ground::Value(at[v] == at[w]),
            Formula::Not(inner) => self.ground(inner, at).not(),
            Formula::And(parts) => Ground::join(true, parts.iter().map(|part| self.ground(part, at))),
            Formula::Or(parts) => Ground::join(false, parts.iter().map(|part| self.ground(part, at))),
            Formula::Exists(v, body) | Formula::Forall(v, body) => {
                let all = matches!(formula, Formula::Forall(..));
                let outer = at.get(v).copied();
                let mut cases = Vec::new();
                for u in 0..self.size {
                    at.insert(v.clone(), u);
                    let exists = self.exists(u);
                    let guard = if all { exists.not() } else { exists };
                    let body = self.ground(body, at);
                    cases.push(Ground::join(!all, [body, guard]));
                }
                match outer {
                    Some(u) => at.insert(v.clone(), u),
                    None => at.remove(v),
                };
                Ground::join(all, cases)
            }
            Formula::Closure { start, end, left, right, body } => {
                let mut parameters = body.free_vars();
                parameters.retain(|v| v != left && v != right);
                let values = parameters.iter().map(|v| at[v]).collect();
                let path = (values, left.clone(), right.clone(), body.as_ref().clone());
                if !self.paths.contains_key(&path) {
                    let closure = self.closure(&path, &parameters);
                    self.paths.insert(path.clone(), closure);
                }
                self.paths[&path][at[start] * self.size + at[end]].clone()
            }
            Formula::If(_) => unreachable!("bounds have no conditionals"),
        }
    }

    /// Defines the values of a closure, by squaring the relation of its steps.
    fn closure(&mut self, (values, left, right, body): &Path, parameters: &[Var]) -> Vec<Ground> {
        let size = self.size;
        let mut at: FxHashMap<Var, Individual> = parameters.iter().cloned().zip(values.iter().copied()).collect();
        let mut paths = Vec::new();
        for (u, w) in pairs(size) {
            at.insert(left.clone(), u);
            at.insert(right.clone(), w);
            let step = self.ground(body, &mut at);
            paths.push(Ground::join(true, [step, self.exists(u), self.exists(w)]));
        }
        let number = self.paths.len();
        let mut length = 1;
        for round in 0.. {
            for ((u, w), value) in pairs(size).zip(&mut paths) {
                if let Ground::Text(text) = value {
                    let name = format!("p{number}_{round}_{u}_{w}");
                    let _ = writeln!(self.script, "(define-fun {name} () Bool {text})");
                    *text = name;
                }
            }
            if length >= size {
                break;
            }
            let through = |u: usize, w: usize, c: usize| {
                Ground::join(true, [paths[u * size + c].clone(), paths[c * size + w].clone()])
            };
            let longer = |(u, w): (usize, usize)| {
                Ground::join(false, (0..size).map(|c| through(u, w, c)).chain([paths[u * size + w].clone()]))
            };
            paths = pairs(size).map(longer).collect();
            length *= 2;
        }
        paths
    }
}

fn pairs(size: usize) -> impl Iterator<Item = (Individual, Individual)> {
    (0..size).flat_map(move |u| (0..size).map(move |w| (u, w)))
}

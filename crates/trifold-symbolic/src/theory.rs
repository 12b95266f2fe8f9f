//! Formulas prepared for grounding: variables are positions, quantifiers are blocks, closures are numbered relations.
//!
//! A universal block holds the disjuncts of its body and an existential block the conjuncts, each filed under the
//! variable that is bound last among its own. Grounding binds variables one after the other and stops as soon as a
//! disjunct is true or a conjunct false, long before all tuples have been formed. For example,
//! `A(v, w) !x(v) | !n(v,w) | y(w)` files `!x(v)` under `v`: where `x` is false on a slot, no `w` is looked at.

use crate::planes::bound;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use trifold_logic::{Formula, Kleene, PredicateId, Var, Vocabulary};
use trifold_structure::Plane;

/// A variable: its position in an environment.
pub(crate) type Position = usize;

/// A formula in negation normal form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    Value(bool),
    Atom {
        predicate: PredicateId,
        arguments: Vec<Position>,
        positive: bool,
    },
    Equal {
        left: Position,
        right: Position,
        positive: bool,
    },
    /// A path of the relation's steps leads from `start` to `end`.
    Reaches {
        relation: usize,
        parameters: Vec<Position>,
        start: Position,
        end: Position,
        positive: bool,
    },
    And(Vec<Node>),
    Or(Vec<Node>),
    /// A universal block over disjuncts.
    Forall(Block),
    /// An existential block over conjuncts; the number tells it from all others.
    Exists(usize, Block),
}

/// Quantified variables, and parts of the body by how many of them they need.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block {
    /// The position of the first variable; the others follow.
    pub first: Position,
    pub count: usize,
    /// Parts that can be looked at when the first `i` variables are bound, `i` up to `count`.
    pub parts: Vec<Vec<Node>>,
}

/// A closure: positions 0, 1, … are its parameters, then come the source and the target of a step.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Relation {
    pub parameters: usize,
    pub step: Node,
    /// The negation of `step`, itself in negation normal form.
    pub no_step: Node,
    /// Does each individual have at most one step out of it, and into it?
    pub functional: bool,
    pub inverse_functional: bool,
}

/// Closed formulas that are to hold together, prepared for grounding.
#[derive(Clone, Debug)]
pub struct Theory {
    pub(crate) axioms: Vec<Node>,
    /// The axioms as they were given.
    formulas: Vec<Formula>,
    vocabulary: Arc<Vocabulary>,
    /// For each existential block, the axiom it is in.
    pub(crate) block_axiom: Vec<usize>,
    pub(crate) relations: Vec<Relation>,
    /// The most variables that are in scope at once.
    pub(crate) depth: usize,
}

impl Theory {
    /// Prepares closed formulas. A 1/2 in them is read as "possibly".
    pub fn new<'f>(formulas: impl IntoIterator<Item = &'f Formula>, vocabulary: &Vocabulary) -> Theory {
        let mut theory = Theory {
            axioms: Vec::new(),
            formulas: Vec::new(),
            vocabulary: Arc::new(vocabulary.clone()),
            block_axiom: Vec::new(),
            relations: Vec::new(),
            depth: 0,
        };
        theory.extend(formulas);
        theory
    }

    /// Adds closed formulas.
    pub fn extend<'f>(&mut self, formulas: impl IntoIterator<Item = &'f Formula>) {
        let vocabulary = self.vocabulary.clone();
        for formula in formulas {
            assert!(formula.free_vars().is_empty(), "axioms are closed");
            let mut compiler =
                Compiler { theory: self, vocabulary: &vocabulary, scope: FxHashMap::default(), depth: 0 };
            let node = compiler.compile(&bound(formula, Plane::May));
            self.axioms.push(node);
            self.formulas.push(formula.clone());
        }
    }

    /// The predicates.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The axioms for which the built-in solver is no decision procedure, with the reason. About them it may leave
    /// queries undecided.
    pub fn outside(&self) -> Vec<(&Formula, Outside)> {
        let classified =
            self.formulas.iter().zip(&self.axioms).map(|(formula, axiom)| (formula, outside(axiom, false)));
        classified.filter_map(|(formula, outside)| Some((formula, outside?))).collect()
    }

    /// The axioms as they were given.
    pub fn formulas(&self) -> &[Formula] {
        &self.formulas
    }

    /// The axiom that an existential block belongs to.
    pub(crate) fn formula_of(&self, block: usize) -> Option<&Formula> {
        self.formulas.get(*self.block_axiom.get(block)?)
    }
}

/// Why a formula is not of the form `E(v…) A(w…) φ` without closures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outside {
    /// For all individuals of some kind there must be others.
    Alternation,
    /// It speaks of paths.
    Closure,
}

impl std::fmt::Display for Outside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Outside::Alternation => "for every individual it may ask for another one",
            Outside::Closure => "it speaks of paths",
        })
    }
}

fn outside(node: &Node, below_forall: bool) -> Option<Outside> {
    match node {
        Node::Value(_) | Node::Atom { .. } | Node::Equal { .. } => None,
        Node::Reaches { .. } => Some(Outside::Closure),
        Node::And(parts) | Node::Or(parts) => parts.iter().find_map(|part| outside(part, below_forall)),
        Node::Forall(block) => block.parts.iter().flatten().find_map(|part| outside(part, true)),
        Node::Exists(..) if below_forall => Some(Outside::Alternation),
        Node::Exists(_, block) => block.parts.iter().flatten().find_map(|part| outside(part, false)),
    }
}

struct Compiler<'a> {
    theory: &'a mut Theory,
    vocabulary: &'a Vocabulary,
    scope: FxHashMap<Var, Position>,
    depth: usize,
}

impl Compiler<'_> {
    fn compile(&mut self, formula: &Formula) -> Node {
        match formula {
            Formula::Value(value) => Node::Value(*value == Kleene::True),
            Formula::Not(inner) => self.literal(inner, false),
            Formula::Atom(..) | Formula::Equal(..) | Formula::Closure { .. } => self.literal(formula, true),
            Formula::And(parts) => Node::And(parts.iter().map(|part| self.compile(part)).collect()),
            Formula::Or(parts) => Node::Or(parts.iter().map(|part| self.compile(part)).collect()),
            Formula::Forall(..) => Node::Forall(self.block(formula, universal)),
            Formula::Exists(..) => {
                let number = self.theory.block_axiom.len();
                self.theory.block_axiom.push(self.theory.axioms.len());
                Node::Exists(number, self.block(formula, existential))
            }
            Formula::If(_) => unreachable!("bounds have no conditionals"),
        }
    }

    fn literal(&mut self, formula: &Formula, positive: bool) -> Node {
        match formula {
            Formula::Atom(predicate, arguments) => {
                let arguments = arguments.iter().map(|v| self.scope[v]).collect();
                Node::Atom { predicate: *predicate, arguments, positive }
            }
            Formula::Equal(v, w) => Node::Equal { left: self.scope[v], right: self.scope[w], positive },
            Formula::Closure { start, end, left, right, body } => {
                let mut parameters = body.free_vars();
                parameters.retain(|v| v != left && v != right);
                let relation = self.relation(&parameters, left, right, body);
                let parameters = parameters.iter().map(|v| self.scope[v]).collect();
                Node::Reaches { relation, parameters, start: self.scope[start], end: self.scope[end], positive }
            }
            _ => unreachable!("only atoms, equalities and closures are negated"),
        }
    }

    /// The body of nested quantifiers of one kind; `open` tells which subformulas belong to the block.
    fn block(&mut self, formula: &Formula, open: fn(&Formula) -> Opened) -> Block {
        let (outer, first) = (self.scope.clone(), self.depth);
        let mut parts = Vec::new();
        let mut pending = vec![(formula.clone(), outer.clone())];
        while let Some((formula, scope)) = pending.pop() {
            self.scope = scope;
            match open(&formula) {
                Opened::Quantifier(v, body) => {
                    self.scope.insert(v, self.depth);
                    self.depth += 1;
                    pending.push((body, self.scope.clone()));
                }
                Opened::Parts(inner) => pending.extend(inner.into_iter().rev().map(|part| (part, self.scope.clone()))),
                Opened::Closed => parts.push((formula, self.scope.clone())),
            }
        }
        self.theory.depth = self.theory.depth.max(self.depth);
        let count = self.depth - first;
        let mut block = Block { first, count, parts: vec![Vec::new(); count + 1] };
        for (part, scope) in parts {
            let needed = part.free_vars().iter().map(|v| (scope[v] + 1).saturating_sub(first)).max().unwrap_or(0);
            self.scope = scope;
            block.parts[needed].push(self.compile(&part));
        }
        // Literals decide more cheaply than formulas that have to be grounded first.
        let is_literal = |node: &Node| matches!(node, Node::Value(_) | Node::Atom { .. } | Node::Equal { .. });
        block.parts.iter_mut().for_each(|parts| parts.sort_by_key(|part| !is_literal(part)));
        (self.scope, self.depth) = (outer, first);
        block
    }

    fn relation(&mut self, parameters: &[Var], left: &Var, right: &Var, body: &Formula) -> usize {
        let outer = std::mem::take(&mut self.scope);
        let depth = std::mem::replace(&mut self.depth, parameters.len() + 2);
        self.scope = parameters.iter().chain([left, right]).cloned().zip(0..).collect();
        self.theory.depth = self.theory.depth.max(self.depth);
        let step = self.compile(body);
        let no_step = self.compile(&bound(&body.clone().negate(), Plane::May));
        (self.scope, self.depth) = (outer, depth);
        let (source, target) = (parameters.len(), parameters.len() + 1);
        let relation = Relation {
            functional: self.is_functional(&step, [source, target]),
            inverse_functional: self.is_functional(&step, [target, source]),
            parameters: parameters.len(),
            step,
            no_step,
        };
        let relations = &mut self.theory.relations;
        relations.iter().position(|known| *known == relation).unwrap_or_else(|| {
            relations.push(relation);
            relations.len() - 1
        })
    }

    /// Is a step in this direction part of a predicate that is declared to be a function in this direction?
    fn is_functional(&self, step: &Node, [from, to]: [Position; 2]) -> bool {
        conjuncts(step).iter().any(|part| match part {
            Node::Atom { predicate, arguments, positive: true } => {
                let properties = self.vocabulary[*predicate].properties;
                *arguments == [from, to] && properties.function || *arguments == [to, from] && properties.invfunction
            }
            _ => false,
        })
    }
}

/// The parts of a conjunction.
pub(crate) fn conjuncts(node: &Node) -> &[Node] {
    match node {
        Node::And(parts) => parts,
        other => std::slice::from_ref(other),
    }
}

/// The part that a formula plays in the block around it.
enum Opened {
    Quantifier(Var, Formula),
    Parts(Vec<Formula>),
    Closed,
}

/// Universal quantifiers and disjunctions: `a | A(v) b` is `A(v) (a | b)`, whether or not there are individuals.
fn universal(formula: &Formula) -> Opened {
    match formula {
        Formula::Forall(v, body) => Opened::Quantifier(v.clone(), body.as_ref().clone()),
        Formula::Or(parts) => Opened::Parts(parts.to_vec()),
        _ => Opened::Closed,
    }
}

/// Existential quantifiers and conjunctions.
fn existential(formula: &Formula) -> Opened {
    match formula {
        Formula::Exists(v, body) => Opened::Quantifier(v.clone(), body.as_ref().clone()),
        Formula::And(parts) => Opened::Parts(parts.to_vec()),
        _ => Opened::Closed,
    }
}

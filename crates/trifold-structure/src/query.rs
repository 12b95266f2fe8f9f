//! Compiles the question whether any assignment at all satisfies a formula; [`search`](crate::search) answers it.
//!
//! The rules of coerce are looked at very often and breached very seldom. Whether there is a breach is a question about
//! a conjunction of literals, `must(body) ∧ ¬must(head)`, and needs no table. Each variable has a *domain*: the
//! individuals that it can still stand for. A literal on one variable narrows its domain. The literals that connect two
//! variables narrow the domain of one to the individuals that have a partner in the domain of the other, which is
//! called a semijoin. As soon as a domain is empty, the answer is known. Where the connected variables form a forest,
//! one pass from the leaves to the roots decides \[Yannakakis81\]; where they form a cycle, the individuals of one of
//! its variables are tried one by one.
//!
//! ```text
//! E(v1) x(v1) & n(v1,v) ▷ r(v)      domain of v1 := x;  domain of v := not must r;  semijoin along n from v1 to v
//! ```
//!
//! A disjunction gives alternatives. A universally quantified part with one free variable asks for a counterexample.
//! Any other part is read from its table, which the workspace computes and keeps as it always does: closures, for
//! instance.
//!
//! Where there was no breach before some values changed, a new one involves one of the changed tuples. So there
//! is a query for each occurrence of a predicate in the rule, in which the variables of the occurrence start with the
//! individuals of the changed tuples. In databases this is known as semi-naive evaluation.

use crate::Plane;
use crate::plan::{Op, Operand, Plan, Source, Table, Term};
use crate::structure::Place;
use std::collections::BTreeMap;
use std::sync::Arc;
use trifold_logic::{Formula, PredicateId, Var, negation_normal_form};

/// A rule that reads more gets one question about all assignments, not one about each change: the questions would be
/// too long.
const MAX_READS: usize = 64;

/// The question whether some assignment breaches a rule; see [`may_satisfy`](crate::Search::may_satisfy).
#[derive(Debug)]
pub struct Query(pub(crate) Alternatives);

#[derive(Debug)]
pub(crate) enum Alternatives {
    /// This is to be satisfied.
    One(Conjunction),
    /// One of these is to be satisfied.
    Any(Vec<Conjunction>),
    /// The rule is too entangled to be searched.
    Unknown,
}

impl Query {
    /// Is the answer certain, in universes of at most 64 individuals?
    pub fn is_certain(&self) -> bool {
        !matches!(self.0, Alternatives::Unknown)
    }
}

/// A change that can make a satisfied rule breached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// A plane that the body reads has become more definite.
    Read(PredicateId, Plane),
    /// The head has become less definite.
    Head,
}

/// The queries of a rule.
#[derive(Debug)]
pub struct Queries {
    /// Is the rule breached? And the changes that may have done it wherever they happened.
    pub whole: (Query, Vec<Cause>),
    /// Has a change, of which the extent is known, breached it?
    pub after: Vec<(Query, Cause)>,
}

/// Steps that leave no domain empty just when the conjunction is satisfiable.
#[derive(Debug)]
pub(crate) struct Conjunction {
    /// Witnesses are the individuals that exist on this plane.
    pub plane: Plane,
    /// Is there a variable that is not given?
    pub open: bool,
    /// The variables that start with the first and with the second argument of changed tuples.
    pub limits: Limits,
    pub steps: Vec<Step>,
}

/// A variable of a conjunction.
pub(crate) type Variable = u8;

pub(crate) type Limits = [Option<Variable>; 2];

/// Conjunctions with more variables are not searched.
pub(crate) const MAX_VARIABLES: usize = 8;

/// Variables that more literals connect are not searched.
pub(crate) const MAX_EDGES: usize = 6;

/// A formula in more alternatives is read from a table.
const MAX_ALTERNATIVES: usize = 8;

#[derive(Debug)]
pub(crate) enum Step {
    /// A closed literal has to hold.
    Require(Literal),
    /// The domain shrinks to the individuals that satisfy the literal.
    Narrow { variable: Variable, literal: Literal },
    /// The domain of `to` shrinks to those with a partner in the domain of `from`; one literal connects them.
    Follow { from: Variable, to: Variable, edge: Edge },
    /// The same for several literals.
    Semijoin { from: Variable, to: Variable, edges: Box<[Edge]> },
    /// The remaining steps are taken for each individual of the domain on its own.
    Try(Variable),
    /// The domain loses the individuals for which a counterexample is found. In it, variable 0 is the individual.
    Except { variable: Variable, counterexamples: Arc<[Conjunction]> },
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Literal {
    /// Where it lies in the workspace.
    pub place: Place,
    /// To be computed, unless it is a plane.
    pub table: Option<Table>,
    pub negated: bool,
}

/// A literal that connects two variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Edge {
    pub literal: Literal,
    /// Are its arguments `(from, to)`, not `(to, from)`?
    pub forward: bool,
}

/// The rule is too entangled to be searched.
struct Entangled;

impl Plan {
    /// Compiles the questions whether `must(body) ∧ ¬must(head)` under some assignment of individuals that surely
    /// exist.
    pub fn query_breaches(&mut self, body: &Formula, head: &Formula) -> Queries {
        let body = self.apart_from(body, &head.free_vars());
        self.search_breaches(&body, head).unwrap_or_else(|Entangled| {
            let term = self.term(&body, Plane::Must);
            let causes = self.sources(term.operand.table).iter().filter_map(cause).chain([Cause::Head]).collect();
            Queries { whole: (Query(Alternatives::Unknown), causes), after: Vec::new() }
        })
    }

    fn search_breaches(&mut self, body: &Formula, head: &Formula) -> Result<Queries, Entangled> {
        let denied = self.term(head, Plane::Must).complement();
        let (mut whole, mut anywhere, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for alternative in disjunctive_form(&negation_normal_form(body)) {
            let mut parts = Parts::new(Plane::Must);
            parts.add(self, &denied)?;
            parts.reads.iter_mut().for_each(|(cause, _)| *cause = Cause::Head);
            self.add_alternative(&mut parts, &alternative)?;
            whole.push(parts.conjunction([None, None]));
            let reads = parts.essential_reads(self);
            for (cause, limits) in &reads {
                match limits {
                    _ if reads.len() > MAX_READS => anywhere.push(*cause),
                    [None, None] => anywhere.push(*cause),
                    limits => after.push((Query(Alternatives::One(parts.conjunction(*limits))), *cause)),
                }
            }
        }
        Ok(Queries { whole: (Query(Alternatives::Any(whole)), anywhere), after })
    }

    fn add_alternative(&mut self, parts: &mut Parts, alternative: &Alternative) -> Result<(), Entangled> {
        for bound in &alternative.bound {
            parts.variable(bound)?;
        }
        for conjunct in &alternative.conjuncts {
            match self.counterexamples(conjunct, parts.plane) {
                Some((free, counterexamples)) => parts.add_universal(&free, counterexamples)?,
                None => {
                    let term = self.term(conjunct, parts.plane);
                    parts.add(self, &term)?;
                }
            }
        }
        Ok(())
    }

    /// The counterexamples to a universal formula with one free variable, which is the first one of theirs.
    fn counterexamples(&mut self, formula: &Formula, plane: Plane) -> Option<(Var, Vec<Parts>)> {
        if !matches!(formula, Formula::Forall(..)) {
            return None;
        }
        let [free] = &formula.free_vars()[..] else { return None };
        let counterexample = |alternative: Alternative| {
            let mut parts = Parts { variables: vec![free.clone()], given: true, ..Parts::new(plane.dual()) };
            self.add_alternative(&mut parts, &alternative).ok().map(|()| parts)
        };
        let refutation = negation_normal_form(&formula.clone().negate());
        let parts = disjunctive_form(&refutation).into_iter().map(counterexample).collect::<Option<_>>()?;
        Some((free.clone(), parts))
    }

    fn literal(&self, operand: Operand) -> Literal {
        let node = &self.nodes[operand.table.index()];
        let table = (!node.is_plane()).then_some(operand.table);
        Literal { place: node.place, table, negated: operand.negated }
    }
}

fn cause(source: &Source) -> Option<Cause> {
    match source {
        Source::Predicate(predicate, plane) => Some(Cause::Read(*predicate, *plane)),
        Source::Parameters => None,
    }
}

/// An existentially quantified conjunction.
#[derive(Clone, Default)]
struct Alternative {
    bound: Vec<Var>,
    conjuncts: Vec<Formula>,
}

impl Alternative {
    fn and(&self, other: &Alternative) -> Alternative {
        let bound = [&self.bound[..], &other.bound].concat();
        Alternative { bound, conjuncts: [&self.conjuncts[..], &other.conjuncts].concat() }
    }
}

/// The alternatives of a formula in negation normal form whose bound variables are distinct. Disjunctions with
/// closures stay as they are, because their tables are shared by many formulas.
fn disjunctive_form(formula: &Formula) -> Vec<Alternative> {
    let whole = |formula: &Formula| vec![Alternative { bound: Vec::new(), conjuncts: vec![formula.clone()] }];
    match formula {
        Formula::Exists(v, body) => {
            let mut alternatives = disjunctive_form(body);
            alternatives.iter_mut().for_each(|alternative| alternative.bound.push(v.clone()));
            alternatives
        }
        Formula::Or(_) if formula.any(&|part| matches!(part, Formula::Closure { .. })) => whole(formula),
        Formula::Or(parts) => parts.iter().flat_map(disjunctive_form).collect(),
        Formula::And(parts) => parts.iter().fold(vec![Alternative::default()], |alternatives, part| {
            let mut factors = disjunctive_form(part);
            if alternatives.len() * factors.len() > MAX_ALTERNATIVES {
                factors = whole(part);
            }
            alternatives.iter().flat_map(|one| factors.iter().map(|factor| one.and(factor))).collect()
        }),
        _ => whole(formula),
    }
}

/// The parts of a conjunction, before they are put into an order.
pub(crate) struct Parts {
    pub plane: Plane,
    pub variables: Vec<Var>,
    /// Does the first variable stand for a given individual?
    pub given: bool,
    /// Literals without variables, with the cost of their tables.
    pub closed: Vec<(u32, Literal)>,
    pub unary: Vec<(u32, Variable, Literal)>,
    /// By the variables that they connect, see [`pair`].
    pub edges: BTreeMap<(Variable, Variable), Vec<(u32, Edge)>>,
    pub universals: Vec<(Variable, Arc<[Conjunction]>)>,
    /// The planes that are read, and the variables at their arguments, as far as they are known.
    reads: Vec<(Cause, Limits)>,
}

impl Parts {
    fn new(plane: Plane) -> Parts {
        let (variables, given, closed, unary, edges, universals, reads) = Default::default();
        Parts { plane, variables, given, closed, unary, edges, universals, reads }
    }

    fn variable(&mut self, v: &Var) -> Result<Variable, Entangled> {
        let known = self.variables.iter().position(|w| w == v);
        let variable = known.unwrap_or_else(|| {
            self.variables.push(v.clone());
            self.variables.len() - 1
        });
        if variable < MAX_VARIABLES { Ok(variable as Variable) } else { Err(Entangled) }
    }

    fn add(&mut self, plan: &Plan, term: &Term) -> Result<(), Entangled> {
        let table = term.operand.table;
        let (cost, literal) = (plan.cost(table), plan.literal(term.operand));
        let mut columns = Vec::new();
        for v in &term.columns {
            columns.push(self.variable(v)?);
        }
        let limits = match plan.nodes[table.index()].op {
            Op::Load(..) | Op::Equal(_) => [columns.first().copied(), columns.get(1).copied()],
            _ => [None, None],
        };
        self.reads.extend(plan.sources(table).iter().filter_map(cause).map(|cause| (cause, limits)));
        match columns[..] {
            [] => self.closed.push((cost, literal)),
            [variable] => self.unary.push((cost, variable, literal)),
            [v, w] => {
                let edges = self.edges.entry(pair(v, w)).or_default();
                edges.push((cost, Edge { literal, forward: v < w }));
                if edges.len() > MAX_EDGES {
                    return Err(Entangled);
                }
            }
            _ => return Err(Entangled),
        }
        Ok(())
    }

    fn add_universal(&mut self, free: &Var, counterexamples: Vec<Parts>) -> Result<(), Entangled> {
        let variable = self.variable(free)?;
        for (cause, limits) in counterexamples.iter().flat_map(Parts::distinct_reads) {
            self.reads.push((cause, limits.map(|limit| limit.filter(|v| *v == 0).map(|_| variable))));
        }
        let counterexamples = counterexamples.iter().map(|parts| parts.conjunction([None, None])).collect();
        self.universals.push((variable, counterexamples));
        Ok(())
    }

    /// The planes that are read, the existence of witnesses included.
    pub(crate) fn distinct_reads(&self) -> Vec<(Cause, Limits)> {
        let witnesses = self.plane == Plane::Must && !self.variables.is_empty();
        let existence = witnesses.then_some((Cause::Read(PredicateId::AC, Plane::Must), [None, None]));
        let mut reads: Vec<(Cause, Limits)> = self.reads.iter().copied().chain(existence).collect();
        reads.sort();
        reads.dedup();
        reads
    }
}

/// Two variables, the smaller one first.
pub(crate) fn pair(v: Variable, w: Variable) -> (Variable, Variable) {
    (v.min(w), v.max(w))
}

//! Answers a [`Query`] on a structure. Domains are words, so universes have at most 64 individuals.
//!
//! For example, `x(v1) & n(v1,v) & !r(v)` starts with the domains `v1 = {0}` and `v = {3}`; if `n` leads from 0 only to
//! 1, the semijoin leaves nothing for `v`, and the answer is no.

use crate::evaluate::Workspace;
use crate::plan::Plan;
use crate::query::{Alternatives, Conjunction, Edge, Literal, MAX_EDGES, MAX_VARIABLES, Query, Step, Variable};
use crate::{Extent, Plane};
use trifold_logic::PredicateId;
use trifold_work::spend;

/// For each variable the individuals that it can stand for.
type Domains = [u64; MAX_VARIABLES];

/// Searches on one structure.
#[derive(Debug)]
pub struct Search<'a> {
    plan: &'a Plan,
    size: usize,
    /// All individuals.
    full: u64,
    /// The individuals that surely exist.
    active: u64,
    workspace: &'a mut Workspace,
}

impl Workspace {
    /// Starts to search on the structure that the workspace is about.
    pub fn search<'a>(&'a mut self, plan: &'a Plan) -> Search<'a> {
        let active = plan.layout.place(PredicateId::AC, Plane::Must).start(self.size, self.full.len());
        Search { plan, size: self.size, full: self.full[0], active: self.words[active], workspace: self }
    }
}

impl Search<'_> {
    /// Does some assignment of individuals that surely exist breach the rule, where values have changed on `extent`?
    /// A "no" is certain; for a "yes" see [`Query::is_certain`].
    pub fn may_satisfy(&mut self, query: &Query, extent: Extent) -> bool {
        if self.size > 64 {
            return true;
        }
        match &query.0 {
            Alternatives::One(one) => self.satisfies(one, extent),
            Alternatives::Any(alternatives) => alternatives.iter().any(|one| self.satisfies(one, extent)),
            Alternatives::Unknown => true,
        }
    }

    fn satisfies(&mut self, one: &Conjunction, extent: Extent) -> bool {
        spend(8 + 4 * one.steps.len() as u64);
        let mut domains = self.start(one);
        for (limited, individuals) in one.limits.iter().zip([extent.first, extent.second]) {
            if let Some(variable) = limited {
                *at(&mut domains, *variable) &= individuals;
                if *at(&mut domains, *variable) == 0 {
                    return false;
                }
            }
        }
        self.run(one, &mut domains)
    }

    /// The individuals that exist on the plane of the conjunction are witnesses.
    #[inline(always)]
    fn start(&self, one: &Conjunction) -> Domains {
        [if one.plane == Plane::Must { self.active } else { self.full }; MAX_VARIABLES]
    }

    #[inline(always)]
    fn run(&mut self, one: &Conjunction, domains: &mut Domains) -> bool {
        // Only the first variables can have been given a domain of their own.
        let witnesses = domains[MAX_VARIABLES - 1];
        (witnesses != 0 || !one.open) && self.steps(&one.steps, domains)
    }

    /// Takes the steps; tells whether no domain has become empty.
    fn steps(&mut self, steps: &[Step], domains: &mut Domains) -> bool {
        for (i, step) in steps.iter().enumerate() {
            let (variable, domain) = match step {
                Step::Require(literal) => {
                    self.provide(literal);
                    if (self.word(literal) != 0) == literal.negated {
                        return false;
                    }
                    continue;
                }
                Step::Narrow { variable, literal } => {
                    self.provide(literal);
                    (*variable, *at(domains, *variable) & (self.word(literal) ^ self.flip(literal)))
                }
                Step::Follow { from, to, edge } => {
                    self.provide(&edge.literal);
                    let (from, members) = (*at(domains, *from), *at(domains, *to));
                    (*to, Views([self.view(edge)]).partners(from, members))
                }
                Step::Semijoin { from, to, edges } => {
                    let (from, members) = (*at(domains, *from), *at(domains, *to));
                    (*to, self.semijoin(edges, from, members))
                }
                Step::Try(variable) => return self.try_each(*variable, &steps[i + 1..], domains),
                Step::Except { variable, counterexamples } => {
                    let domain = *at(domains, *variable);
                    (*variable, domain & !self.refuted(counterexamples, domain))
                }
            };
            if domain == 0 {
                return false;
            }
            *at(domains, variable) = domain;
        }
        true
    }

    fn try_each(&mut self, variable: Variable, steps: &[Step], domains: &mut Domains) -> bool {
        let mut left = *at(domains, variable);
        loop {
            spend(4 * steps.len() as u64);
            let individual = 1 << take(&mut left);
            if left == 0 {
                *at(domains, variable) = individual;
                return self.steps(steps, domains);
            }
            let mut tried = *domains;
            *at(&mut tried, variable) = individual;
            if self.steps(steps, &mut tried) {
                return true;
            }
        }
    }

    /// The individuals with a counterexample.
    fn refuted(&mut self, counterexamples: &[Conjunction], individuals: u64) -> u64 {
        let (mut left, mut refuted) = (individuals, 0);
        while left != 0 {
            spend(8);
            let individual = 1 << take(&mut left);
            let found = counterexamples.iter().any(|one| {
                let mut domains = self.start(one);
                domains[0] = individual;
                self.run(one, &mut domains)
            });
            refuted |= if found { individual } else { 0 };
        }
        refuted
    }

    /// The members of `to` with a partner in `from`, for several edges.
    fn semijoin(&mut self, edges: &[Edge], from: u64, to: u64) -> u64 {
        edges.iter().for_each(|edge| self.provide(&edge.literal));
        // Nearly always there are two or three, and the compiler should know.
        match edges {
            [a, b] => Views([self.view(a), self.view(b)]).partners(from, to),
            [a, b, c] => Views([self.view(a), self.view(b), self.view(c)]).partners(from, to),
            _ => {
                let last = edges.len() - 1;
                Views::<MAX_EDGES>(std::array::from_fn(|i| self.view(&edges[i.min(last)]))).partners(from, to)
            }
        }
    }

    /// Computes the table of a literal, if it has one.
    #[inline(always)]
    fn provide(&mut self, literal: &Literal) {
        if let Some(table) = literal.table {
            self.workspace.compute(self.plan, table);
        }
    }

    /// The one word of a literal with at most one variable.
    #[inline(always)]
    fn word(&self, literal: &Literal) -> u64 {
        self.workspace.words[literal.place.start(self.size, 1)]
    }

    #[inline(always)]
    fn view(&self, edge: &Edge) -> View<'_> {
        let start = edge.literal.place.start(self.size, 1);
        let rows = &self.workspace.words[start..start + self.size];
        View { rows, flip: self.flip(&edge.literal), forward: edge.forward }
    }

    /// The mask that complements a word of the literal, or leaves it.
    #[inline(always)]
    fn flip(&self, literal: &Literal) -> u64 {
        if literal.negated { self.full } else { 0 }
    }
}

/// The domain of a variable.
#[inline(always)]
fn at(domains: &mut Domains, variable: Variable) -> &mut u64 {
    // Variables are less than this anyway; the compiler should know.
    &mut domains[variable as usize % MAX_VARIABLES]
}

/// A literal that connects two variables.
struct View<'a> {
    rows: &'a [u64],
    /// The mask that complements a row, or leaves it.
    flip: u64,
    forward: bool,
}

impl View<'_> {
    /// The individuals that `u` is related to.
    #[inline(always)]
    fn row(&self, u: usize) -> u64 {
        self.rows[u] ^ self.flip
    }

    /// Those of `members` that are related to `u`.
    #[inline(always)]
    fn column(&self, u: usize, members: u64) -> u64 {
        let (mut left, mut found) = (members, 0);
        while left != 0 {
            let w = take(&mut left);
            found |= (self.row(w) >> u & 1) << w;
        }
        found
    }
}

/// The literals that connect two variables.
struct Views<'a, const N: usize>([View<'a>; N]);

impl<const N: usize> Views<'_, N> {
    /// The members of `to` with a partner in `from`.
    #[inline(always)]
    fn partners(&self, from: u64, to: u64) -> u64 {
        let mut partners = 0;
        // The rows of the first table are the individuals of `from`, or else those of `to`.
        if self.0[0].forward {
            let mut left = from;
            while left != 0 && partners != to {
                let u = take(&mut left);
                let add = |new, view: &View| new & if view.forward { view.row(u) } else { view.column(u, new) };
                partners |= self.0.iter().fold(to, add);
            }
        } else {
            let mut left = to;
            while left != 0 {
                let u = take(&mut left);
                let add = |found, view: &View| found & if view.forward { view.column(u, found) } else { view.row(u) };
                partners |= ((self.0.iter().fold(from, add) != 0) as u64) << u;
            }
        }
        partners
    }
}

/// Removes the first individual of a set.
#[inline(always)]
fn take(set: &mut u64) -> usize {
    let first = set.trailing_zeros() as usize;
    *set &= *set - 1;
    first
}

//! The order in which a conjunction is searched: its variables are eliminated, one after the other.
//!
//! A variable that is connected to at most one other is eliminated by a semijoin to that one. Where there is none, the
//! variables form a cycle; then the individuals of one variable are tried one by one, which settles all its
//! connections. Variables that probably stand for few individuals go first, because the work is proportional to the
//! size of their domains.
//!
//! For example, in `x(a) & n(a,b) & n(b,c)` the variable `a` is eliminated first, because at most one individual
//! satisfies `x`: the domain of `b` becomes the successors of `a`, and then that of `c` the successors of `b`.

use crate::query::{Conjunction, Edge, Limits, Parts, Step, Variable, pair};

impl Parts {
    /// Puts the parts into order: cheap parts that narrow most come first.
    pub(crate) fn conjunction(&self, limits: Limits) -> Conjunction {
        let mut closed = self.closed.clone();
        closed.sort_by_key(|(cost, _)| *cost);
        let mut unary = self.unary.clone();
        unary.sort_by_key(|(cost, variable, _)| (*cost, !limits.contains(&Some(*variable))));
        let mut steps: Vec<Step> = closed.iter().map(|(_, literal)| Step::Require(*literal)).collect();
        steps.extend(unary.iter().map(|&(_, variable, literal)| Step::Narrow { variable, literal }));
        let narrowed = limits.iter().flatten().copied().chain(unary.iter().map(|(_, variable, _)| *variable));
        let mut elimination = Elimination {
            parts: self,
            connected: self.edges.keys().copied().collect(),
            narrowed: narrowed.collect(),
            steps,
        };
        elimination.run();
        Conjunction {
            plane: self.plane,
            open: self.variables.len() > self.given as usize,
            limits,
            steps: elimination.steps,
        }
    }
}

/// The elimination of the variables of a conjunction, one after the other.
struct Elimination<'a> {
    parts: &'a Parts,
    /// The variables that are still connected.
    connected: Vec<(Variable, Variable)>,
    /// The variables that probably stand for few individuals.
    narrowed: Vec<Variable>,
    steps: Vec<Step>,
}

impl Elimination<'_> {
    fn run(&mut self) {
        let mut left: Vec<Variable> = (0..self.parts.variables.len() as Variable).collect();
        if self.parts.given {
            self.eliminate(left.remove(0));
        }
        while !left.is_empty() {
            let leaves = left.iter().copied().filter(|v| self.neighbours(*v).len() <= 1);
            // A universal part is costly, and costs least when the variable has been narrowed as far as it can be.
            let universal = |v: &Variable| self.parts.universals.iter().any(|(u, _)| u == v);
            let variable = leaves.min_by_key(|v| (universal(v), !self.narrowed.contains(v))).unwrap_or_else(|| {
                let (narrowed, others): (Vec<_>, Vec<_>) = left.iter().partition(|v| self.narrowed.contains(v));
                let most = |v: &Variable| (self.neighbours(*v).len(), std::cmp::Reverse(*v));
                let among = if narrowed.is_empty() { others } else { narrowed };
                let variable = among.into_iter().max_by_key(most).expect("some variable is left");
                self.try_each(variable);
                variable
            });
            self.eliminate(variable);
            left.retain(|v| *v != variable);
        }
    }

    /// Tries the individuals of a variable, but only those that affirmative literals allow for.
    fn try_each(&mut self, variable: Variable) {
        for neighbour in self.neighbours(variable) {
            let edges = &self.parts.edges[&pair(neighbour, variable)];
            if edges.iter().any(|(_, edge)| !edge.literal.negated) {
                self.semijoin(neighbour, variable);
            }
        }
        self.steps.push(Step::Try(variable));
    }

    fn neighbours(&self, variable: Variable) -> Vec<Variable> {
        let other = |&(v, w): &(Variable, Variable)| match variable {
            x if x == v => Some(w),
            x if x == w => Some(v),
            _ => None,
        };
        self.connected.iter().filter_map(other).collect()
    }

    /// Narrows the neighbours of a variable, which then is done with.
    fn eliminate(&mut self, variable: Variable) {
        for (_, counterexamples) in self.parts.universals.iter().filter(|(v, _)| *v == variable) {
            self.steps.push(Step::Except { variable, counterexamples: counterexamples.clone() });
        }
        for neighbour in self.neighbours(variable) {
            self.semijoin(variable, neighbour);
            self.narrowed.push(neighbour);
        }
        self.connected.retain(|(v, w)| *v != variable && *w != variable);
    }

    fn semijoin(&mut self, from: Variable, to: Variable) {
        let mut edges = self.parts.edges[&pair(from, to)].clone();
        edges.sort_by_key(|(cost, _)| *cost);
        let directed = |(_, edge): (u32, Edge)| Edge { forward: edge.forward == (from < to), ..edge };
        let edges: Vec<Edge> = edges.into_iter().map(directed).collect();
        self.steps.push(match edges[..] {
            [edge] => Step::Follow { from, to, edge },
            _ => Step::Semijoin { from, to, edges: edges.into() },
        });
    }
}

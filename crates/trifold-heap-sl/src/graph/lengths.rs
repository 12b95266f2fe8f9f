//! Lengths of segments, and the sums that they are part of. For example, a list whose elements are counted has the
//! length that the counter says; if the counter is 0 the list is empty, and if it is 1 the first element is the last.
//!
//! # Soundness
//! The length of a segment is the number of blocks on the way from its source to its target. That many objects are in
//! memory at once, of 16 bytes or more each; [`MAX_LENGTH`] says how many are taken to fit, and reports say so.

use crate::checker::definition::Checker;
use crate::graph::equalities::Equality;
use crate::graph::reduce::Infeasible;
use crate::graph::shape_graph::{Edge, End, Kind, MAX_MIN, Relations, ShapeGraph, Symbol};
use std::collections::BTreeSet;
use trifold_passes::intervals::Interval;

/// No list is longer, because memory ends: 32 GB of it. That leaves room for counters of 32 bits to count a few
/// elements more, which are on their way to a list or come after it.
pub const MAX_LENGTH: i128 = 2_000_000_000;

/// How often the consequences of relations are looked for, each of which may have others.
const ROUNDS: usize = 4;

impl ShapeGraph {
    /// The sum of lengths and a number, where all of them are known, as a length of its own.
    pub fn length(&mut self, of: &[Option<Symbol>], more: i128) -> Option<Symbol> {
        if !self.relations.has_lengths {
            return None;
        }
        let of: Vec<Symbol> = of.iter().copied().collect::<Option<_>>()?;
        let ranges = of.iter().map(|length| self.range(*length)).collect::<Option<Vec<Interval>>>()?;
        let (low, high) = ranges.iter().fold((more, more), |sum, range| (sum.0 + range.0, sum.1 + range.1));
        let length = self.fresh(Kind::Scalar((low.max(0), high.min(MAX_LENGTH))));
        if low < high {
            self.relations.equal(of.into_iter().map(|part| (part, 1)).chain([(length, -1)]), -more);
        }
        Some(length)
    }

    /// A length of which nothing is known but the least, for a region that has one.
    pub fn any_length(&mut self, checker: &Checker, end: Option<&End>, min: u8) -> Option<Symbol> {
        let has_one = self.relations.has_lengths && checker.is_linear() && end.is_some();
        has_one.then(|| self.fresh(Kind::Scalar((i128::from(min), MAX_LENGTH))))
    }

    /// From here on lengths and relations are known.
    pub fn count(&mut self) {
        (self.relations.is_kept, self.relations.has_lengths) = (true, true);
        for edge in 0..self.edges.len() {
            let Edge { checker, end, min, length, .. } = &self.edges[edge];
            if length.is_none() {
                let (checker, end, min) = (checker.clone(), end.clone(), *min);
                self.edges[edge].length = self.any_length(&checker, end.as_ref(), min);
            }
        }
    }

    /// The graph without lengths and relations.
    pub fn without_counts(mut self) -> ShapeGraph {
        self.relations = Relations::default();
        self.edges.iter_mut().for_each(|edge| edge.length = None);
        self
    }

    /// Is a number part of an equality?
    pub fn is_counted(&self, symbol: Symbol) -> bool {
        self.relations.equalities().iter().any(|equality| equality.terms.contains_key(&symbol.0))
    }

    /// The consequences that relations have for numbers, and lengths for regions.
    pub fn tighten(&mut self) -> Result<(), Infeasible> {
        if !self.relations.is_kept {
            return Ok(());
        }
        for _ in 0..ROUNDS {
            self.solve()?;
            let before = self.kinds.clone();
            self.tighten_by_differences()?;
            self.tighten_by_equalities()?;
            if self.kinds == before {
                break;
            }
        }
        for edge in 0..self.edges.len() {
            let Some(length) = self.edges[edge].length else { continue };
            let (low, high) = self.range(length).ok_or(Infeasible)?;
            let (least, high) = (i128::from(self.edges[edge].min).max(low), high.min(MAX_LENGTH));
            if least > high {
                return Err(Infeasible);
            }
            self.kinds[length.index()] = Kind::Scalar((least, high));
            self.edges[edge].min = least.min(i128::from(MAX_MIN)) as u8;
        }
        Ok(())
    }

    /// Puts known numbers into equalities, and takes over those that become known.
    fn solve(&mut self) -> Result<(), Infeasible> {
        loop {
            if self.relations.is_impossible {
                return Err(Infeasible);
            }
            let symbols: BTreeSet<u32> = self.relations.equalities().symbols();
            let known = symbols.iter().filter_map(|symbol| Some((*symbol, self.known(Symbol(*symbol))?)));
            let known: Vec<(u32, i128)> = known.collect();
            if known.is_empty() && self.relations.equalities().iter().all(|equality| equality.terms.len() > 1) {
                return Ok(());
            }
            let mut equalities = self.relations.equalities().clone();
            for (symbol, number) in known {
                equalities.insert(Equality::new([(symbol, 1)], number)).map_err(|_| Infeasible)?;
            }
            let (single, others): (Vec<Equality>, Vec<Equality>) =
                equalities.iter().cloned().partition(|equality| equality.terms.len() == 1);
            self.relations.set_equalities(others.into_iter().collect());
            for Equality { terms, constant } in single {
                let (symbol, count) = terms.first_key_value().expect("there is one");
                // A number of which so many are this is whole, or there is no solution.
                let number = constant / count;
                let (low, high) = self.range(Symbol(*symbol)).ok_or(Infeasible)?;
                if constant % count != 0 || number < low || number > high {
                    return Err(Infeasible);
                }
                self.kinds[*symbol as usize] = Kind::Scalar((number, number));
            }
        }
    }

    /// What sums tell of their parts.
    fn tighten_by_equalities(&mut self) -> Result<(), Infeasible> {
        let equalities: Vec<Equality> = self.relations.equalities().iter().cloned().collect();
        if equalities.is_empty() {
            return Ok(());
        }
        let mut closed = self.relations.clone();
        closed.close();
        for Equality { terms, constant } in equalities {
            let terms: Vec<(Symbol, i128)> = terms.into_iter().map(|(symbol, count)| (Symbol(symbol), count)).collect();
            for (symbol, count) in &terms {
                let others: Vec<(Symbol, i128)> = terms.iter().copied().filter(|(other, _)| other != symbol).collect();
                let mut sum = (0, 0);
                for (other, count) in &others {
                    let (low, high) = self.range(*other).ok_or(Infeasible)?;
                    let (a, b) = (low.saturating_mul(*count), high.saturating_mul(*count));
                    sum = (a.min(b).saturating_add(sum.0), a.max(b).saturating_add(sum.1));
                }
                // The difference of two may be known better than they are.
                if let [(a, 1), (b, -1)] | [(b, -1), (a, 1)] = others[..] {
                    sum.1 = closed.get(a, b).map_or(sum.1, |most| sum.1.min(most));
                    sum.0 = closed.get(b, a).map_or(sum.0, |most| sum.0.max(-most));
                }
                let rest = (constant.saturating_sub(sum.1), constant.saturating_sub(sum.0));
                let divided = match *count > 0 {
                    true => (-((-rest.0).div_euclid(*count)), rest.1.div_euclid(*count)),
                    false => (-(rest.1.div_euclid(-count)), (-rest.0).div_euclid(-count)),
                };
                let (low, high) = self.range(*symbol).ok_or(Infeasible)?;
                let (low, high) = (low.max(divided.0), high.min(divided.1));
                if low > high {
                    return Err(Infeasible);
                }
                self.kinds[symbol.index()] = Kind::Scalar((low, high));
            }
        }
        Ok(())
    }

    fn known(&self, symbol: Symbol) -> Option<i128> {
        self.range(symbol).filter(|(low, high)| low == high).map(|(low, _)| low)
    }
}

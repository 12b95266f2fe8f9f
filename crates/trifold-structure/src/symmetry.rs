//! Symmetric rules: where an exchange of variables leaves a conjunction as it is, a question about one of them need not
//! be asked about the other.
//!
//! For example, `n(a,b) & n(a,c) ▷ b == c` is breached by a new edge in the place of `n(a,b)` just when it is in the
//! place of `n(a,c)`.

use crate::plan::{Op, Plan};
use crate::query::{Cause, Edge, Limits, Literal, Parts, Variable, pair};

/// More variables have too many exchanges.
const MAX_EXCHANGED: usize = 4;

impl Parts {
    /// The planes that are read, apart from those that are read in a symmetric place as well.
    pub(crate) fn essential_reads(&self, plan: &Plan) -> Vec<(Cause, Limits)> {
        let reads = self.distinct_reads();
        let repeated = reads.windows(2).any(|two| two[0].0 == two[1].0);
        if !repeated || self.variables.len() > MAX_EXCHANGED || !self.universals.is_empty() {
            return reads;
        }
        let symmetries: Vec<Vec<Variable>> =
            orders(self.variables.len()).into_iter().filter(|order| self.is_invariant(order, plan)).collect();
        let mut essential: Vec<(Cause, Limits)> = Vec::new();
        for (cause, limits) in reads {
            let image = |order: &Vec<Variable>| limits.map(|limit| limit.map(|v| order[v as usize]));
            if !symmetries.iter().any(|order| essential.contains(&(cause, image(order)))) {
                essential.push((cause, limits));
            }
        }
        essential
    }

    /// Are the parts the same when each variable is replaced by another one?
    fn is_invariant(&self, order: &[Variable], plan: &Plan) -> bool {
        let image = |v: Variable| order[v as usize];
        let unary = |image: &dyn Fn(Variable) -> Variable| {
            let mut unary: Vec<(Variable, Literal)> = self.unary.iter().map(|(_, v, l)| (image(*v), *l)).collect();
            unary.sort();
            unary
        };
        let edges = |image: &dyn Fn(Variable) -> Variable| {
            let mut edges: Vec<((Variable, Variable), Edge)> = Vec::new();
            for ((v, w), between) in &self.edges {
                let turned = image(*v) > image(*w);
                for (_, edge) in between {
                    // Equality holds in both directions.
                    let symmetric =
                        edge.literal.table.is_some_and(|t| matches!(plan.nodes[t.index()].op, Op::Equal(_)));
                    let forward = symmetric || edge.forward != turned;
                    edges.push((pair(image(*v), image(*w)), Edge { forward, ..*edge }));
                }
            }
            edges.sort();
            edges
        };
        unary(&image) == unary(&|v| v) && edges(&image) == edges(&|v| v)
    }
}

/// All orders of so many variables.
fn orders(count: usize) -> Vec<Vec<Variable>> {
    (0..count as Variable).fold(vec![Vec::new()], |orders, next| {
        let places = |order: Vec<Variable>| {
            (0..=order.len()).map(move |at| [&order[..at], &[next], &order[at..]].concat()).collect::<Vec<_>>()
        };
        orders.into_iter().flat_map(places).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_orders_as_there_should_be() {
        let mut all = orders(4);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 24);
        assert!(all.iter().all(|order| (0..4).all(|v| order.contains(&v))));
    }
}

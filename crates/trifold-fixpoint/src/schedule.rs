//! The order in which locations are taken up.
//!
//! A *weak topological order* \[Bourdoncle93\] lists the locations so that every edge leads forward, or back to the
//! head of a loop around its source. It is found by cutting each strongly connected component at its first location
//! and going on with the rest. In the *recursive strategy* on it, a loop is repeated until nothing in it changes
//! before any location after it, or the loop around it, is taken up. That matters for more than speed where states
//! that were joined cannot be told apart any more: an outer loop that goes on with the half-finished results of an
//! inner one keeps the states that were computed from them.
//!
//! For example, the edges 1 → 2 → 3 → 2 and 2 → 4 have the order 1 (2 3) 4: the locations 2 and 3 are repeated until
//! neither changes, and only then 4 is taken up.

use crate::graph::{depth_first, strongly_connected_components};
use crate::options::Traversal;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The order of the locations of a graph.
pub struct Order {
    position: Vec<usize>,
    /// The location at each position.
    order: Vec<usize>,
    /// For each position the first and last ones of the loops around it, innermost first, and of the whole.
    around: Vec<Vec<(usize, usize)>>,
}

impl Order {
    pub fn new(successors: &[Vec<usize>], entry: usize, traversal: Traversal) -> Order {
        let size = successors.len();
        let search = depth_first(successors, entry);
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by_key(|v| search.post_order[*v]);
        let mut around = vec![Vec::new(); size];
        match traversal {
            Traversal::PostOrder => {}
            Traversal::ReversePostOrder => order.reverse(),
            Traversal::WeakTopological => {
                order.reverse();
                let mut loops = Loops { successors, around: &mut around };
                let all = std::mem::take(&mut order);
                loops.arrange(all, 0, &mut order);
                around.iter_mut().for_each(|spans| spans.push((0, size - 1)));
            }
        }
        let mut position = vec![0; size];
        order.iter().enumerate().for_each(|(at, location)| position[*location] = at);
        Order { position, order, around }
    }
}

/// The locations that wait.
pub struct Schedule {
    order: Arc<Order>,
    /// Their positions.
    waiting: BTreeSet<usize>,
    /// The position that was taken up last.
    last: usize,
}

impl Schedule {
    pub fn new(order: Arc<Order>) -> Schedule {
        Schedule { order, waiting: BTreeSet::new(), last: 0 }
    }

    pub fn add(&mut self, location: usize) {
        self.waiting.insert(self.order.position[location]);
    }

    /// How many locations wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The location to be taken up next.
    pub fn next(&mut self) -> Option<usize> {
        let at = self.in_innermost_loop().or_else(|| self.waiting.first().copied())?;
        self.waiting.remove(&at);
        self.last = at;
        Some(self.order.order[at])
    }

    /// The next waiting location in the innermost loop around the last location in which any location waits: from there
    /// on, then from its head.
    fn in_innermost_loop(&self) -> Option<usize> {
        let spans = self.order.around.get(self.last)?;
        spans.iter().find_map(|(first, last)| {
            let rest = self.waiting.range(self.last..=*last).next();
            rest.or_else(|| self.waiting.range(*first..=*last).next()).copied()
        })
    }
}

/// Loops deeper inside of each other are not told apart.
const MAX_DEPTH: usize = 50;

struct Loops<'a> {
    successors: &'a [Vec<usize>],
    around: &'a mut [Vec<(usize, usize)>],
}

impl Loops<'_> {
    /// Appends the locations, which are in reverse post-order, in weak topological order.
    fn arrange(&mut self, locations: Vec<usize>, depth: usize, order: &mut Vec<usize>) {
        if depth > MAX_DEPTH {
            return order.extend(locations);
        }
        for component in self.components(&locations) {
            let first = order.len();
            let (head, rest) = (component[0], component[1..].to_vec());
            order.push(head);
            if !rest.is_empty() || self.successors[head].contains(&head) {
                self.arrange(rest, depth + 1, order);
                // Inner loops are noted before the ones around them.
                self.around[first..order.len()].iter_mut().for_each(|spans| spans.push((first, order.len() - 1)));
            }
        }
    }

    /// The strongly connected components of a part of the graph, in topological order, each in the order of the part.
    fn components(&self, locations: &[usize]) -> Vec<Vec<usize>> {
        let mut index = vec![None; self.successors.len()];
        locations.iter().enumerate().for_each(|(i, v)| index[*v] = Some(i));
        let inside = |v: &usize| self.successors[*v].iter().filter_map(|w| index[*w]).collect::<Vec<_>>();
        let numbers = strongly_connected_components(&locations.iter().map(inside).collect::<Vec<_>>());
        let mut components = vec![Vec::new(); numbers.iter().max().map_or(0, |last| last + 1)];
        numbers.iter().zip(locations).for_each(|(number, location)| components[*number].push(*location));
        components
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An outer loop of 1, 2, 3, 4 around an inner one of 2, 3; 5 comes after.
    fn nested() -> Vec<Vec<usize>> {
        vec![vec![1], vec![2, 5], vec![3, 4], vec![2], vec![1], vec![]]
    }

    #[test]
    fn inner_loops_are_finished_before_outer_ones() {
        let mut schedule = Schedule::new(Arc::new(Order::new(&nested(), 0, Traversal::WeakTopological)));
        let mut next = |added: &[usize]| {
            added.iter().for_each(|location| schedule.add(*location));
            schedule.next()
        };
        assert_eq!(next(&[0]), Some(0));
        assert_eq!(next(&[1]), Some(1));
        assert_eq!(next(&[2, 5]), Some(2));
        assert_eq!(next(&[3, 4]), Some(3));
        assert_eq!(next(&[2]), Some(2), "the inner loop again, before 4");
        assert_eq!(next(&[]), Some(4));
        assert_eq!(next(&[1]), Some(1), "the outer loop again, before 5");
        assert_eq!(next(&[]), Some(5));
        assert_eq!(next(&[]), None);
    }

    #[test]
    fn other_orders_take_the_first_that_waits() {
        for (traversal, expected) in
            [(Traversal::ReversePostOrder, [0, 1, 5, 2, 4, 3]), (Traversal::PostOrder, [3, 4, 2, 5, 1, 0])]
        {
            let mut schedule = Schedule::new(Arc::new(Order::new(&nested(), 0, traversal)));
            (0..6).for_each(|location| schedule.add(location));
            let taken: Vec<usize> = std::iter::from_fn(|| schedule.next()).collect();
            assert_eq!(taken, expected, "{traversal:?}");
        }
    }

    #[test]
    fn deep_nests_are_arranged_in_bounded_time() {
        // Every location leads to every other one.
        let size = 300;
        let successors = vec![(0..size).collect(); size];
        let mut schedule = Schedule::new(Arc::new(Order::new(&successors, 0, Traversal::WeakTopological)));
        (0..size).for_each(|location| schedule.add(location));
        assert_eq!(std::iter::from_fn(|| schedule.next()).count(), size);
    }
}

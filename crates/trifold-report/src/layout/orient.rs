//! Breaking cycles so that the picture has a direction.
//!
//! A heap has far more structure than a general graph: arcs come in *classes*, the fields of a struct. The `next` arcs
//! of a doubly linked list should all run one way and its `prev` arcs all the other way; a `parent` field runs up. So
//! classes are inserted one after the other into an acyclic graph, those first that share the fewest targets, as the
//! fields of a tree do, and then those that lead away from the roots. The arcs of a class are taken in the order in
//! which a depth-first search from the roots meets them; one that would close a cycle is reversed. The whole class is
//! turned round when that reverses fewer arcs, or when it is evident that its arcs point up towards the roots. For
//! example, in the ring 1 → 2 → 3 → 1 the last arc is reversed, so the ring is drawn from 1 to 3.

use super::graph::{Arc, Graph, Strength};
use std::collections::BTreeSet;

/// For every arc, whether it is drawn against the flow. The others, and the reversed ones turned
/// round, form an acyclic graph together.
pub fn orient(graph: &Graph) -> Vec<bool> {
    let mut accepted = Acyclic::new(graph.vertices.len());
    let mut reversed = vec![false; graph.arcs.len()];
    for class in classes(graph) {
        let met = depth_first(graph, &class);
        let (along, against) =
            (accepted.clone().insert(graph, &met, false), accepted.clone().insert(graph, &met, true));
        let cost = |attempt: &Attempt, turned| (attempt.refused, points_up(graph, &class, turned));
        let best = if cost(&against, true) < cost(&along, false) { against } else { along };
        accepted = best.graph;
        for (arc, against_flow) in best.reversed {
            reversed[arc] = against_flow;
        }
    }
    reversed
}

/// The arcs of each class, loops left out; first the classes that branch out without sharing.
fn classes(graph: &Graph) -> Vec<Vec<usize>> {
    let mut classes: Vec<(usize, Vec<usize>)> = Vec::new();
    for (index, arc) in graph.arcs.iter().enumerate().filter(|(_, arc)| !arc.is_loop()) {
        match classes.iter_mut().find(|(class, _)| *class == arc.class) {
            Some((_, arcs)) => arcs.push(index),
            None => classes.push((arc.class, vec![index])),
        }
    }
    let mut classes: Vec<Vec<usize>> = classes.into_iter().map(|(_, arcs)| arcs).collect();
    classes.sort_by_key(|arcs| {
        let shared = (largest_count(graph, arcs, |arc| arc.to), largest_count(graph, arcs, |arc| arc.from));
        (shared, roots_at_the_end(graph, arcs, graph.roots.len()), roots_at_the_end(graph, arcs, 1))
    });
    classes
}

/// How many of the first roots a class leads to but not on from: a doubly linked list goes the way that leads away from
/// its variables, and if there are some at both ends, from the first one.
fn roots_at_the_end(graph: &Graph, arcs: &[usize], most: usize) -> usize {
    let (leaving, entering) = (counts(graph, arcs, |arc| arc.from), counts(graph, arcs, |arc| arc.to));
    let ends: BTreeSet<&usize> =
        graph.roots.iter().take(most).filter(|&&root| leaving[root] == 0 && entering[root] > 0).collect();
    ends.len()
}

/// How many arcs share an end, at most.
fn largest_count(graph: &Graph, arcs: &[usize], end: impl Fn(&Arc) -> usize) -> usize {
    counts(graph, arcs, end).into_iter().max().unwrap_or(0)
}

fn counts(graph: &Graph, arcs: &[usize], end: impl Fn(&Arc) -> usize) -> Vec<usize> {
    let mut counts = vec![0; graph.vertices.len()];
    for &arc in arcs {
        counts[end(&graph.arcs[arc])] += 1;
    }
    counts
}

/// For a class of parent pointers (functional, but with shared targets): the number of roots that
/// would be drawn at the bottom.
fn points_up(graph: &Graph, class: &[usize], turned: bool) -> usize {
    let (leaving, entering) = (counts(graph, class, |arc| arc.from), counts(graph, class, |arc| arc.to));
    // Variables are always drawn before the objects they point to, however many point to one object.
    if class.iter().any(|&arc| graph.arcs[arc].strength == Strength::Pointer) {
        return 0;
    }
    let parent_like = leaving.iter().all(|&count| count <= 1) && entering.iter().any(|&count| count > 1);
    if !parent_like {
        return 0;
    }
    let (out, into) = if turned { (entering, leaving) } else { (leaving, entering) };
    graph.roots.iter().filter(|&&root| out[root] == 0 && into[root] > 0).count()
}

/// The arcs of a class in the order a depth-first search meets them.
fn depth_first(graph: &Graph, class: &[usize]) -> Vec<usize> {
    let mut leaving = vec![Vec::new(); graph.vertices.len()];
    for &arc in class {
        leaving[graph.arcs[arc].from].push(arc);
    }
    for arcs in &mut leaving {
        arcs.sort_by_key(|&arc| graph.arcs[arc].strength == Strength::Indefinite);
    }
    let entered = counts(graph, class, |arc| arc.to);
    let sources = (0..graph.vertices.len()).filter(|&vertex| entered[vertex] == 0);
    let starts = sources.chain(graph.roots.iter().copied()).chain(0..graph.vertices.len());

    let mut met = Vec::with_capacity(class.len());
    let mut visited = vec![false; graph.vertices.len()];
    for start in starts {
        let mut stack = vec![(start, 0)];
        if std::mem::replace(&mut visited[start], true) {
            continue;
        }
        while let Some((vertex, position)) = stack.pop() {
            let Some(&arc) = leaving[vertex].get(position) else { continue };
            stack.push((vertex, position + 1));
            met.push(arc);
            let next = graph.arcs[arc].to;
            if !std::mem::replace(&mut visited[next], true) {
                stack.push((next, 0));
            }
        }
    }
    met
}

/// A graph that is kept acyclic.
#[derive(Clone)]
struct Acyclic {
    successors: Vec<Vec<usize>>,
}

/// The outcome of inserting a class.
struct Attempt {
    graph: Acyclic,
    reversed: Vec<(usize, bool)>,
    refused: usize,
}

impl Acyclic {
    fn new(vertices: usize) -> Self {
        Acyclic { successors: vec![Vec::new(); vertices] }
    }

    /// Inserts the arcs, turned round if `turned`, each the other way when it would close a cycle.
    fn insert(mut self, graph: &Graph, arcs: &[usize], turned: bool) -> Attempt {
        let mut reversed = Vec::with_capacity(arcs.len());
        let mut refused = 0;
        for &index in arcs {
            let arc = &graph.arcs[index];
            let (from, to) = if turned { (arc.to, arc.from) } else { (arc.from, arc.to) };
            let closes_cycle = self.reaches(to, from);
            let (from, to) = if closes_cycle { (to, from) } else { (from, to) };
            refused += usize::from(closes_cycle);
            reversed.push((index, closes_cycle != turned));
            if !self.successors[from].contains(&to) {
                self.successors[from].push(to);
            }
        }
        Attempt { graph: self, reversed, refused }
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.successors.len()];
        let mut pending = vec![from];
        while let Some(vertex) = pending.pop() {
            if vertex == to {
                return true;
            }
            if !std::mem::replace(&mut seen[vertex], true) {
                pending.extend(&self.successors[vertex]);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Vertex;

    fn graph(vertices: usize, arcs: &[(usize, usize, usize)], roots: &[usize]) -> Graph {
        let vertices = vec![Vertex::default(); vertices];
        let mut graph = Graph { vertices, roots: roots.to_vec(), ..Graph::default() };
        for &(from, to, class) in arcs {
            graph.connect(Arc { class, ..Arc::new(from, to) });
        }
        graph
    }

    #[test]
    fn a_cyclic_list_is_cut_before_its_root() {
        let ring = graph(3, &[(0, 1, 0), (1, 2, 0), (2, 0, 0)], &[1]);
        assert_eq!(orient(&ring), [true, false, false]);
    }

    #[test]
    fn back_pointers_of_a_doubly_linked_list_run_back_wherever_it_is_entered() {
        let arcs = [(0, 1, 0), (1, 0, 1), (1, 2, 0), (2, 1, 1)];
        assert_eq!(orient(&graph(3, &arcs, &[1, 0])), [false, true, false, true]);
    }

    #[test]
    fn parent_pointers_run_up_even_when_they_come_first() {
        let arcs = [(1, 0, 0), (2, 0, 0), (0, 1, 1), (0, 2, 2)];
        assert_eq!(orient(&graph(3, &arcs, &[2, 0])), [true, true, false, false]);
    }

    #[test]
    fn parent_pointers_alone_run_up_to_the_root() {
        assert_eq!(orient(&graph(3, &[(1, 0, 0), (2, 0, 0)], &[0])), [true, true]);
    }
}

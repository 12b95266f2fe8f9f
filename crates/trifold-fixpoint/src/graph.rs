//! Orders on directed graphs: strongly connected components and depth-first numbering. For example, 0 → 1 ⇄ 2 → 3 has
//! the components {0}, {1, 2} and {3}.

/// The component of each vertex, numbered so that every edge leads to the same or a higher number.
///
/// Tarjan's algorithm, without recursion.
///
/// ```
/// // 0 → 1 ⇄ 2 → 3
/// let components = trifold_fixpoint::strongly_connected_components(&[vec![1], vec![2], vec![1, 3], vec![]]);
/// assert_eq!(components, [0, 1, 1, 2]);
/// ```
pub fn strongly_connected_components(successors: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let size = successors.len();
    let (mut number, mut low, mut component) = (vec![NONE; size], vec![0; size], vec![NONE; size]);
    let (mut stack, mut calls) = (Vec::new(), Vec::new());
    let (mut next_number, mut found) = (0, 0);
    for root in 0..size {
        if number[root] != NONE {
            continue;
        }
        calls.push((root, 0));
        while let Some((v, position)) = calls.pop() {
            if position == 0 {
                number[v] = next_number;
                low[v] = next_number;
                next_number += 1;
                stack.push(v);
            }
            if let Some(&w) = successors[v].get(position) {
                calls.push((v, position + 1));
                if number[w] == NONE {
                    calls.push((w, 0));
                } else if component[w] == NONE {
                    low[v] = low[v].min(number[w]);
                }
                continue;
            }
            if low[v] == number[v] {
                while let Some(w) = stack.pop() {
                    component[w] = found;
                    if w == v {
                        break;
                    }
                }
                found += 1;
            }
            if let Some((parent, _)) = calls.last() {
                low[*parent] = low[*parent].min(low[v]);
            }
        }
    }
    // Components are found in reverse topological order.
    component.iter().map(|c| found - 1 - c).collect()
}

/// The result of a depth-first search of a control-flow graph from its entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DepthFirst {
    /// Position of each vertex in post-order; unreachable vertices come last.
    pub post_order: Vec<usize>,
    /// Targets of edges that close a cycle of the search.
    pub back_edge_targets: Vec<bool>,
}

/// Searches depth first from `entry`.
pub fn depth_first(successors: &[Vec<usize>], entry: usize) -> DepthFirst {
    let size = successors.len();
    let mut post_order = vec![usize::MAX; size];
    let mut back_edge_targets = vec![false; size];
    let (mut seen, mut open) = (vec![false; size], vec![false; size]);
    let mut next = 0;
    for root in std::iter::once(entry).chain(0..size).filter(|root| *root < size) {
        if seen[root] {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((v, position)) = calls.pop() {
            seen[v] = true;
            open[v] = true;
            if let Some(&w) = successors[v].get(position) {
                calls.push((v, position + 1));
                if !seen[w] {
                    calls.push((w, 0));
                } else if open[w] {
                    back_edge_targets[w] = true;
                }
                continue;
            }
            open[v] = false;
            post_order[v] = next;
            next += 1;
        }
    }
    DepthFirst { post_order, back_edge_targets }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_separate_cycles_differ() {
        let components = strongly_connected_components(&[vec![1], vec![0, 2], vec![3], vec![2], vec![4, 0]]);
        assert_eq!(components[0], components[1]);
        assert_eq!(components[2], components[3]);
        assert!(components[4] < components[0] && components[0] < components[2]);
    }

    #[test]
    fn loop_heads_are_targets_of_back_edges() {
        // 0 → 1 → 2 → 1, 1 → 3, and a self loop at 3.
        let search = depth_first(&[vec![1], vec![2, 3], vec![1], vec![3]], 0);
        assert_eq!(search.back_edge_targets, [false, true, false, true]);
        assert_eq!(search.post_order[0], 3);
    }
}

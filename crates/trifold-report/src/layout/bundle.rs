//! All arcs between two vertices as one bundle of parallel strands.
//!
//! A pair of vertices is one edge to the rest of the layout, however many arcs connect it. This keeps a doubly linked
//! list straight, for example: its `next` and `prev` arcs are two strands on either side of the line through the nodes.

use super::graph::{Graph, Strength};

/// One arc of a bundle.
#[derive(Clone, Copy, Debug)]
pub struct Strand {
    /// The arc's index.
    pub arc: usize,
    /// Whether the arc runs from the head of the bundle to its tail.
    pub reversed: bool,
}

/// The arcs between two vertices.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The vertex the flow leaves.
    pub tail: usize,
    /// The vertex the flow enters.
    pub head: usize,
    /// The arcs, those along the flow first.
    pub strands: Vec<Strand>,
    /// The strength of the strongest arc.
    pub strength: Strength,
}

impl Bundle {
    /// Whether some arc runs along the flow.
    pub fn runs_forward(&self) -> bool {
        self.strands.iter().any(|strand| !strand.reversed)
    }
}

/// Gathers the arcs, loops left out, into bundles in the order of their first arc.
pub fn gather(graph: &Graph, reversed: &[bool]) -> Vec<Bundle> {
    let mut bundles: Vec<Bundle> = Vec::new();
    for (index, arc) in graph.arcs.iter().enumerate().filter(|(_, arc)| !arc.is_loop()) {
        let strand = Strand { arc: index, reversed: reversed[index] };
        let (tail, head) = if strand.reversed { (arc.to, arc.from) } else { (arc.from, arc.to) };
        match bundles.iter_mut().find(|bundle| (bundle.tail, bundle.head) == (tail, head)) {
            Some(bundle) => {
                bundle.strands.push(strand);
                bundle.strength = bundle.strength.min(arc.strength);
            }
            None => bundles.push(Bundle { tail, head, strands: vec![strand], strength: arc.strength }),
        }
    }
    for bundle in &mut bundles {
        bundle.strands.sort_by_key(|strand| strand.reversed);
    }
    bundles
}

//! Programs as the solver sees them: control-flow graphs, and calls between them [RinetzkySY05 §C.1].

use crate::graph::depth_first;
use crate::options::{Save, SolverOptions};
use crate::schedule::Order;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An edge of the control-flow graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowEdge {
    /// Where it starts.
    pub source: usize,
    /// What it does, in the domain's numbering.
    pub action: usize,
    /// Where it ends.
    pub target: usize,
}

/// A control-flow graph; location 0 is the entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlowGraph {
    /// The number of locations.
    pub locations: usize,
    /// The edges, in the order in which they are followed.
    pub edges: Vec<FlowEdge>,
}

/// The control-flow graphs of several procedures, and the calls between them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramGraph {
    /// All of them together. An edge that calls leads from the call site to the return site; its action is the call.
    pub flow: FlowGraph,
    /// The procedures.
    pub procedures: Vec<FlowProcedure>,
    /// The procedure that an edge calls, by the number of the edge. A call with several possible targets is several edges.
    pub calls: BTreeMap<usize, usize>,
}

/// A procedure: what its entry leads to, up to its exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowProcedure {
    /// Where a call starts.
    pub entry: usize,
    /// Where it ends.
    pub exit: usize,
}

/// The part of a procedure in the graph, and how to go through it.
pub(crate) struct Part {
    /// Its locations. They are numbered anew, from 0 on.
    pub locations: Vec<usize>,
    /// The new number of each location.
    pub local: BTreeMap<usize, usize>,
    /// The edges that leave each location, by their numbers in the whole graph.
    pub outgoing: Vec<Vec<usize>>,
    pub entry: usize,
    /// Where it returns, if it is called at all.
    pub exit: Option<usize>,
    pub order: Arc<Order>,
    pub saved: Vec<bool>,
}

impl Part {
    /// A graph that is one procedure.
    pub fn whole(graph: &FlowGraph, options: &SolverOptions) -> Part {
        Part::of(graph, (0..graph.locations).collect(), 0, None, options)
    }

    /// What the entry of a procedure leads to.
    pub fn procedure(graph: &FlowGraph, procedure: FlowProcedure, options: &SolverOptions) -> Part {
        let mut outgoing = vec![Vec::new(); graph.locations];
        graph.edges.iter().for_each(|edge| outgoing[edge.source].push(edge.target));
        let mut found = vec![false; graph.locations];
        let mut open = vec![procedure.entry, procedure.exit];
        while let Some(location) = open.pop() {
            if !std::mem::replace(&mut found[location], true) {
                open.extend(&outgoing[location]);
            }
        }
        let locations = (0..graph.locations).filter(|location| found[*location]).collect();
        Part::of(graph, locations, procedure.entry, Some(procedure.exit), options)
    }

    /// `locations` is closed under the edges of the graph.
    fn of(
        graph: &FlowGraph,
        locations: Vec<usize>,
        entry: usize,
        exit: Option<usize>,
        options: &SolverOptions,
    ) -> Part {
        let local: BTreeMap<usize, usize> = locations.iter().enumerate().map(|(l, location)| (*location, l)).collect();
        let (mut outgoing, mut successors) = (vec![Vec::new(); locations.len()], vec![Vec::new(); locations.len()]);
        for (number, edge) in graph.edges.iter().enumerate() {
            if let Some(source) = local.get(&edge.source) {
                outgoing[*source].push(number);
                successors[*source].push(local[&edge.target]);
            }
        }
        let (entry, exit) = (local.get(&entry).copied().unwrap_or(0), exit.map(|exit| local[&exit]));
        let always = |l: usize| l == entry || Some(l) == exit || options.always_saved.contains(&locations[l]);
        let by_policy = saved(&successors, entry, options.save);
        Part {
            saved: by_policy.into_iter().enumerate().map(|(l, saved)| saved || always(l)).collect(),
            order: Arc::new(Order::new(&successors, entry, options.traversal)),
            locations,
            local,
            outgoing,
            entry,
            exit,
        }
    }
}

/// Ends always keep their states; so does a location of every cycle.
fn saved(successors: &[Vec<usize>], entry: usize, save: Save) -> Vec<bool> {
    let mut incoming = vec![0; successors.len()];
    successors.iter().flatten().for_each(|target| incoming[*target] += 1);
    let back = depth_first(successors, entry).back_edge_targets;
    let saved = |location: usize| {
        let by_policy = match save {
            Save::All => true,
            Save::MergePoints => incoming[location] > 1 || back[location],
            Save::BackEdges => back[location],
        };
        by_policy || successors[location].is_empty()
    };
    (0..successors.len()).map(saved).collect()
}

//! Programs as the solver sees them: control-flow graphs, and calls between them [RinetzkySY05 §C.1].
//!
//! For example, `while (*) f();` is a graph with two locations, an edge from 0 to 0 that calls the procedure `f`, and
//! an edge from 0 to 1.

use crate::graph::depth_first;
use crate::id_vec::IdVec;
use crate::ids::{EdgeId, LocationId, ProcedureId};
use crate::options::{Save, SolverOptions};
use crate::schedule::Order;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An edge of the control-flow graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowEdge {
    /// Where it starts.
    pub source: LocationId,
    /// How it is followed.
    pub kind: FlowKind,
    /// Where it ends.
    pub target: LocationId,
}

/// How an edge is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowKind {
    /// In one step of the domain.
    Step,
    /// Through a procedure: the edge leads from the call site to the return site. A call with several possible targets
    /// is several edges.
    Call(ProcedureId),
}

/// A control-flow graph. Without procedures it is entered at [`LocationId::ENTRY`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlowGraph {
    /// The number of locations.
    pub locations: usize,
    /// The edges, in the order in which they are followed.
    pub edges: IdVec<EdgeId, FlowEdge>,
}

impl FlowGraph {
    fn location_ids(&self) -> impl Iterator<Item = LocationId> + use<> {
        (0..self.locations).map(LocationId::from_index)
    }
}

/// The control-flow graphs of several procedures that call each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramGraph {
    /// All of them together.
    pub flow: FlowGraph,
    /// The procedures.
    pub procedures: IdVec<ProcedureId, FlowProcedure>,
}

/// A procedure: the locations that its entry leads to, up to its exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowProcedure {
    /// Where a call starts.
    pub entry: LocationId,
    /// Where it ends.
    pub exit: LocationId,
}

/// The part of a procedure in the graph, and how to go through it.
pub(crate) struct Part {
    /// Its locations. They are numbered anew, from 0 on.
    pub locations: Vec<LocationId>,
    /// The new number of each location.
    pub local: BTreeMap<LocationId, usize>,
    /// The edges that leave each location.
    pub outgoing: Vec<Vec<EdgeId>>,
    pub entry: usize,
    /// Where it returns, if it is called at all.
    pub exit: Option<usize>,
    pub order: Arc<Order>,
    pub saved: Vec<bool>,
}

impl Part {
    /// A graph that is one procedure.
    pub fn whole(graph: &FlowGraph, options: &SolverOptions) -> Part {
        Part::of(graph, graph.location_ids().collect(), LocationId::ENTRY, None, options)
    }

    /// The locations that the entry of a procedure leads to.
    pub fn procedure(graph: &FlowGraph, procedure: FlowProcedure, options: &SolverOptions) -> Part {
        let mut outgoing: IdVec<LocationId, Vec<LocationId>> = IdVec::filled(Vec::new(), graph.locations);
        graph.edges.iter().for_each(|edge| outgoing[edge.source].push(edge.target));
        let mut found: IdVec<LocationId, bool> = IdVec::filled(false, graph.locations);
        let mut open = vec![procedure.entry, procedure.exit];
        while let Some(location) = open.pop() {
            if !std::mem::replace(&mut found[location], true) {
                open.extend(&outgoing[location]);
            }
        }
        let locations = graph.location_ids().filter(|location| found[*location]).collect();
        Part::of(graph, locations, procedure.entry, Some(procedure.exit), options)
    }

    /// `locations` is closed under the edges of the graph.
    fn of(
        graph: &FlowGraph,
        locations: Vec<LocationId>,
        entry: LocationId,
        exit: Option<LocationId>,
        options: &SolverOptions,
    ) -> Part {
        let local: BTreeMap<LocationId, usize> =
            locations.iter().enumerate().map(|(l, location)| (*location, l)).collect();
        let (mut outgoing, mut successors) = (vec![Vec::new(); locations.len()], vec![Vec::new(); locations.len()]);
        for (id, edge) in graph.edges.enumerate() {
            if let Some(source) = local.get(&edge.source) {
                outgoing[*source].push(id);
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

//! Programs as the solver sees them: control-flow graphs, and calls between them [RinetzkySY05 §C.1].
//!
//! For example, `while (*) f();` is a graph with two locations, an edge from 0 to 0 that calls the procedure `f`, and
//! an edge from 0 to 1.

use crate::graph::depth_first;
use crate::id_vec::IdVec;
use crate::ids::{EdgeId, LocationId, ProcedureId};
use crate::options::{Save, SolverOptions};
use crate::schedule::Order;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use trifold_work::listen;

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
        let locations = graph.location_ids().collect();
        Part::of(graph, &leaving(graph), locations, LocationId::ENTRY, None, options)
    }

    /// Of each procedure the locations that its entry leads to.
    pub fn procedures(program: &ProgramGraph, options: &SolverOptions) -> IdVec<ProcedureId, Part> {
        let graph = &program.flow;
        let leaving = leaving(graph);
        let part = |procedure: &FlowProcedure| {
            let mut found: BTreeSet<LocationId> = BTreeSet::new();
            let mut open = vec![procedure.entry, procedure.exit];
            while let Some(location) = open.pop() {
                listen();
                if found.insert(location) {
                    open.extend(leaving[location].iter().map(|edge| graph.edges[*edge].target));
                }
            }
            let locations = found.into_iter().collect();
            Part::of(graph, &leaving, locations, procedure.entry, Some(procedure.exit), options)
        };
        program.procedures.iter().map(part).collect()
    }

    /// `locations` is closed under the edges of the graph.
    fn of(
        graph: &FlowGraph,
        leaving: &IdVec<LocationId, Vec<EdgeId>>,
        locations: Vec<LocationId>,
        entry: LocationId,
        exit: Option<LocationId>,
        options: &SolverOptions,
    ) -> Part {
        let local: BTreeMap<LocationId, usize> =
            locations.iter().enumerate().map(|(l, location)| (*location, l)).collect();
        let outgoing: Vec<Vec<EdgeId>> = locations.iter().map(|location| leaving[*location].clone()).collect();
        let targets = |edges: &Vec<EdgeId>| edges.iter().map(|edge| local[&graph.edges[*edge].target]).collect();
        let successors: Vec<Vec<usize>> = outgoing.iter().map(targets).collect();
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

/// The edges that leave each location.
fn leaving(graph: &FlowGraph) -> IdVec<LocationId, Vec<EdgeId>> {
    let mut leaving = IdVec::filled(Vec::new(), graph.locations);
    graph.edges.enumerate().for_each(|(id, edge)| leaving[edge.source].push(id));
    leaving
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

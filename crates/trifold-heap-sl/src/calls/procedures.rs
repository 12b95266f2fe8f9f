//! Calls through the shared tabulation: a procedure is analysed once per abstract input, on the part of memory that it
//! can come to.
//!
//! Where a procedure is called from outside of its recursion, its input is the graph as it is. Recursive calls would
//! come with larger and larger graphs, so those are taken together that are alike at their [roots](Root), and joined as
//! at the head of a loop; so are the graphs at the end of a procedure that calls itself. For example, all recursive
//! calls `f(p)` where `p` is the start of a list are one input, however long the unfolded part of the list is.

use crate::domain::{Checking, Event, Policy, State};
use crate::frame::Split;
use crate::graph::shape_graph::{Kind, ShapeGraph, Site, Symbol};
use crate::transfer::{Effects, Fault, uninitialised};
use std::collections::BTreeMap;
use trifold_fixpoint::{EdgeId, Procedural, ProcedureId, Step};
use trifold_ir::{Operand, ProcId, Statement, StructId, VarId};

/// So many values may be shared with the callers in a recursive call: each level of a recursion could add one.
const MAX_SHARED: usize = 8;

/// The difference between the inputs of a procedure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    /// The input itself.
    Input(ShapeGraph),
    /// The values that lead into the graph, and which of them are the same; does the graph have lengths?
    Roots(bool, Vec<(Option<VarId>, usize, Root)>),
}

/// The knowledge about a value with which a recursive call begins. There are finitely many for all graphs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Root {
    /// Anything but the following.
    Value,
    /// Null.
    Null,
    /// A number that conditions mention.
    Number(i128),
    /// The address of a block of this kind.
    Block(StructId, usize),
    /// An address in a region that a checker describes.
    Region(StructId, bool),
}

impl Checking<'_> {
    /// A caller's graph, split for the call on an edge, with the arguments; is the memory that they lead to given up?
    fn split(
        &self,
        caller: &ShapeGraph,
        procedure: ProcId,
        number: usize,
        target: ProcId,
    ) -> Option<(Split, Vec<Symbol>, bool)> {
        let edge = &self.program[procedure].edges[number];
        let Statement::Call { to, arguments, .. } = &edge.statement else { return None };
        let mut graph = caller.clone();
        let value = |(argument, parameter): (&Operand, &VarId)| {
            self.transfer().operand(&mut graph, argument, self.program[*parameter].ty)
        };
        let args: Vec<Symbol> = arguments.iter().zip(&self.program[target].parameters).map(value).collect();
        // Values that the caller still reads are not forgotten; the others may be kept by the callee from being lost.
        let before = std::mem::replace(&mut graph.outside, args.clone());
        graph.outside.extend(&before);
        let depth = graph.frames.len();
        self.forget_dead(&mut graph, depth - 1, edge.to, *to);
        graph.outside = before;
        let sight = &self.sights[target.index()];
        let parameters = self.program[target].parameters.iter().zip(&args);
        let looked_at: Vec<Symbol> = parameters.filter(|(p, _)| sight.looks_at(**p)).map(|(_, arg)| *arg).collect();
        let split = Split::new(&graph, sight, &args, &looked_at, &self.layouts);
        if !self.recurs(procedure, target) || split.inner.outside.len() <= MAX_SHARED {
            return Some((split, args, false));
        }
        graph.give_up(&args, &self.layouts, &self.roles);
        Some((Split::new(&graph, sight, &args, &[], &self.layouts), args, true))
    }

    fn enter(&self, caller: &ShapeGraph, procedure: ProcId, number: usize, target: ProcId) -> Effects {
        let mut effects = Effects::default();
        if self.checked(caller, procedure, number, target).is_some()
            || self.is_by_contract(caller, procedure, number, target)
        {
            return effects;
        }
        let Some((split, args, given_up)) = self.split(caller, procedure, number, target) else { return effects };
        let mut graph = split.inner;
        if given_up {
            let name = &self.program[target].name;
            let text = format!("too many pointers of callers lead to what `{name}` works on");
            effects.faults.push(Fault::given_up(text));
        }
        self.push_frame(&mut graph, target, true, args);
        self.forget_dead(&mut graph, 0, self.program[target].entry, None);
        if self.counts_within(target) {
            graph.count();
        }
        effects.graphs.push(graph);
        effects
    }

    fn leave(
        &self,
        caller: &ShapeGraph,
        exit: &ShapeGraph,
        procedure: ProcId,
        number: usize,
        target: ProcId,
    ) -> Effects {
        let mut effects = Effects::default();
        let edge = &self.program[procedure].edges[number];
        let Statement::Call { to, .. } = &edge.statement else { return effects };
        let Some((split, ..)) = self.split(caller, procedure, number, target) else { return effects };
        let result = self.program[target].result.and_then(|result| exit.frame().values.get(&result).copied());
        let returned = |graph: &mut ShapeGraph, moved: &dyn Fn(Symbol) -> Symbol| {
            let Some(to) = to else { return };
            let result = result.map(moved).unwrap_or_else(|| graph.fresh(uninitialised(self.program[*to].ty)));
            graph.write(self.program, *to, result);
        };
        let counted_within = exit.relations.has_lengths && !caller.relations.has_lengths;
        let forgetful = counted_within.then(|| exit.clone().without_counts());
        let Ok(mut graph) = split.beside(forgetful.as_ref().unwrap_or(exit), returned) else { return effects };
        self.lose(&mut graph, &mut effects.faults);
        let depth = graph.frames.len();
        self.forget_dead(&mut graph, depth - 1, edge.to, None);
        effects.graphs.push(graph);
        effects
    }

    /// Does a call go on with a recursion?
    fn recurs(&self, caller: ProcId, target: ProcId) -> bool {
        self.calls.is_recursive(target) && self.calls.call_each_other(caller, target)
    }

    /// The values with which a recursive call begins.
    fn roots(&self, graph: &ShapeGraph) -> Vec<(Option<VarId>, usize, Root)> {
        let variables =
            graph.globals.iter().chain(&graph.frame().values).map(|(variable, symbol)| (Some(*variable), *symbol));
        let values = variables.chain(graph.outside.iter().map(|symbol| (None, *symbol)));
        let mut numbers: BTreeMap<Symbol, usize> = BTreeMap::new();
        let root = |symbol: Symbol| match (graph.kind(symbol), graph.site(symbol)) {
            (Kind::Null, _) => Root::Null,
            (Kind::Scalar((low, high)), _) if low == high && self.roles.numbers.mentioned().contains(&low) => {
                Root::Number(low)
            }
            (_, Some(Site::Block(block, part))) => Root::Block(graph.blocks[block].structure, part),
            (_, Some(Site::Source(edge) | Site::Last(edge, _))) => {
                let edge = &graph.edges[edge];
                Root::Region(edge.checker.structure, edge.end.is_some())
            }
            _ => Root::Value,
        };
        let mut roots = Vec::new();
        for (variable, symbol) in values {
            let next = numbers.len();
            roots.push((variable, *numbers.entry(symbol).or_insert(next), root(symbol)));
        }
        roots
    }
}

impl Procedural for Checking<'_> {
    type Key = Key;

    fn key(&self, _: ProcedureId, entry: &State) -> Key {
        match entry.policy {
            Policy::Keep | Policy::Return | Policy::End => Key::Input(entry.graph.clone()),
            Policy::Join => Key::Roots(entry.graph.relations.has_lengths, self.roots(&entry.graph)),
        }
    }

    fn extract(&self, edge: EdgeId, caller: &State, (): &mut ()) -> Step<State, Event> {
        let Some((procedure, number, target)) = self.called(edge) else {
            return Step { states: Vec::new(), events: Vec::new() };
        };
        let effects = self.enter(&caller.graph, procedure, number, target);
        let policy = if self.recurs(procedure, target) { Policy::Join } else { Policy::Keep };
        self.outcome(caller, effects, policy)
    }

    fn combine(&self, edge: EdgeId, caller: &State, exit: &State, (): &mut ()) -> Step<State, Event> {
        let Some((procedure, number, target)) = self.called(edge) else {
            return Step { states: Vec::new(), events: Vec::new() };
        };
        let mut effects = self.leave(&caller.graph, &exit.graph, procedure, number, target);
        if exit.given_up {
            let name = &self.program[target].name;
            let text = format!("what memory looks like behind `{name}` cannot be described");
            effects.faults.push(Fault::given_up(text));
        }
        self.outcome(caller, effects, self.policy(edge))
    }
}

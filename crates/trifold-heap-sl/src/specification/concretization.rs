//! Is a concrete state represented by a graph? The judge of the analysis [ChangRN07 §3, semantics of shape graphs].
//!
//! A state is represented if there is a way to unfold all edges, and a valuation of the symbols, such that the blocks
//! are the objects of the state, one by one. Mostly the values of variables leave no choice: a complete region that
//! starts at an object has a first block, one that starts at null is empty. So the search goes on where there are the
//! fewest ways, and it tries objects for symbols that nothing leads to only when nothing else is left. Objects that are
//! in no region are in [⊤](crate::graph::top) if there is any; pointers into it lead to no object of a region. For
//! example, a heap of two linked nodes, with the first one in `x`, is represented by `α.node_list()`, where `x` is α.

use crate::checker::definition::Wild;
use crate::graph::shape_graph::Top;
use crate::graph::shape_graph::{Edge, Kind, ShapeGraph, Symbol};
use crate::layout::Layouts;
use std::collections::BTreeSet;
use trifold_ir::{FieldId, ObjectId, Program, Region, State, Status, Value, VarId};
use trifold_passes::CallGraph;
use trifold_passes::unread::unread_fields;

/// Is a state represented?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Membership {
    /// By no valuation.
    No,
    /// There were too many ways to try.
    GivenUp,
    /// Yes.
    Yes,
}

/// So many graphs are looked at before the search is given up.
const MAX_STEPS: usize = 5_000;

/// A state that graphs are compared with.
pub struct Judge<'s> {
    program: &'s Program,
    layouts: &'s Layouts,
    state: &'s State,
    /// Objects that must be in a region.
    needed: BTreeSet<ObjectId>,
    /// Those of them that must be in a region of the call by itself.
    needed_in_call: BTreeSet<ObjectId>,
    /// Fields that no statement reads: their values in ⊤ do not matter.
    unread: BTreeSet<FieldId>,
}

/// The values of symbols, as far as they follow from those of variables.
type Valuation = Vec<Option<Value>>;

/// The consequences of the values of variables.
struct Matched {
    valuation: Valuation,
    /// The objects that blocks are.
    claimed: BTreeSet<ObjectId>,
    /// A block to which nothing leads.
    open: Option<usize>,
}

/// The progress of a search.
#[derive(Default)]
struct Search {
    steps: usize,
    /// Graphs, with the objects that were chosen for them, that do not represent the state.
    failed: BTreeSet<(ShapeGraph, Vec<Value>)>,
}

impl<'s> Judge<'s> {
    /// A judge for a state. If `all` is not set, there may be objects on the heap that a graph does not have. So many
    /// objects had been allocated when the current call began: a graph of the call by itself has all the others, and of
    /// these any.
    pub fn new(
        program: &'s Program,
        layouts: &'s Layouts,
        state: &'s State,
        all: bool,
        before_call: usize,
    ) -> Judge<'s> {
        let reached = state.reachable(&[]);
        let roots = state.objects.iter().enumerate().filter(|(_, object)| object.part_of.is_none());
        let alive = roots.filter(|(_, object)| object.status == Status::Alive);
        let needed = alive.filter(|(id, object)| object.region != Region::Heap || all && reached[*id]);
        let needed: BTreeSet<ObjectId> = needed.map(|(id, _)| ObjectId(id as u32)).collect();
        let needed_in_call = needed.iter().copied().filter(|object| object.index() >= before_call).collect();
        let unread = unread_fields(program, &CallGraph::of(program).reached(state.frames[0].procedure));
        Judge { program, layouts, state, needed, needed_in_call, unread }
    }

    /// Is the state represented? Of a call by itself the values of its callers are not known.
    pub fn represents(&self, graph: &ShapeGraph) -> Membership {
        if !graph.frame().called && graph.frames.len() != self.state.frames.len() {
            return Membership::No;
        }
        self.search(graph.clone(), &[], &mut Search::default())
    }

    /// Tries all ways to unfold that the state leaves open.
    fn search(&self, mut graph: ShapeGraph, chosen: &[Value], search: &mut Search) -> Membership {
        loop {
            search.steps += 1;
            if search.steps > MAX_STEPS {
                return Membership::GivenUp;
            }
            let Some(matched) = self.matched(&graph, chosen) else { return Membership::No };
            if graph.edges.is_empty() && matched.open.is_none() {
                let needed = if graph.frame().called { &self.needed_in_call } else { &self.needed };
                let is_all = graph.top != Top::Nothing || needed.is_subset(&matched.claimed);
                let is_one = is_all && self.is_apart(&graph, &matched) && is_bounded(&graph, &matched);
                return if is_one { Membership::Yes } else { Membership::No };
            }
            let Some(mut ways) = self.fewest_ways(&graph, &matched, chosen) else {
                return self.guess(&graph, &matched, chosen, search);
            };
            match ways.len() {
                0 => return Membership::No,
                1 => {
                    graph = ways.remove(0);
                    continue;
                }
                _ => {}
            }
            graph.canonical();
            let key = (graph, chosen.to_vec());
            if search.failed.contains(&key) {
                return Membership::No;
            }
            let found = first_yes(ways.into_iter().map(|way| self.search(way, chosen, search)));
            if found == Membership::No {
                search.failed.insert(key);
            }
            return found;
        }
    }

    /// The ways to unfold the edge that has the fewest of them, among those to which something leads.
    fn fewest_ways(&self, graph: &ShapeGraph, matched: &Matched, chosen: &[Value]) -> Option<Vec<ShapeGraph>> {
        let mut fewest: Option<Vec<ShapeGraph>> = None;
        for number in 0..graph.edges.len() {
            let Some(unfolded) = self.unfold(graph, number, matched) else { continue };
            let empty = (graph.edges[number].min == 0).then(|| graph.unfold_empty(number)).flatten();
            let mut ways: Vec<ShapeGraph> = empty.into_iter().chain(unfolded).collect();
            ways.retain(|way| self.matched(way, chosen).is_some());
            if ways.len() <= 1 {
                return Some(ways);
            }
            if fewest.as_ref().is_none_or(|known| ways.len() < known.len()) {
                fewest = Some(ways);
            }
        }
        fewest
    }

    /// The ways in which an edge has a first or a last block, if it is known which object that is.
    fn unfold(&self, graph: &ShapeGraph, number: usize, matched: &Matched) -> Option<Vec<ShapeGraph>> {
        let Edge { source, end, checker, .. } = &graph.edges[number];
        let is_known = |symbol: Symbol| matched.valuation[symbol.index()].is_some();
        if is_known(*source) {
            return Some(graph.unfold_first(number, self.layouts));
        }
        let mut args = end.iter().flat_map(|end| end.args.iter().enumerate());
        let (param, _) = args.find(|(param, arg)| checker.back(*param).is_some() && is_known(**arg))?;
        Some(graph.unfold_last(number, param, self.layouts))
    }

    /// Tries objects for something to which nothing leads: a block, or the start of an edge.
    fn guess(&self, graph: &ShapeGraph, matched: &Matched, chosen: &[Value], search: &mut Search) -> Membership {
        let empty = match matched.open {
            Some(_) => None,
            None if graph.edges[0].min > 0 => None,
            None => graph.unfold_empty(0),
        };
        let symbol = matched.open.map_or_else(|| graph.edges[0].source, |block| graph.blocks[block].parts[0]);
        let is_free =
            |object: &ObjectId| !matched.claimed.contains(object) && self.state.object(*object).status == Status::Alive;
        let objects = (0..self.state.objects.len()).map(|id| ObjectId(id as u32)).filter(is_free);
        // The choice is the value of a variable that the program does not have.
        let variable = VarId::from_index(self.program.variables.len() + chosen.len());
        let mut bound = graph.clone();
        bound.globals.insert(variable, symbol);
        let mut tries: Vec<(ShapeGraph, Vec<Value>)> =
            empty.into_iter().map(|graph| (graph, chosen.to_vec())).collect();
        tries.extend(objects.map(|object| (bound.clone(), [chosen, &[Value::Object(object)]].concat())));
        first_yes(tries.into_iter().map(|(graph, chosen)| self.search(graph, &chosen, search)))
    }

    /// The valuation that makes variables and blocks agree with the state.
    fn matched(&self, graph: &ShapeGraph, chosen: &[Value]) -> Option<Matched> {
        let mut valuation: Valuation = vec![None; graph.kinds.len()];
        for (variable, symbol) in &graph.globals {
            let choice = variable.index().checked_sub(self.program.variables.len());
            let value = choice.map_or_else(|| self.state.globals[variable], |choice| chosen[choice]);
            self.bind(graph, &mut valuation, *symbol, value)?;
        }
        for (frame, concrete) in graph.frames.iter().rev().zip(self.state.frames.iter().rev()) {
            if frame.procedure != concrete.procedure {
                return None;
            }
            for (variable, symbol) in &frame.values {
                self.bind(graph, &mut valuation, *symbol, concrete.values[variable])?;
            }
        }
        let mut claimed = BTreeSet::new();
        let mut open: Vec<usize> = (0..graph.blocks.len()).collect();
        loop {
            let is_known =
                |block: &usize| graph.blocks[*block].parts.iter().any(|part| valuation[part.index()].is_some());
            let Some(at) = open.iter().position(is_known) else { break };
            self.block(graph, &mut valuation, open.remove(at), &mut claimed)?;
        }
        Some(Matched { valuation, claimed, open: open.first().copied() })
    }

    fn block(
        &self,
        graph: &ShapeGraph,
        valuation: &mut Valuation,
        number: usize,
        claimed: &mut BTreeSet<ObjectId>,
    ) -> Option<()> {
        let block = &graph.blocks[number];
        let layout = &self.layouts[block.structure];
        let (part, symbol) = block.parts.iter().enumerate().find(|(_, part)| valuation[part.index()].is_some())?;
        let Some(Value::Object(mut object)) = valuation[symbol.index()] else { return None };
        let mut at = part;
        while let Some((owner, field)) = layout.parts[at].of {
            let (container, of) = self.state.object(object).part_of?;
            if of != field {
                return None;
            }
            (object, at) = (container, owner);
        }
        let root = self.state.object(object);
        if root.structure != block.structure || root.region != block.region || !claimed.insert(object) {
            return None;
        }
        let mut objects = vec![object];
        for part in &layout.parts[1..] {
            let (owner, field) = part.of?;
            let container = self.state.object(objects[owner]);
            objects.push(container.fields[self.program[field].position].referent()?);
        }
        for ((object, symbol), part) in objects.iter().zip(&block.parts).zip(&layout.parts) {
            let concrete = self.state.object(*object);
            if concrete.structure != part.structure || concrete.status != Status::Alive {
                return None;
            }
            self.bind(graph, valuation, *symbol, Value::Object(*object))?;
        }
        for (cell, symbol) in layout.cells.iter().zip(&block.cells) {
            let value = self.state.object(objects[cell.part]).fields[self.program[cell.field].position];
            self.bind(graph, valuation, *symbol, value)?;
        }
        Some(())
    }

    fn bind(&self, graph: &ShapeGraph, valuation: &mut Valuation, symbol: Symbol, value: Value) -> Option<()> {
        if let Some(known) = valuation[symbol.index()] {
            return (known == value).then_some(());
        }
        let fits = match (graph.kind(symbol), value) {
            (Kind::Null, value) => value == Value::Null,
            // A number that was never read has any value.
            (Kind::Scalar(_), Value::Uninitialised) => true,
            (Kind::Scalar((low, high)), Value::Scalar(number) | Value::Inexact(number, _)) => {
                (low..=high).contains(&number)
            }
            (Kind::Scalar(_), _) | (Kind::Pointer, Value::Scalar(_) | Value::Inexact(..)) => false,
            (Kind::Pointer, _) => true,
            (Kind::Wild(wild), Value::Scalar(_) | Value::Inexact(..)) if wild.has(Wild::TOP) => false,
            // Whether it leads to a region is asked when the regions are known.
            (Kind::Wild(wild), _) if wild.has(Wild::TOP) => true,
            (Kind::Wild(wild), value) => self.wild(value).is_some_and(|one| wild.has(one)),
            (Kind::Outside(part, field), Value::Outside { part: object, field: of }) => {
                field == of && self.bind(graph, valuation, part, Value::Object(object)).is_some()
            }
            (Kind::Outside(..), _) => false,
        };
        valuation[symbol.index()] = Some(value);
        fits.then_some(())
    }

    /// Does nothing that leads into ⊤ lead to an object of a region?
    fn is_apart(&self, graph: &ShapeGraph, matched: &Matched) -> bool {
        let leads_there = |symbol: &usize| matches!(graph.kinds[*symbol], Kind::Wild(wild) if wild.has(Wild::TOP));
        let values = (0..graph.kinds.len()).filter(leads_there).filter_map(|symbol| matched.valuation[symbol]);
        let mut open: Vec<ObjectId> = values.filter_map(|value| value.referent()).collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            let object = self.state.object(id);
            if object.status != Status::Alive || !seen.insert(id) {
                continue;
            }
            let fields = self.program[object.structure].fields.iter().zip(&object.fields);
            let read = fields.filter(|(field, _)| !self.unread.contains(field));
            open.extend(read.filter_map(|(_, value)| value.referent()));
            open.extend(object.part_of.map(|(container, _)| container));
        }
        seen.is_disjoint(&matched.claimed)
    }

    fn wild(&self, value: Value) -> Option<Wild> {
        match value {
            Value::Null => Some(Wild::NULL),
            Value::Uninitialised => Some(Wild::UNINITIALISED),
            Value::Object(object) => {
                let object = self.state.object(object);
                match (object.status, object.part_of) {
                    (Status::Alive, _) => None,
                    (Status::Freed, None) => Some(Wild::FREED),
                    (Status::Freed, Some(_)) => Some(Wild::FREED_PART),
                    (Status::Dead, _) => Some(Wild::DEAD),
                }
            }
            Value::Outside { .. } | Value::Scalar(_) | Value::Inexact(..) => None,
        }
    }
}

/// Have the relations of numbers a solution with the numbers that are known? Numbers that were never read have any
/// value.
fn is_bounded(graph: &ShapeGraph, matched: &Matched) -> bool {
    let mut graph = graph.clone();
    let is_inside = |(symbol, value): (usize, &Option<Value>)| {
        let Some(number) = value.and_then(Value::number) else { return true };
        let Kind::Scalar((low, high)) = graph.kinds[symbol] else { return true };
        graph.kinds[symbol] = Kind::Scalar((number, number));
        (low..=high).contains(&number)
    };
    matched.valuation.iter().enumerate().all(is_inside) && graph.tighten().is_ok()
}

/// The first yes, or else whether anything was given up.
fn first_yes(tried: impl Iterator<Item = Membership>) -> Membership {
    let mut found = Membership::No;
    for membership in tried {
        found = found.max(membership);
        if found == Membership::Yes {
            break;
        }
    }
    found
}

//! Is a concrete state represented by a graph? The judge of the analysis [ChangRN07 §3, semantics of shape graphs].
//!
//! A state is represented if there is a way to unfold all edges, and a valuation of the symbols, such that the blocks are the
//! objects of the state, one by one.

use crate::checker::Wild;
use crate::graph::{Graph, Kind, Site, Symbol};
use crate::layout::Layouts;
use std::collections::BTreeSet;
use trifold_ir::{ObjectId, Program, Region, State, Status, Value};

/// Is the state represented? If `all` is not set, there may be objects on the heap that the graph does not have.
pub fn represents(graph: &Graph, program: &Program, state: &State, all: bool) -> bool {
    if graph.frames.len() != state.frames.len() {
        return false;
    }
    let reached = state.reachable(&[]);
    let roots = state.objects.iter().enumerate().filter(|(_, object)| object.part_of.is_none());
    let alive = roots.filter(|(_, object)| object.status == Status::Alive);
    let needed = alive.filter(|(id, object)| object.region != Region::Heap || all && reached[*id]);
    let needed = needed.map(|(id, _)| ObjectId(id as u32)).collect();
    let judge = Judge { program, layouts: &Layouts::new(program), state, needed };
    judge.search(graph, &[], 2 * state.objects.len() + graph.edges.len() + 4)
}

struct Judge<'s> {
    program: &'s Program,
    layouts: &'s Layouts,
    state: &'s State,
    /// Objects that must be in a region.
    needed: BTreeSet<ObjectId>,
}

/// The values of symbols, as far as they follow from those of variables.
type Valuation = Vec<Option<Value>>;

/// What follows from the values of variables.
struct Matched {
    valuation: Valuation,
    /// The objects that blocks are.
    claimed: BTreeSet<ObjectId>,
    /// A block to which nothing leads.
    open: Option<usize>,
}

impl Judge<'_> {
    /// Tries all ways to unfold that the state leaves open.
    fn search(&self, graph: &Graph, bound: &[(Symbol, Value)], depth: usize) -> bool {
        let Some(Matched { valuation, claimed, open }) = self.matched(graph, bound) else { return false };
        if let Some(block) = open {
            // Nothing leads to the block: it may be any object.
            let objects = (0..self.state.objects.len()).map(|id| ObjectId(id as u32));
            return objects.filter(|object| !claimed.contains(object)).any(|object| {
                let choice = (graph.blocks[block].parts[0], Value::Object(object));
                depth > 0 && self.search(graph, &[bound, &[choice]].concat(), depth - 1)
            });
        }
        if graph.edges.is_empty() {
            return self.needed.is_subset(&claimed);
        }
        if depth == 0 {
            return false;
        }
        let is_known = |symbol: Symbol| valuation[symbol.index()].is_some();
        let known = graph.edges.iter().position(|edge| is_known(edge.source));
        let site = known.map(Site::Source).or_else(|| {
            let mut named = (0..graph.edges.len()).flat_map(|edge| {
                let args = graph.edges[edge].end.iter().flat_map(|end| end.args.iter().enumerate());
                args.map(move |(param, arg)| (edge, param, *arg))
            });
            let is_back = |edge: usize, param| graph.edges[edge].checker.back(param).is_some();
            let found = named.find(|(edge, param, arg)| is_back(*edge, *param) && is_known(*arg));
            found.map(|(edge, param, _)| Site::Last(edge, param))
        });
        let (edge, unfolded) = match site.unwrap_or(Site::Source(0)) {
            Site::Last(edge, param) => (edge, graph.unfold_last(edge, param, self.layouts)),
            Site::Source(edge) | Site::Block(edge, _) => (edge, graph.unfold_first(edge, self.layouts)),
        };
        let empty = (graph.edges[edge].min == 0).then(|| graph.unfold_empty(edge)).flatten();
        empty.into_iter().chain(unfolded).any(|graph| self.search(&graph, bound, depth - 1))
    }

    /// The valuation that makes variables and blocks agree with the state.
    fn matched(&self, graph: &Graph, bound: &[(Symbol, Value)]) -> Option<Matched> {
        let mut valuation: Valuation = vec![None; graph.kinds.len()];
        for (symbol, value) in bound {
            self.bind(graph, &mut valuation, *symbol, *value)?;
        }
        for (variable, symbol) in &graph.globals {
            self.bind(graph, &mut valuation, *symbol, self.state.globals[variable])?;
        }
        for (frame, concrete) in graph.frames.iter().zip(&self.state.frames) {
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
        graph: &Graph,
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

    fn bind(&self, graph: &Graph, valuation: &mut Valuation, symbol: Symbol, value: Value) -> Option<()> {
        if let Some(known) = valuation[symbol.index()] {
            return (known == value).then_some(());
        }
        let fits = match (graph.kind(symbol), value) {
            (Kind::Null, value) => value == Value::Null,
            // A number that was never read has any value.
            (Kind::Scalar(_), Value::Uninitialised) => true,
            (Kind::Scalar((low, high)), Value::Scalar(number)) => (low..=high).contains(&number),
            (Kind::Scalar(_), _) | (Kind::Pointer, Value::Scalar(_)) => false,
            (Kind::Pointer, _) => true,
            (Kind::Wild(wild), value) => self.wild(value).is_some_and(|one| wild.has(one)),
            (Kind::Outside(part, field), Value::Outside { part: object, field: of }) => {
                field == of && self.bind(graph, valuation, part, Value::Object(object)).is_some()
            }
            (Kind::Outside(..), _) => false,
        };
        valuation[symbol.index()] = Some(value);
        fits.then_some(())
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
            Value::Outside { .. } | Value::Scalar(_) => None,
        }
    }
}

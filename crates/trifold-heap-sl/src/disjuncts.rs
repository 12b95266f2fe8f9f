//! Which graphs a program point keeps: the widening of disjunctions [ChangRN07 §4.2].
//!
//! Elsewhere a graph is kept unless another one represents it. Where a loop begins, or a recursion, graphs are folded
//! and joined in pairs that can be. A graph that has been joined is compared with the others again, so that those which
//! it represents now are absorbed. If nothing else helps, parts that cannot be joined are [given
//! up](crate::graph::top).
//!
//! For example, at the head of a loop that builds a list, the graphs with zero, one and more elements become one graph
//! with `α.node_list()`, where `x` is α.

use crate::domain::{Checking, Policy, State};
use crate::fold::{fold, fold_edges};
use crate::grain::Grain;
use crate::graph::shape_graph::Top;
use crate::graph::shape_graph::{Kind, ShapeGraph, Symbol};
use crate::widen::{Loss, join, join_giving_up};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use trifold_fixpoint::Insertion;
use trifold_ir::VarId;
use trifold_passes::intervals::meet;
use trifold_work::spend;

/// The [work](trifold_work) of comparing two symbols, each with the other.
pub(crate) const CELL: u64 = 300;

/// So many graphs are kept as they are before folding begins, because graphs that do not grow need not be folded.
const UNFOLDED: usize = 3;

/// With so many graphs at a point, the values of variables that decide branches are given up.
const MANY: usize = 400;

/// With so many graphs at a point, it is given up which variable leads to what.
const HELD: usize = 8;

/// With so many graphs at a point, and none to be joined with, regions are given up: where graphs are to be joined, and
/// elsewhere.
const FEW: [usize; 2] = [4, 24];

/// So many ways to return from a recursion are told apart by what is there at all: a list that came back empty has no
/// last element, and any other one has.
const RETURNS: usize = 6;

/// A graph of more regions is given up, rather than a part of it.
const MAX_REGIONS: usize = 32;

impl Grain {
    /// With so many graphs at a point, folding begins.
    fn unfolded(self) -> usize {
        match self {
            Grain::Coarse
            | Grain::Returned
            | Grain::Data
            | Grain::Related
            | Grain::CountedWithin
            | Grain::Counted
            | Grain::Lossy => 1,
            Grain::Fine => UNFOLDED,
            Grain::Exact => usize::MAX,
        }
    }

    /// Which losses are accepted at a point with this many graphs, of which so many have the same values of variables
    /// that decide branches.
    fn accepted(self, count: usize, peers: usize) -> Loss {
        match (count, peers) {
            _ if !matches!(self, Grain::Fine | Grain::Counted) => match count {
                HELD.. => Loss::Holder,
                _ => Loss::Value,
            },
            (MANY.., _) => Loss::Holder,
            (_, 6..) => Loss::Emptiness,
            _ => Loss::Length,
        }
    }
}

impl Checking<'_> {
    /// Adds a state to those of a point.
    pub fn keep(&self, store: &mut Vec<State>, mut state: State) -> Insertion {
        let size = state.graph.kinds.len() as u64;
        let grain = self.grain_of(&state.graph);
        let is_joined = matches!(state.policy, Policy::Join | Policy::Return) && store.len() >= grain.unfolded();
        if state.policy == Policy::End || is_joined {
            let regions = (state.graph.blocks.len() + state.graph.edges.len()) as u64;
            spend(CELL * size * size * regions);
            state.graph = fold(state.graph, &self.layouts, &self.roles);
            state.graph.canonical();
        }
        if store.iter().any(|known| known.graph == state.graph) {
            return Insertion::Known;
        }
        if grain == Grain::Exact && state.policy != Policy::End {
            spend(CELL * size * (1 + store.len() as u64));
            return self.add(store, state);
        }
        let present = || store.iter().enumerate().filter(|(_, known)| !known.absorbed);
        let count = present().count();
        spend(CELL * size * size * (1 + count as u64));
        let mut best: Option<(Loss, usize, ShapeGraph)> = None;
        let peers = present().filter(|(_, known)| self.same_flags(&known.graph, &state.graph)).count();
        for (number, known) in present() {
            let Some((joined, loss)) = self.joined(count, &known.graph, &state.graph, state.policy) else { continue };
            if joined == known.graph {
                return Insertion::Known;
            }
            // States that the new one represents are not needed any more.
            let loss = if joined == state.graph { Loss::None } else { loss.max(Loss::Numbers) };
            if best.as_ref().is_none_or(|(least, ..)| loss < *least) {
                best = Some((loss, number, joined));
            }
        }
        let limit = match state.policy {
            Policy::Return if grain == Grain::Returned && peers < RETURNS => Loss::Length,
            Policy::Join | Policy::Return | Policy::End => grain.accepted(count, peers),
            Policy::Keep if !matches!(grain, Grain::Fine | Grain::Related | Grain::Counted) => Loss::Numbers,
            Policy::Keep => Loss::None,
        };
        match best {
            Some((loss, number, joined)) if loss <= limit => {
                store[number].replace(joined);
                self.absorb(store, number, limit);
                Insertion::Changed(number)
            }
            _ => {
                if grain == Grain::Lossy && count >= FEW[usize::from(state.policy == Policy::Keep)] {
                    let insertion = self.give_up(store, &state.graph, limit);
                    if let Some(insertion) = insertion {
                        return insertion;
                    }
                }
                if store.iter().any(|known| !known.absorbed && self.represents(count, &known.graph, &state)) {
                    return Insertion::Known;
                }
                for known in store.iter_mut().filter(|known| !known.absorbed) {
                    known.absorbed = self.represents(count, &state.graph, known);
                }
                let insertion = self.add(store, state);
                self.most.fetch_max(count + 1, Ordering::Relaxed);
                insertion
            }
        }
    }

    fn add(&self, store: &mut Vec<State>, state: State) -> Insertion {
        store.push(state);
        Insertion::Added(store.len() - 1)
    }

    /// Does a graph represent a state as soon as that is folded? Where graphs are joined, they are folded already.
    fn represents(&self, count: usize, general: &ShapeGraph, state: &State) -> bool {
        if self.grain == Grain::Fine || state.policy != Policy::Keep {
            return false;
        }
        let Some(folded) = state.folded(&self.layouts, &self.roles) else { return false };
        spend(CELL * (folded.kinds.len() as u64).pow(2));
        self.joined(count, general, folded, state.policy).is_some_and(|(joined, _)| joined == *general)
    }

    /// Joins a graph with one of those of a point, and gives up the parts that are in the way.
    fn give_up(&self, store: &mut [State], graph: &ShapeGraph, limit: Loss) -> Option<Insertion> {
        let regions = |graph: &ShapeGraph| graph.blocks.len() + graph.edges.len();
        let mut graph = graph.clone();
        if regions(&graph) > MAX_REGIONS {
            graph.give_up_all();
        }
        let join = |known: &ShapeGraph| join_giving_up(self.program, known, &graph, &self.layouts, &self.roles);
        let present = store.iter().enumerate().filter(|(_, known)| !known.absorbed);
        let joined = present.filter_map(|(number, known)| Some((number, join(&known.graph)?)));
        // The first of those that keep most.
        let (number, joined) = joined.min_by_key(|(_, joined)| std::cmp::Reverse(regions(joined)))?;
        if joined == store[number].graph {
            return Some(Insertion::Known);
        }
        store[number].given_up |= joined.top != Top::Nothing;
        store[number].replace(joined);
        self.absorb(store, number, limit);
        Some(Insertion::Changed(number))
    }

    /// A state that has grown takes in those that it represents now, or can be joined with.
    fn absorb(&self, store: &mut [State], number: usize, limit: Loss) {
        let mut other = 0;
        while other < store.len() {
            let count = store.iter().filter(|state| !state.absorbed).count();
            let size = store[number].graph.kinds.len() as u64;
            let joined = if other == number || store[other].absorbed {
                None
            } else {
                spend(CELL * size * size);
                self.joined(count, &store[other].graph, &store[number].graph, store[number].policy)
            };
            match joined {
                Some((joined, loss)) if joined == store[number].graph || loss.max(Loss::Numbers) <= limit => {
                    store[other].absorbed = true;
                    if joined != store[number].graph {
                        store[number].replace(joined);
                        other = 0;
                        continue;
                    }
                }
                _ if other != number && !store[other].absorbed => {
                    store[other].absorbed = self.represents(count, &store[number].graph, &store[other]);
                }
                _ => {}
            }
            other += 1;
        }
    }

    /// The join of two graphs at a point with this many. Variables that decide branches keep graphs apart, unless there
    /// are too many.
    fn joined(&self, count: usize, old: &ShapeGraph, new: &ShapeGraph, policy: Policy) -> Option<(ShapeGraph, Loss)> {
        if count < MANY && !self.same_flags(old, new) {
            return None;
        }
        self.join(old, new, policy)
    }

    /// The join of two graphs. Where they are to be joined, it is done without the values of the entry's caller if
    /// there is none otherwise and nothing is lost by that.
    fn join(&self, old: &ShapeGraph, new: &ShapeGraph, policy: Policy) -> Option<(ShapeGraph, Loss)> {
        let join = |old: &ShapeGraph, new: &ShapeGraph| {
            let (joined, loss) = join(self.program, old, new, &self.layouts, &self.roles)?;
            // What is taken together may be part of what comes before.
            let is_folded = policy != Policy::Keep && joined != *old && joined != *new;
            let mut folded = if is_folded { fold_edges(joined, &self.layouts, &self.roles) } else { joined };
            if is_folded {
                folded.canonical();
            }
            Some((folded, loss))
        };
        let joined = join(old, new);
        if joined.is_some() || self.grain == Grain::Fine || policy == Policy::Keep {
            return joined;
        }
        let (mut old, mut new) = (old.clone(), new.clone());
        let ([caller, _], [other, _]) = (&mut old.frames[..], &mut new.frames[..]) else { return None };
        caller.values.clear();
        other.values.clear();
        let keeps = |graph: &ShapeGraph| graph.reached(&[]).is_all();
        if keeps(&old) && keeps(&new) { join(&old, &new) } else { None }
    }

    /// Do variables that decide branches have the same values? If little is told apart, it is enough that they may be
    /// the same.
    fn same_flags(&self, a: &ShapeGraph, b: &ShapeGraph) -> bool {
        let alike = |x: Kind, y: Kind| match (x, y) {
            (Kind::Scalar(x), Kind::Scalar(y)) if self.grain != Grain::Fine => meet(x, y),
            _ => x == y,
        };
        let same = |a: &BTreeMap<VarId, Symbol>, b: &BTreeMap<VarId, Symbol>, of: (&ShapeGraph, &ShapeGraph)| {
            let scalars =
                a.iter().filter(|(v, _)| !self.program[**v].ty.is_pointer() && self.roles.numbers.is_flag(**v));
            scalars.map(|(v, s)| (s, b.get(v))).all(|(x, y)| y.is_none_or(|y| alike(of.0.kind(*x), of.1.kind(*y))))
        };
        let frames = a.frames.iter().zip(&b.frames);
        let scalar = |kind: Kind| matches!(kind, Kind::Scalar(_));
        let outside = a.outside.iter().zip(&b.outside).map(|(x, y)| (a.kind(*x), b.kind(*y)));
        a.frames.len() == b.frames.len()
            && outside.into_iter().all(|(x, y)| alike(x, y) || !scalar(x))
            && same(&a.globals, &b.globals, (a, b))
            && frames.into_iter().all(|(x, y)| x.procedure == y.procedure && same(&x.values, &y.values, (a, b)))
    }
}

//! The line of one strand: from its tail, past the items of its bundle, to its head.
//!
//! Within the band of a layer a line keeps to the room of its item, give or take a lean; between
//! bands it swings from one to the next. A bundle that only runs back, such as the last edge of a
//! ring, leaves and enters its vertices on the side it passes by, if nothing else is there.

use super::drawing::{Curve, Point, Rect, Route};
use super::layers::{Item, Kind, LEAN};
use super::route::Plan;
use super::spline::{self, FlowPoint};

/// A line goes straight on from the outline of a vertex to the end of its band if that is further.
const SHORT: f64 = 9.0;
/// How much further out than the side of a vertex a line must run to turn into it.
const TURN: f64 = 15.0;
/// The distance it keeps from parts that stand further out.
const CLEAR: f64 = 6.0;

impl Plan<'_> {
    /// The line from the tail of a bundle to its head.
    pub(super) fn strand(&self, bundle: usize, index: usize) -> Route {
        let chain = &self.layered.chains[bundle];
        let (tail, head) = (chain[0], chain[chain.len() - 1]);
        let mut lines: Vec<f64> = chain[1..chain.len() - 1].iter().map(|&item| self.line(item, index)).collect();
        let (first, last) = (lines[0], lines[lines.len() - 1]);
        let (first_turn, last_turn) = (self.turn(bundle, tail, first), self.turn(bundle, head, last));
        let (leave, enter) = self.ends(bundle, index);
        lines.insert(0, if first_turn.is_some() { first } else { leave });
        lines.push(if last_turn.is_some() { last } else { enter });

        let mut points = if first_turn.is_some() { Vec::new() } else { self.leave(tail, leave) };
        let mut label = None;
        for position in 1..chain.len() - 1 {
            let (item, band, line) = (chain[position], self.band(chain[position]), lines[position]);
            let lean = self.lean(&chain[position - 1..=position + 1], &lines[position - 1..=position + 1]);
            points.extend([(band.start(), line - lean), (band.end(), line + lean)]);
            label = label.or_else(|| self.label(item, index, lean.abs()));
        }
        points.extend(if last_turn.is_some() { Vec::new() } else { self.enter(head, enter) });
        points.dedup_by(|next, point| next.0 - point.0 < 0.5);
        self.to_route(first_turn, &points, last_turn, label)
    }

    /// Where a strand leaves its tail and enters its head, across the flow.
    fn ends(&self, bundle: usize, index: usize) -> (f64, f64) {
        let contents = &self.layered.bundles[bundle];
        let count = contents.strands.len();
        let leave = self.cross[contents.tail] + self.ports.tail[bundle].strand(index, count);
        let enter = self.cross[contents.head] + self.ports.head[bundle].strand(index, count);
        (leave, enter)
    }

    /// Where a strand passes an item across the flow.
    fn line(&self, item: usize, index: usize) -> f64 {
        self.cross[item] + self.layered.items[item].strands[index].line
    }

    /// How far a line leans while it passes the second of three items: as the way from the first to
    /// the third suggests, but never so far that it leaves the item's room.
    fn lean(&self, items: &[usize], lines: &[f64]) -> f64 {
        let slope = |i: usize| (lines[i + 1] - lines[i]) / (self.flow(items[i + 1]) - self.flow(items[i]));
        let (arriving, leaving) = (slope(0), slope(1));
        if arriving * leaving <= 0.0 {
            return 0.0;
        }
        let slope = arriving.signum() * arriving.abs().min(leaving.abs());
        let room = self.band(items[1]).room;
        (slope * room.before.max(room.after)).clamp(-LEAN, LEAN)
    }

    fn label(&self, item: usize, index: usize, lean: f64) -> Option<Rect> {
        let Item { kind: Kind::Label(_), strands, .. } = &self.layered.items[item] else { return None };
        let (offset, size) = strands[index].label?;
        let aside = if offset < strands[index].line { -lean } else { lean };
        Some(self.frame.rect(self.flow(item), self.cross[item] + offset + aside, size))
    }

    /// From the outline of a vertex to the end of its band.
    fn leave(&self, vertex: usize, port: f64) -> Vec<FlowPoint> {
        let (start, end) = (self.flow(vertex) + self.reach(vertex, port), self.band(vertex).end());
        if end - start > SHORT { vec![(start, port), (end, port)] } else { vec![(start, port)] }
    }

    /// From the start of a vertex's band to its outline.
    fn enter(&self, vertex: usize, port: f64) -> Vec<FlowPoint> {
        let (start, end) = (self.band(vertex).start(), self.flow(vertex) - self.reach(vertex, port));
        if end - start > SHORT { vec![(start, port), (end, port)] } else { vec![(end, port)] }
    }

    fn reach(&self, vertex: usize, port: f64) -> f64 {
        self.frame.flow_reach(&self.graph.vertices[vertex], port - self.cross[vertex])
    }

    /// The point on the side of a vertex where a bundle that only runs back turns into it, from a
    /// line at `line`; nothing if something is in the way.
    fn turn(&self, bundle: usize, vertex: usize, line: f64) -> Option<FlowPoint> {
        let bundle = &self.layered.bundles[bundle];
        let side = self.frame.split(self.graph.vertices[vertex].size).1 / 2.0;
        let out = line - self.cross[vertex];
        let alone = !bundle.runs_forward() && bundle.strands.len() == 1;
        let turns = alone && out.abs() > side + TURN && self.is_free(vertex, side, out);
        turns.then(|| (self.flow(vertex), self.cross[vertex] + side * out.signum()))
    }

    /// Whether nothing is attached to this side of a vertex and nothing stands beside it, as far
    /// `out` as the line.
    fn is_free(&self, vertex: usize, side: f64, out: f64) -> bool {
        let Item { cross, layer, .. } = self.layered.items[vertex];
        let attached = if out < 0.0 { cross.before > side } else { cross.after > side };
        let in_the_way = |&item: &usize| {
            let (place, room) = (self.cross[item] - self.cross[vertex], self.layered.items[item].cross);
            let nearest = if out < 0.0 { -(place + room.after) } else { place - room.before };
            item != vertex && place * out > 0.0 && nearest < out.abs() + CLEAR
        };
        !attached && !self.layered.layers[layer].iter().any(in_the_way)
    }

    fn to_route(
        &self,
        first: Option<FlowPoint>,
        points: &[FlowPoint],
        last: Option<FlowPoint>,
        label: Option<Rect>,
    ) -> Route {
        let mut curves: Vec<[FlowPoint; 3]> = Vec::new();
        curves.extend(first.map(|start| quarter(start, points[0])));
        curves.extend(spline::through(points));
        curves.extend(last.map(|end| {
            let [leave, arrive, _] = quarter(end, points[points.len() - 1]);
            [arrive, leave, end]
        }));
        let point = |(flow, cross): FlowPoint| -> Point { self.frame.point(flow, cross) };
        let curves = curves.into_iter().map(|[leave, arrive, end]| Curve {
            leave: point(leave),
            arrive: point(arrive),
            end: point(end),
        });
        Route { start: point(first.unwrap_or(points[0])), curves: curves.collect(), label }
    }
}

/// A quarter turn from the side of a vertex onto a line along the flow.
fn quarter(side: FlowPoint, onto: FlowPoint) -> [FlowPoint; 3] {
    let leave = (side.0, side.1 + (onto.1 - side.1) * 0.7);
    let arrive = (onto.0 + (side.0 - onto.0) * 0.6, onto.1);
    [leave, arrive, onto]
}

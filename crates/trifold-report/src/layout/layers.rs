//! The layered graph: vertices, bends of long bundles, and labels, each an item on some layer.
//!
//! Vertices lie on even layers, the labels of a bundle on an odd layer near its middle. Every segment between items
//! joins neighbouring layers. A label is an item like any other, so it can overlap neither vertices nor other labels
//! nor lines that pass by. For example, an arc from layer 0 to layer 4 becomes a bend on layer 1, a label or a bend on
//! layer 2 and another bend on layer 3.

use super::bundle::{Bundle, Strand};
use super::frame::{Extent, Frame};
use super::graph::{Graph, Size};
use super::self_loop;

/// Distance between parallel strands that carry no label.
pub const STRAND_GAP: f64 = 12.0;
/// How far a line may lean to either side while it passes an item.
pub const LEAN: f64 = 6.0;
/// Room a line needs on each side.
const LINE_ROOM: f64 = 3.0;
/// Distance between a line and its label.
const LABEL_GAP: f64 = 3.0;

/// The part of the graph that an item stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A vertex of the graph.
    Vertex(usize),
    /// A place where a long bundle passes a layer.
    Bend(usize),
    /// The place where a bundle carries its labels.
    Label(usize),
}

/// Something with a place on a layer.
#[derive(Clone, Debug)]
pub struct Item {
    /// The part of the graph that it stands for.
    pub kind: Kind,
    /// Its layer.
    pub layer: usize,
    /// Its room along the flow.
    pub flow: Extent,
    /// Its room across the flow.
    pub cross: Extent,
    /// Where the strands pass, relative to the item's centre.
    pub strands: Vec<StrandSpot>,
    /// The items it is joined to on the layer before.
    pub before: Vec<usize>,
    /// The items it is joined to on the layer after.
    pub after: Vec<usize>,
}

impl Item {
    /// Exchanges the sides of the item.
    fn mirror(&mut self) {
        self.cross = Extent { before: self.cross.after, after: self.cross.before };
        for spot in &mut self.strands {
            spot.line = -spot.line;
            spot.label = spot.label.map(|(offset, size)| (-offset, size));
        }
    }
}

/// Where a strand passes an item.
#[derive(Clone, Copy, Debug, Default)]
pub struct StrandSpot {
    /// The line's distance from the item's centre.
    pub line: f64,
    /// The label's distance from the item's centre, and its size.
    pub label: Option<(f64, Size)>,
}

/// A graph cut into layers.
#[derive(Clone, Debug)]
pub struct Layered {
    /// All items; the vertices come first, under their own index.
    pub items: Vec<Item>,
    /// The items of each layer, in order.
    pub layers: Vec<Vec<usize>>,
    /// The bundles of the graph.
    pub bundles: Vec<Bundle>,
    /// For each bundle its items, from the tail to the head.
    pub chains: Vec<Vec<usize>>,
}

impl Layered {
    /// Places vertices on their ranks and cuts the bundles between them.
    pub fn new(graph: &Graph, bundles: Vec<Bundle>, ranks: &[usize], frame: Frame) -> Self {
        let depth = ranks.iter().max().map_or(0, |last| last + 1);
        let mut layered = Layered { items: Vec::new(), layers: vec![Vec::new(); depth], bundles, chains: Vec::new() };
        for (vertex, &layer) in ranks.iter().enumerate() {
            let (flow, cross) = self_loop::extents(graph, vertex, frame);
            layered.add(Kind::Vertex(vertex), layer, flow, cross, Vec::new());
        }
        for bundle in 0..layered.bundles.len() {
            layered.cut(bundle, graph, ranks, frame);
        }
        layered
    }

    /// Moves the labels of edges that branch off to the near side to that side of their line. Only
    /// lines that run down need it: their labels are wide.
    pub fn choose_label_sides(&mut self, frame: Frame) {
        for vertex in 0..self.items.len() {
            let branches = self.branches(vertex);
            let near = if frame.flows_right { 0 } else { branches.len() / 2 };
            for &item in &branches[..near] {
                if matches!(self.items[item].kind, Kind::Label(_)) && self.items[item].strands.len() == 1 {
                    self.items[item].mirror();
                }
            }
        }
    }

    /// The items after a vertex, in the order of their layer; nothing for other items.
    fn branches(&self, item: usize) -> Vec<usize> {
        let Item { kind: Kind::Vertex(_), layer, after, .. } = &self.items[item] else { return Vec::new() };
        let next = self.layers.get(layer + 1).map_or(&[][..], Vec::as_slice);
        next.iter().copied().filter(|item| after.contains(item)).collect()
    }

    fn add(&mut self, kind: Kind, layer: usize, flow: Extent, cross: Extent, strands: Vec<StrandSpot>) -> usize {
        let index = self.items.len();
        self.items.push(Item { kind, layer, flow, cross, strands, before: Vec::new(), after: Vec::new() });
        self.layers[layer].push(index);
        index
    }

    /// Adds the bends and the label of a bundle, and the segments between them.
    fn cut(&mut self, bundle: usize, graph: &Graph, ranks: &[usize], frame: Frame) {
        let Bundle { tail, head, strands, .. } = self.bundles[bundle].clone();
        let label_layer = ((ranks[tail] + ranks[head]) / 2) | 1;
        let mut chain = vec![tail];
        for layer in ranks[tail] + 1..ranks[head] {
            let labels: Vec<Option<Size>> = strands.iter().map(|strand| label_on(graph, strand)).collect();
            let item = if layer == label_layer && labels.iter().any(Option::is_some) {
                let (spots, flow, cross) = stack_labels(&labels, frame);
                self.add(Kind::Label(bundle), layer, flow, cross, spots)
            } else {
                let (spots, cross) = stack_lines(strands.len());
                self.add(Kind::Bend(bundle), layer, Extent::default(), cross, spots)
            };
            chain.push(item);
        }
        chain.push(head);
        for pair in chain.windows(2) {
            self.items[pair[0]].after.push(pair[1]);
            self.items[pair[1]].before.push(pair[0]);
        }
        self.chains.push(chain);
    }
}

fn label_on(graph: &Graph, strand: &Strand) -> Option<Size> {
    graph.arcs[strand.arc].label
}

/// Strands without labels, next to each other.
fn stack_lines(count: usize) -> (Vec<StrandSpot>, Extent) {
    let half = count.saturating_sub(1) as f64 / 2.0 * STRAND_GAP;
    let spots = (0..count).map(|i| StrandSpot { line: i as f64 * STRAND_GAP - half, label: None });
    (spots.collect(), Extent::symmetric(half + LINE_ROOM))
}

/// Strands with their labels beside them: outside the bundle where possible.
fn stack_labels(labels: &[Option<Size>], frame: Frame) -> (Vec<StrandSpot>, Extent, Extent) {
    let room = |i: usize| label_room(labels[i], label_side(i, labels.len(), frame), frame);
    let mut lines = vec![0.0];
    for i in 1..labels.len() {
        let gap = (room(i - 1).after + room(i).before).max(STRAND_GAP);
        lines.push(lines[i - 1] + gap);
    }
    let last = lines.len() - 1;
    let middle = lines[last] / 2.0;
    let spots = labels.iter().enumerate().map(|(i, &label)| {
        let line = lines[i] - middle;
        let side = label_side(i, labels.len(), frame);
        let label = label.map(|size| (line + side.sign() * (frame.split(size).1 / 2.0 + LABEL_GAP), size));
        StrandSpot { line, label }
    });
    let length = labels.iter().flatten().map(|&size| frame.split(size).0).fold(0.0, f64::max);
    let cross = Extent { before: middle + room(0).before, after: middle + room(last).after };
    (spots.collect(), Extent::symmetric(length / 2.0), cross)
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Before,
    After,
}

impl Side {
    fn sign(self) -> f64 {
        if self == Side::Before { -1.0 } else { 1.0 }
    }
}

/// Above a line that runs right, to the right of a line that runs down; but always outside the
/// bundle for the strand that would otherwise write into it.
fn label_side(index: usize, count: usize, frame: Frame) -> Side {
    match (frame.flows_right, count) {
        (true, 1) => Side::Before,
        (false, 1) => Side::After,
        (true, _) if index + 1 == count => Side::After,
        (true, _) => Side::Before,
        (false, _) if index == 0 => Side::Before,
        (false, _) => Side::After,
    }
}

fn label_room(label: Option<Size>, side: Side, frame: Frame) -> Extent {
    let beside = label.map_or(LINE_ROOM, |size| frame.split(size).1 + LABEL_GAP + LEAN);
    match side {
        Side::Before => Extent { before: beside, after: LINE_ROOM },
        Side::After => Extent { before: LINE_ROOM, after: beside },
    }
}

//! A picture with coordinates: which box stands where, how every arrow runs.
//!
//! Pointer variables at the start of a list are part of the layered layout, so they stand before it
//! in line: `x → ○ → ◎`. A variable that points into the middle is *attached* to its node, above it
//! (beside it, in a picture that runs down), and so never bends the list.

mod attach;
mod sizes;

use crate::layout::{self, Arc, Direction, Graph, Options, Rect, Route, Size, Strength};
use crate::picture::{Picture, Value};
use crate::text::TextBlock;

pub(crate) use sizes::{MAX_LABEL_COLUMNS, corner, node_text};

/// A picture, laid out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    /// The extent of the graph.
    pub size: Size,
    /// The place of each node.
    pub nodes: Vec<Rect>,
    /// The place of each pointer box.
    pub boxes: Vec<Rect>,
    /// The arrows of boxes and edges.
    pub arrows: Vec<Arrow>,
}

/// A line with one or two heads.
#[derive(Clone, Debug)]
pub(crate) struct Arrow {
    /// Where it runs.
    pub route: Route,
    /// How it is drawn.
    pub value: Value,
    /// Whether it has a head at its start, too.
    pub both: bool,
    /// Whether it starts at a pointer box.
    pub pointer: bool,
    /// The box or node where it starts, and the node where it ends.
    pub ends: (usize, usize),
    /// The text beside it.
    pub label: TextBlock,
    /// The hint of it.
    pub hint: String,
}

/// Lays out the boxes, nodes and edges of a picture.
pub(crate) fn compose(picture: &Picture, direction: Direction) -> Scene {
    let mut plan = Plan::new(picture);
    let direction = match (direction, picture.direction) {
        (Direction::Auto, Direction::Auto) => layout::choose_direction(&plan.graph),
        (Direction::Auto, known) => known,
        (chosen, _) => chosen,
    };
    plan.add_boxes(direction);
    let drawing = layout::layout(&plan.graph, &Options { direction });
    let place = |vertex: usize| Rect { center: drawing.vertices[vertex], size: plan.graph.vertices[vertex].size };
    let mut scene = Scene {
        size: drawing.size,
        nodes: (0..picture.nodes.len()).map(place).collect(),
        boxes: vec![Rect::default(); picture.boxes.len()],
        arrows: Vec::new(),
    };
    for &(index, vertex) in &plan.layered {
        scene.boxes[index] = place(vertex);
    }
    for (arrow, route) in plan.arrows.into_iter().zip(drawing.routes) {
        scene.arrows.push(Arrow { route, ..arrow });
    }
    for (node, attached) in plan.attached.iter().enumerate() {
        attach::place(&mut scene, picture, node, attached, direction);
    }
    scene
}

/// The graph to lay out, and the parts of the picture that its vertices and arcs stand for.
struct Plan<'a> {
    picture: &'a Picture,
    /// The nodes of the picture, then the boxes that are laid out with them.
    graph: Graph,
    /// For each arc of the graph, the arrow to draw along it.
    arrows: Vec<Arrow>,
    /// The boxes that are vertices of the graph: box and vertex.
    layered: Vec<(usize, usize)>,
    /// For each node, the boxes attached to it.
    attached: Vec<Vec<usize>>,
}

impl<'a> Plan<'a> {
    /// A plan with the nodes and edges.
    fn new(picture: &'a Picture) -> Self {
        let roots = picture.boxes.iter().flat_map(|pointer| &pointer.targets).map(|&(target, _)| target);
        let roots = roots.filter(|&target| target < picture.nodes.len()).collect();
        let vertices = picture.nodes.iter().map(sizes::node_vertex).collect();
        let graph = Graph { vertices, arcs: Vec::new(), roots };
        let attached = vec![Vec::new(); picture.nodes.len()];
        let mut plan = Plan { picture, graph, arrows: Vec::new(), layered: Vec::new(), attached };
        plan.add_edges();
        plan
    }

    fn add_edges(&mut self) {
        let picture = self.picture;
        let mut classes: Vec<&str> = Vec::new();
        let exists = |index: usize| index < picture.nodes.len();
        for edge in picture.edges.iter().filter(|edge| exists(edge.from) && exists(edge.to)) {
            let class = classes.iter().position(|&label| label == edge.label).unwrap_or(classes.len());
            if class == classes.len() {
                classes.push(&edge.label);
            }
            let label = TextBlock::wrapped(&edge.label, MAX_LABEL_COLUMNS);
            let strength = if edge.value == Value::True { Strength::Definite } else { Strength::Indefinite };
            let room = (!label.is_empty()).then(|| label.size());
            self.graph.connect(Arc { from: edge.from, to: edge.to, label: room, class, strength });
            let hint = picture.describe_edge(edge);
            let both = edge.bidirectional && edge.from != edge.to;
            let (value, ends) = (edge.value, (edge.from, edge.to));
            self.arrows.push(Arrow { route: Route::default(), value, both, pointer: false, ends, label, hint });
        }
    }

    /// Adds the boxes: attached to the one node they point to, unless it starts a list.
    fn add_boxes(&mut self, direction: Direction) {
        let starts = self.starts();
        let picture = self.picture;
        for (index, pointer) in picture.boxes.iter().enumerate() {
            let mut targets = pointer.targets.clone();
            targets.retain(|&(target, _)| target < picture.nodes.len());
            match targets[..] {
                [(target, _)] if !starts[target] => self.attached[target].push(index),
                _ => self.add_layered_box(index, &targets),
            }
        }
        for (node, attached) in self.attached.iter().enumerate() {
            let vertex = &mut self.graph.vertices[node];
            vertex.margin = attach::margin(picture, vertex.size, attached, direction);
        }
    }

    fn add_layered_box(&mut self, index: usize, targets: &[(usize, bool)]) {
        let pointer = &self.picture.boxes[index];
        let vertex = self.graph.add(sizes::box_vertex(&pointer.name));
        self.layered.push((index, vertex));
        for &(target, definite) in targets {
            let arc = Arc { strength: Strength::Pointer, class: usize::MAX, ..Arc::new(vertex, target) };
            self.graph.connect(arc);
            self.arrows.push(pointer_arrow(self.picture, index, target, definite));
        }
    }

    /// For every node, whether no edge leads to it along the flow.
    fn starts(&self) -> Vec<bool> {
        let mut starts = vec![true; self.picture.nodes.len()];
        for (arc, reversed) in self.graph.arcs.iter().zip(layout::orient(&self.graph)) {
            if !arc.is_loop() {
                starts[if reversed { arc.from } else { arc.to }] = false;
            }
        }
        starts
    }
}

/// The arrow of a pointer box, not yet routed.
fn pointer_arrow(picture: &Picture, pointer: usize, target: usize, definite: bool) -> Arrow {
    let (value, verb) = if definite { (Value::True, "points to") } else { (Value::Unknown, "may point to") };
    let hint = format!("{} {verb} {}", picture.boxes[pointer].name, picture.node_name(target));
    let ends = (pointer, target);
    Arrow { route: Route::default(), value, both: false, pointer: true, ends, label: TextBlock::default(), hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_before_the_head_of_a_list_and_the_list_runs_to_the_right() {
        let mut list = Picture::default();
        let (rest, head) = (list.summary([]), list.individual([]));
        for (from, to, field) in [(rest, head, "prev"), (head, rest, "next"), (rest, rest, "prev")] {
            list.link(from, to, field, Value::Unknown);
        }
        for variable in ["x", "y", "z"] {
            list.point(variable, head, true);
            let scene = compose(&list, Direction::Auto);
            let start = |rect: &Rect| rect.center.x - rect.size.width / 2.0;
            assert!(scene.boxes.iter().all(|pointer| start(pointer) < start(&scene.nodes[head])), "{variable}");
            assert!(start(&scene.nodes[head]) < start(&scene.nodes[rest]));
        }
    }
}

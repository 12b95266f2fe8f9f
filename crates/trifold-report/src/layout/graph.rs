//! The input of a layout: sized vertices and arcs with room for labels.

/// Which way edges run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Chains run to the right, branching graphs run down.
    #[default]
    Auto,
    /// From left to right.
    Right,
    /// From top to bottom.
    Down,
}

/// How a graph is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Which way edges run.
    pub direction: Direction,
}

/// Width and height, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// Horizontal extent.
    pub width: f64,
    /// Vertical extent.
    pub height: f64,
}

/// Extra room around a vertex, for things that are attached to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margin {
    /// Room to the left.
    pub left: f64,
    /// Room to the right.
    pub right: f64,
    /// Room above.
    pub top: f64,
    /// Room below.
    pub bottom: f64,
}

/// A rectangle with rounded corners that edges end at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// The visible shape's extent.
    pub size: Size,
    /// Radius of its corners.
    pub corner: f64,
    /// Room kept free around the shape.
    pub margin: Margin,
}

impl Vertex {
    /// A vertex with sharp corners and no margin.
    pub fn rectangle(width: f64, height: f64) -> Self {
        Vertex { size: Size { width, height }, ..Vertex::default() }
    }
}

/// How strongly an arc holds its ends in one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// The backbone of the picture.
    #[default]
    Definite,
    /// An edge that may be absent.
    Indefinite,
    /// An arrow from a variable, which stands beside the object it points to.
    Pointer,
}

/// A directed edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// The vertex it leaves.
    pub from: usize,
    /// The vertex it enters.
    pub to: usize,
    /// The room its label takes, if it has one.
    pub label: Option<Size>,
    /// Arcs of one class, such as one field of a struct, are drawn the same way round.
    pub class: usize,
    /// How strongly it aligns its ends.
    pub strength: Strength,
}

impl Arc {
    /// An arc without a label.
    pub fn new(from: usize, to: usize) -> Self {
        Arc { from, to, label: None, class: 0, strength: Strength::Definite }
    }

    /// Whether both ends are the same vertex.
    pub fn is_loop(&self) -> bool {
        self.from == self.to
    }
}

/// A graph to lay out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// The arcs; loops and parallel arcs are welcome.
    pub arcs: Vec<Arc>,
    /// Vertices that cycles should be entered at, the most important first.
    pub roots: Vec<usize>,
}

impl Graph {
    /// Adds a vertex and returns its index.
    pub fn add(&mut self, vertex: Vertex) -> usize {
        self.vertices.push(vertex);
        self.vertices.len() - 1
    }

    /// Adds an arc and returns its index.
    pub fn connect(&mut self, arc: Arc) -> usize {
        self.arcs.push(arc);
        self.arcs.len() - 1
    }
}

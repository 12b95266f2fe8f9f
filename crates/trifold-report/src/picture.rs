//! The visible part of one logical structure.
//!
//! A [`Picture`] is the graphical representation of [LevAmi00 §C.1] as data: nullary predicates are marks, pointer
//! variables are boxes with arrows, individuals are nodes with their unary predicates written inside, binary predicates
//! are edges. It has only the shown parts: the maker of a picture decides which predicates and which values are
//! displayed.
//!
//! Indices in [`PointerBox::targets`] and [`PictureEdge`] refer to [`Picture::nodes`]. An index that
//! names no node is not drawn.

use crate::layout::Direction;

mod describe;
mod merge;
mod outline;

/// A truth value as it is drawn: solid, dotted or red.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// 1, drawn solid.
    True,
    /// 1/2, drawn dotted.
    Unknown,
    /// 0, drawn red; shown only for predicates whose false values are displayed.
    False,
}

impl Value {
    /// The value as TVLA writes it: `1`, `1/2` or `0`.
    pub fn text(self) -> &'static str {
        match self {
            Value::True => "1",
            Value::Unknown => "1/2",
            Value::False => "0",
        }
    }
}

/// One structure, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Picture {
    /// The heading above the drawing.
    pub title: Option<String>,
    /// Nullary predicates, shown in a row above the graph.
    pub nullary: Vec<NullaryMark>,
    /// Pointer variables.
    pub boxes: Vec<PointerBox>,
    /// Individuals.
    pub nodes: Vec<PictureNode>,
    /// Binary predicates.
    pub edges: Vec<PictureEdge>,
    /// Which way it is drawn: lists to the right, trees down, where the shape is known. Summaries of trees show no
    /// branch, and lists of lists have some.
    pub direction: Direction,
}

/// A nullary predicate and its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NullaryMark {
    /// The predicate's name, such as `nn[x]`.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// A pointer variable: a unary predicate drawn as a box with an arrow to each node it holds for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PointerBox {
    /// The variable's name.
    pub name: String,
    /// The nodes it points to; `true` when it definitely does, `false` when it may.
    pub targets: Vec<(usize, bool)>,
}

/// An individual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PictureNode {
    /// The individual's name, when names are significant to the reader.
    pub name: Option<String>,
    /// Unary predicates, such as `r[n,x]`, `p=1/2`, `q=0`.
    pub labels: Vec<String>,
    /// May stand for several individuals: drawn with a double line.
    pub summary: bool,
    /// May be absent from the universe [LevAmi00 §7]: drawn green and dashed.
    pub maybe_active: bool,
}

/// A binary predicate between two individuals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PictureEdge {
    /// The first argument.
    pub from: usize,
    /// The second argument.
    pub to: usize,
    /// The predicate's name.
    pub label: String,
    /// Its value for the pair.
    pub value: Value,
    /// The predicate has this value in both directions.
    pub bidirectional: bool,
}

impl Picture {
    /// An empty picture with a heading.
    pub fn titled(title: impl Into<String>) -> Self {
        Picture { title: Some(title.into()), ..Picture::default() }
    }

    /// Adds a nullary predicate.
    pub fn mark(&mut self, name: impl Into<String>, value: Value) {
        self.nullary.push(NullaryMark { name: name.into(), value });
    }

    /// Adds a node and returns its index.
    pub fn add(&mut self, node: PictureNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a node that stands for exactly one individual and returns its index.
    pub fn individual<'a>(&mut self, labels: impl IntoIterator<Item = &'a str>) -> usize {
        let labels = labels.into_iter().map(String::from).collect();
        self.add(PictureNode { labels, ..PictureNode::default() })
    }

    /// Adds a summary node and returns its index.
    pub fn summary<'a>(&mut self, labels: impl IntoIterator<Item = &'a str>) -> usize {
        let labels = labels.into_iter().map(String::from).collect();
        self.add(PictureNode { labels, summary: true, ..PictureNode::default() })
    }

    /// Lets the variable `name` point to `target`, adding its box when it is new.
    pub fn point(&mut self, name: &str, target: usize, definite: bool) {
        match self.boxes.iter_mut().find(|pointer| pointer.name == name) {
            Some(pointer) => pointer.targets.push((target, definite)),
            None => self.boxes.push(PointerBox { name: name.to_string(), targets: vec![(target, definite)] }),
        }
    }

    /// The picture without the predicates that are not to be shown. Pointer variables stay.
    ///
    /// ```
    /// let mut picture = trifold_report::Picture::default();
    /// picture.individual(["r[n,x]", "p=1/2"]);
    /// let fewer = picture.with_only(&|name| name == "p");
    /// assert_eq!(fewer.nodes[0].labels, ["p=1/2"]);
    /// ```
    pub fn with_only(&self, is_shown: &dyn Fn(&str) -> bool) -> Picture {
        let mut picture = self.clone();
        picture.nullary.retain(|mark| is_shown(&mark.name));
        picture.edges.retain(|edge| is_shown(&edge.label));
        for node in &mut picture.nodes {
            node.labels.retain(|label| is_shown(predicate_of(label)));
        }
        picture
    }

    /// Adds a one-way edge.
    pub fn link(&mut self, from: usize, to: usize, label: impl Into<String>, value: Value) {
        self.edges.push(PictureEdge { from, to, label: label.into(), value, bidirectional: false });
    }
}

/// The predicate that a label is about: its text without the value.
pub fn predicate_of(label: &str) -> &str {
    ["=1/2", "=0"].iter().find_map(|value| label.strip_suffix(value)).unwrap_or(label)
}

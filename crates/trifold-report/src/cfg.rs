//! Control-flow graphs: locations and the actions between them.
//!
//! ```
//! use trifold_report::{Cfg, SheetOptions};
//!
//! let mut cfg = Cfg::default();
//! let (entry, exit) = (cfg.location("n1"), cfg.location("exit"));
//! cfg.locations[exit].note = Some("3 structures".to_string());
//! cfg.edge(entry, exit, "y = NULL");
//! assert!(cfg.to_svg(&SheetOptions::default()).contains("y = NULL"));
//! ```

mod draw;

pub use draw::{png, sheet};

use crate::dot::{DotOptions, header, quoted};

/// A control-flow graph, ready to be drawn. The first location is the entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cfg {
    /// The heading above the drawing.
    pub title: Option<String>,
    /// The program points.
    pub locations: Vec<Location>,
    /// The actions between them; an edge that names no location is not drawn.
    pub edges: Vec<CfgEdge>,
}

/// A program point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The location's name.
    pub name: String,
    /// A small line below the name, such as `12 structures`.
    pub note: Option<String>,
    /// Messages were reported here.
    pub flagged: bool,
    /// The anchor in the same page that a click leads to.
    pub anchor: Option<String>,
}

/// An action that leads from one location to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CfgEdge {
    /// The location before the action.
    pub from: usize,
    /// The location after it.
    pub to: usize,
    /// The action's title.
    pub action: String,
}

impl Cfg {
    /// Adds a location and returns its index.
    pub fn location(&mut self, name: impl Into<String>) -> usize {
        self.locations.push(Location { name: name.into(), ..Location::default() });
        self.locations.len() - 1
    }

    /// Adds an action.
    pub fn edge(&mut self, from: usize, to: usize, action: impl Into<String>) {
        self.edges.push(CfgEdge { from, to, action: action.into() });
    }

    /// The edges whose ends exist.
    fn drawn_edges(&self) -> impl Iterator<Item = &CfgEdge> {
        self.edges.iter().filter(|edge| edge.from < self.locations.len() && edge.to < self.locations.len())
    }

    /// The graph in DOT.
    pub fn to_dot(&self, options: &DotOptions) -> String {
        let mut text = header("cfg", options);
        let title = self.title.iter().map(|title| format!("label={};", quoted(title)));
        let locations = self.locations.iter().enumerate().map(|(index, location)| dot_node(index, location));
        let edges = self.drawn_edges().map(|edge| {
            let CfgEdge { from, to, action } = edge;
            format!("n{from} -> n{to} [label={}];", quoted(action))
        });
        title.chain(locations).chain(edges).for_each(|line| text.push_str(&format!("  {line}\n")));
        text + "}\n"
    }
}

fn dot_node(index: usize, location: &Location) -> String {
    let text: Vec<&str> = std::iter::once(&location.name).chain(&location.note).map(String::as_str).collect();
    let flag = if location.flagged { ", color=red, penwidth=2" } else { "" };
    format!("n{index} [shape=box, style=rounded, label={}{flag}];", quoted(&text.join("\n")))
}

//! Graphviz DOT: the same pictures for those who want to lay them out themselves.
//!
//! The conventions are those of [`crate::svg`]. A single structure is one graph; several are
//! clusters of one graph, each under its heading.
//!
//! ```
//! use trifold_report::{dot, DotOptions, Picture, Value};
//!
//! let mut picture = Picture::default();
//! let (head, rest) = (picture.individual([]), picture.summary(["say \"hi\""]));
//! picture.link(head, rest, "n", Value::Unknown);
//! let text = dot::digraph(&[picture], &DotOptions { rotate: true });
//! assert!(text.contains("rankdir=LR"));
//! assert!(text.contains(r#"label="say \"hi\"", peripheries=2"#));
//! ```

use crate::picture::{Picture, PictureEdge, PictureNode, Value};
use crate::text::is_hidden;
use std::iter::once;

/// How DOT is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DotOptions {
    /// Lay the graph out from left to right instead of from top to bottom.
    pub rotate: bool,
}

/// Writes the structures as one graph. Parallel and opposite edges are merged first.
pub fn digraph(pictures: &[Picture], options: &DotOptions) -> String {
    digraph_in_pieces(pictures.len(), pictures.iter().cloned(), *options).collect()
}

/// The same, one piece of text after the other: there may be many pictures.
pub fn digraph_in_pieces(
    count: usize,
    pictures: impl Iterator<Item = Picture>,
    options: DotOptions,
) -> impl Iterator<Item = String> {
    let drawn = move |(index, picture): (usize, Picture)| {
        let lines = statements(&picture.merged(), &format!("s{index}_"));
        match count {
            1 => lines.iter().map(|line| format!("  {line}\n")).collect(),
            _ => cluster(index, &lines),
        }
    };
    once(header("structures", &options)).chain(pictures.enumerate().map(drawn)).chain(once("}\n".to_string()))
}

/// The first lines of a graph.
pub(crate) fn header(name: &str, options: &DotOptions) -> String {
    let rankdir = if options.rotate { "LR" } else { "TB" };
    format!(
        "digraph {name} {{\n  graph [rankdir={rankdir}, fontname=\"Helvetica\", labelloc=t];\n  \
         node [fontname=\"monospace\", fontsize=11];\n  edge [fontname=\"monospace\", fontsize=10];\n"
    )
}

/// A string as DOT writes it, with its quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if is_hidden(c) => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn cluster(index: usize, lines: &[String]) -> String {
    let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!("  subgraph cluster_{index} {{\n{body}  }}\n")
}

/// The statements of one structure; `prefix` keeps the names of several apart.
fn statements(picture: &Picture, prefix: &str) -> Vec<String> {
    let mut lines: Vec<String> = picture.title.iter().map(|title| format!("label={};", quoted(title))).collect();
    for (index, mark) in picture.nullary.iter().enumerate() {
        let style = value_style(mark.value);
        lines.push(format!("{prefix}p{index} [shape=diamond, label={}{style}];", quoted(&mark.name)));
    }
    for (index, node) in picture.nodes.iter().enumerate() {
        lines.push(format!("{prefix}u{index} [{}];", node_attributes(node)));
    }
    let exists = |index: usize| index < picture.nodes.len();
    for (index, pointer) in picture.boxes.iter().enumerate() {
        lines.push(format!("{prefix}b{index} [shape=box, label={}];", quoted(&pointer.name)));
        for &(target, definite) in pointer.targets.iter().filter(|(target, _)| exists(*target)) {
            let style = if definite { "" } else { " [style=dotted]" };
            lines.push(format!("{prefix}b{index} -> {prefix}u{target}{style};"));
        }
    }
    let edges = picture.edges.iter().filter(|edge| exists(edge.from) && exists(edge.to));
    lines.extend(edges.map(|edge| edge_statement(edge, prefix)));
    lines
}

fn node_attributes(node: &PictureNode) -> String {
    let text: Vec<&str> = node.name.iter().chain(&node.labels).map(String::as_str).collect();
    let mut attributes = format!("shape=ellipse, label={}", quoted(&text.join("\n")));
    if node.summary {
        attributes.push_str(", peripheries=2");
    }
    if node.maybe_active {
        attributes.push_str(", color=green, style=dashed");
    }
    attributes
}

fn edge_statement(edge: &PictureEdge, prefix: &str) -> String {
    let both = if edge.bidirectional && edge.from != edge.to { ", dir=both" } else { "" };
    let (from, to, style) = (edge.from, edge.to, value_style(edge.value));
    format!("{prefix}u{from} -> {prefix}u{to} [label={}{style}{both}];", quoted(&edge.label))
}

fn value_style(value: Value) -> &'static str {
    match value {
        Value::True => "",
        Value::Unknown => ", style=dotted",
        Value::False => ", color=red, fontcolor=red",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cannot_leave_their_quotes() {
        assert_eq!(quoted("a\"b\\n\n\t"), "\"a\\\"b\\\\n\\n \"");
    }

    #[test]
    fn several_structures_are_clusters_with_their_own_names() {
        let mut picture = Picture::titled("one");
        picture.individual([]);
        let text = digraph(&[picture.clone(), picture], &DotOptions::default());
        assert!(text.contains("subgraph cluster_1") && text.contains("s0_u0") && text.contains("s1_u0"));
    }
}

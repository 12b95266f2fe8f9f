//! Fewer, richer edges: opposite edges become one with two heads, parallel edges one with two labels.
//!
//! "If a binary predicate has the same value for both `u1 → u2` and `u2 → u1` the two edges are replaced with a
//! bidirected edge" [LevAmi00 §C.1]. The other edges between the same two nodes in the same direction with the same
//! value are drawn as a single edge with all the names on it. For example, `left` and `right` from 1 to 2 become one
//! arrow with the label `left, right`.

use super::{Picture, PictureEdge};

impl Picture {
    /// The picture with opposite and parallel edges merged; edges keep the place of their first part.
    ///
    /// ```
    /// use trifold_report::{Picture, Value};
    ///
    /// let mut picture = Picture::default();
    /// let (a, b) = (picture.individual([]), picture.individual([]));
    /// picture.link(a, b, "sibling", Value::True);
    /// picture.link(b, a, "sibling", Value::True);
    /// picture.link(a, b, "n", Value::Unknown);
    /// picture.link(a, b, "dle", Value::Unknown);
    ///
    /// let merged = picture.merged();
    /// assert_eq!(merged.edges.len(), 2);
    /// assert!(merged.edges[0].bidirectional);
    /// assert_eq!(merged.edges[1].label, "n, dle");
    /// ```
    pub fn merged(mut self) -> Picture {
        self.edges = merge_parallel(merge_opposite(self.edges));
        self
    }
}

/// Replaces each pair of opposite edges with equal label and value by one bidirectional edge.
fn merge_opposite(edges: Vec<PictureEdge>) -> Vec<PictureEdge> {
    let mut merged: Vec<PictureEdge> = Vec::new();
    for edge in edges {
        match merged.iter_mut().find(|earlier| is_opposite(earlier, &edge)) {
            Some(earlier) => earlier.bidirectional = true,
            None => merged.push(edge),
        }
    }
    merged
}

fn is_opposite(earlier: &PictureEdge, edge: &PictureEdge) -> bool {
    (earlier.from, earlier.to) == (edge.to, edge.from)
        && edge.from != edge.to
        && !earlier.bidirectional
        && !edge.bidirectional
        && earlier.value == edge.value
        && earlier.label == edge.label
}

/// Joins the labels of edges that share their ends, their value and their heads.
fn merge_parallel(edges: Vec<PictureEdge>) -> Vec<PictureEdge> {
    let mut merged: Vec<PictureEdge> = Vec::new();
    for edge in edges {
        match merged.iter_mut().find(|earlier| is_parallel(earlier, &edge)) {
            Some(earlier) => append_label(&mut earlier.label, &edge.label),
            None => merged.push(edge),
        }
    }
    merged
}

fn is_parallel(earlier: &PictureEdge, edge: &PictureEdge) -> bool {
    let same_way = (earlier.from, earlier.to) == (edge.from, edge.to);
    let turned = edge.bidirectional && (earlier.from, earlier.to) == (edge.to, edge.from);
    (same_way || turned) && earlier.value == edge.value && earlier.bidirectional == edge.bidirectional
}

fn append_label(label: &mut String, more: &str) {
    if !label.is_empty() && !more.is_empty() {
        label.push_str(", ");
    }
    label.push_str(more);
}

//! A picture in words, for readers who cannot see it. For example: "2 individuals, 1 of them summary".

use super::{Picture, PictureEdge, PictureNode, PointerBox, Value};

impl Picture {
    /// One sentence per part: the marks, the pointers, the individuals, the edges.
    ///
    /// ```
    /// use trifold_report::{Picture, Value};
    ///
    /// let mut picture = Picture::default();
    /// let head = picture.individual(["r[n,x]"]);
    /// let rest = picture.summary([]);
    /// picture.point("x", head, true);
    /// picture.link(head, rest, "n", Value::Unknown);
    /// assert_eq!(
    ///     picture.description(),
    ///     "2 individuals, 1 of them summary. x points to #0. #0 has r[n,x]. #0 n #1 is 1/2."
    /// );
    /// ```
    pub fn description(&self) -> String {
        let mut sentences = vec![self.census()];
        let marks = self.nullary.iter().map(|mark| format!("{} is {}", mark.name, mark.value.text()));
        sentences.extend(marks);
        sentences.extend(self.boxes.iter().map(|pointer| self.describe_box(pointer)));
        let labelled = self.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
        sentences.extend(labelled.map(|(i, node)| format!("{} has {}", self.node_name(i), node.labels.join(", "))));
        sentences.extend(self.edges.iter().map(|edge| self.describe_edge(edge)));
        sentences.join(". ") + "."
    }

    /// The individual's name, or its number when it has none.
    pub(crate) fn node_name(&self, index: usize) -> String {
        let named = self.nodes.get(index).and_then(|node| node.name.clone());
        named.unwrap_or_else(|| format!("#{index}"))
    }

    /// The hint of a node: its name, its nature and its predicates.
    pub(crate) fn describe_node(&self, index: usize, node: &PictureNode) -> String {
        let mut parts = vec![self.node_name(index)];
        parts.extend(node.summary.then(|| "summary".to_string()));
        parts.extend(node.maybe_active.then(|| "maybe active".to_string()));
        parts.extend(node.labels.iter().cloned());
        parts.join(", ")
    }

    pub(crate) fn describe_edge(&self, edge: &PictureEdge) -> String {
        let (from, to) = (self.node_name(edge.from), self.node_name(edge.to));
        let both = if edge.bidirectional { " both ways" } else { "" };
        let value = match edge.value {
            Value::True => String::new(),
            value => format!(" is {}", value.text()),
        };
        format!("{from} {} {to}{both}{value}", edge.label)
    }

    fn census(&self) -> String {
        let summaries = self.nodes.iter().filter(|node| node.summary).count();
        let plural = if self.nodes.len() == 1 { "" } else { "s" };
        match summaries {
            0 => format!("{} individual{plural}", self.nodes.len()),
            _ => format!("{} individual{plural}, {summaries} of them summary", self.nodes.len()),
        }
    }

    fn describe_box(&self, pointer: &PointerBox) -> String {
        let targets: Vec<String> = pointer
            .targets
            .iter()
            .map(|&(target, definite)| {
                let maybe = if definite { "" } else { "maybe " };
                format!("{maybe}{}", self.node_name(target))
            })
            .collect();
        match targets.is_empty() {
            true => format!("{} points nowhere", pointer.name),
            false => format!("{} points to {}", pointer.name, targets.join(", ")),
        }
    }
}

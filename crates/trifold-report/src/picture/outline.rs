//! A picture in lines of text: one for each individual, with the variables that point to it and the individuals it
//! leads to. They are in the order in which one comes to them: a list from its start on, a tree from its root down. For
//! example, a list of `x` is `x --> (0)  next --> (1)` and, below it, `(1) one or more  next --> (1)?`.

use super::{Picture, Value};
use std::fmt::Write;

impl Picture {
    /// One line per individual; a question mark where something is only possible.
    ///
    /// ```
    /// use trifold_report::{Picture, Value};
    ///
    /// let mut picture = Picture::default();
    /// let head = picture.individual([]);
    /// let rest = picture.summary(["dirty"]);
    /// picture.point("x", head, true);
    /// picture.link(head, rest, "next", Value::True);
    /// picture.link(rest, rest, "next", Value::Unknown);
    /// assert_eq!(
    ///     picture.outline(),
    ///     "x --> (0)  next --> (1)\n      (1) one or more, dirty  next --> (1)?\n"
    /// );
    /// ```
    pub fn outline(&self) -> String {
        let mut text = String::new();
        let marks: Vec<String> = self.nullary.iter().map(|mark| uncertain(&mark.name, mark.value)).collect();
        if !marks.is_empty() {
            let _ = writeln!(text, "{}", marks.join(", "));
        }
        let pointers: Vec<String> = (0..self.nodes.len()).map(|node| self.pointers_to(node)).collect();
        let width = pointers.iter().map(|names| names.chars().count()).max().unwrap_or(0);
        let order = self.preorder();
        let numbers: Vec<usize> =
            (0..order.len()).map(|node| order.iter().position(|n| *n == node).unwrap_or(node)).collect();
        let shown = |node: usize| match self.nodes.get(node).and_then(|node| node.name.as_ref()) {
            Some(name) => format!("({name})"),
            None => format!("({})", numbers.get(node).unwrap_or(&node)),
        };
        for number in order {
            let (node, names) = (&self.nodes[number], &pointers[number]);
            let arrow = if names.is_empty() { "   " } else { "-->" };
            let gap = if width == 0 { String::new() } else { format!("{names:width$} {arrow} ") };
            let _ = write!(text, "{gap}{}", shown(number));
            let mut nature: Vec<&str> = Vec::new();
            nature.extend(node.summary.then_some("one or more"));
            nature.extend(node.maybe_active.then_some("perhaps not there"));
            nature.extend(node.labels.iter().map(String::as_str));
            if !nature.is_empty() {
                let _ = write!(text, " {}", nature.join(", "));
            }
            for edge in &self.edges {
                if edge.from == number {
                    let _ = write!(text, "  {} --> {}", edge.label, uncertain(&shown(edge.to), edge.value));
                } else if edge.bidirectional && edge.to == number {
                    let _ = write!(text, "  {} --> {}", edge.label, uncertain(&shown(edge.from), edge.value));
                }
            }
            text.push('\n');
        }
        text
    }

    /// All nodes: those that variables point to, each with the nodes that it leads to after it, and then the others.
    /// Nodes without incoming edges come first, because structures begin there.
    fn preorder(&self) -> Vec<usize> {
        let nodes = 0..self.nodes.len();
        let is_entered = |node: usize| nodes.clone().any(|from| from != node && self.targets(from).contains(&node));
        let pointed = || self.boxes.iter().flat_map(|pointer| &pointer.targets).map(|(target, _)| *target);
        let starts = pointed().filter(|node| !is_entered(*node)).chain(pointed());
        let starts = starts.chain(nodes.clone().filter(|node| !is_entered(*node))).chain(nodes.clone());
        let mut order: Vec<usize> = Vec::new();
        for start in starts.filter(|node| nodes.contains(node)) {
            let mut stack = vec![start];
            while let Some(node) = stack.pop() {
                if !order.contains(&node) {
                    order.push(node);
                    stack.extend(self.targets(node).into_iter().rev());
                }
            }
        }
        order
    }

    /// Where the edges of a node lead, in their order.
    fn targets(&self, node: usize) -> Vec<usize> {
        let leaves = self.edges.iter().filter(|edge| edge.from == node && edge.value != Value::False);
        leaves.map(|edge| edge.to).filter(|to| *to < self.nodes.len()).collect()
    }

    fn pointers_to(&self, node: usize) -> String {
        let points = self.boxes.iter().flat_map(|pointer| pointer.targets.iter().map(move |target| (pointer, target)));
        let here = points.filter(|(_, (target, _))| *target == node);
        let names = here.map(|(pointer, (_, definite))| {
            uncertain(&pointer.name, if *definite { Value::True } else { Value::Unknown })
        });
        names.collect::<Vec<_>>().join(", ")
    }
}

/// A text with its value: nothing for 1, a question mark for 1/2.
fn uncertain(text: &str, value: Value) -> String {
    match value {
        Value::True => text.to_string(),
        Value::Unknown => format!("{text}?"),
        Value::False => format!("not {text}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Picture, Value};

    #[test]
    fn trees_begin_at_their_roots_and_lists_at_their_starts() {
        let mut picture = Picture::default();
        let [leaf, right, root, alone, left] = [(); 5].map(|()| picture.individual([]));
        picture.point("found", leaf, true);
        picture.point("tree", root, true);
        picture.link(root, left, "left", Value::True);
        picture.link(left, leaf, "left", Value::True);
        picture.link(root, right, "right", Value::True);
        picture.link(alone, alone, "left", Value::Unknown);
        let lines: Vec<String> = picture.outline().lines().map(|line| line.trim_end().to_string()).collect();
        assert_eq!(
            lines,
            [
                "tree  --> (0)  left --> (1)  right --> (3)",
                "          (1)  left --> (2)",
                "found --> (2)",
                "          (3)",
                "          (4)  left --> (4)?"
            ]
        );
    }
}

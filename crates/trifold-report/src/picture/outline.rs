//! A picture in lines of text: one for each individual, with what points to it and where it leads.

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
        for (number, (node, names)) in self.nodes.iter().zip(&pointers).enumerate() {
            let arrow = if names.is_empty() { "   " } else { "-->" };
            let gap = if width == 0 { String::new() } else { format!("{names:width$} {arrow} ") };
            let _ = write!(text, "{gap}{}", self.number(number));
            let mut nature: Vec<&str> = Vec::new();
            nature.extend(node.summary.then_some("one or more"));
            nature.extend(node.maybe_active.then_some("perhaps not there"));
            nature.extend(node.labels.iter().map(String::as_str));
            if !nature.is_empty() {
                let _ = write!(text, " {}", nature.join(", "));
            }
            for edge in &self.edges {
                if edge.from == number {
                    let _ = write!(text, "  {} --> {}", edge.label, uncertain(&self.number(edge.to), edge.value));
                } else if edge.bidirectional && edge.to == number {
                    let _ = write!(text, "  {} --> {}", edge.label, uncertain(&self.number(edge.from), edge.value));
                }
            }
            text.push('\n');
        }
        text
    }

    fn number(&self, node: usize) -> String {
        match self.nodes.get(node).and_then(|node| node.name.as_ref()) {
            Some(name) => format!("({name})"),
            None => format!("({node})"),
        }
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

//! The families that were chosen, in words.

use crate::families::Families;
use crate::links::LinkId;
use std::fmt::Write;

impl Families {
    /// Which properties of shapes are tracked, and what made them be chosen.
    pub fn explain(&self) -> String {
        let name = |link: &LinkId| &self.names[link.0];
        let mut text = String::new();
        if self.relations.is_empty() {
            text += "no pointer field leads from object to object: no shapes are tracked\n";
        }
        for relation in &self.relations {
            let fields: Vec<&String> = relation.links.iter().map(name).collect();
            let along = match &fields[..] {
                [field] => format!("along `{field}`"),
                _ => format!("along any of {}", fields.iter().map(|f| format!("`{f}`")).collect::<Vec<_>>().join(", ")),
            };
            let _ = writeln!(text, "{along}: what each variable reaches, what is shared, what is on a cycle");
        }
        for (field, back) in &self.inverse {
            let (field, back) = (name(field), name(back));
            let _ =
                writeln!(text, "`{back}` leads back over `{field}`: the program sets both for the same two objects");
        }
        text
    }
}

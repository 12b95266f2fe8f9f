//! The families that were chosen, in words. For example, a list gives a line that begins with "along `node::next`:".

use crate::tracked::families::Families;
use std::fmt::Write;
use trifold_passes::links::LinkId;

impl Families {
    /// Which properties of shapes are tracked, and the reasons for the choice.
    pub fn explain(&self) -> String {
        let name = |link: &LinkId| format!("`{}`", self.names[link.0]);
        let mut text = String::new();
        let mut say = |line: String| {
            let _ = writeln!(text, "{line}");
        };
        if self.names.is_empty() {
            say("no pointer leads from object to object: no shapes are tracked".to_string());
        }
        for level in &self.levels {
            let along: Vec<String> = level.spine.iter().map(name).collect();
            match &along[..] {
                [] => {}
                [link] => say(format!("along {link}: what each variable reaches, what is shared, what is on a cycle")),
                _ => say(format!(
                    "along any of {}: what each variable reaches, what is shared, what is on a cycle",
                    along.join(", ")
                )),
            }
            for anchor in &level.anchors {
                say(match &along[..] {
                    [] => format!("{} leads to single objects: which of them it leads to", name(anchor)),
                    _ => format!("{} leads there: what is reached from where it leads to", name(anchor)),
                });
            }
        }
        for (link, back) in &self.inverse {
            say(format!(
                "{} leads back over {}: the program sets both for the same two objects",
                name(back),
                name(link)
            ));
        }
        for observer in &self.observers {
            say(format!("{} leads to objects that something else holds: to which of them", name(observer)));
        }
        for link in &self.own {
            say(format!("{} may lead to a part of its own object: whether it does", name(link)));
        }
        for link in &self.unread {
            say(format!("`{link}` is never read: it is not tracked"));
        }
        for data in &self.ordered {
            say(format!(
                "{} is compared: the order of objects by it, and whether each one is in order with the next, or in a tree with all below it",
                name(data)
            ));
        }
        for data in &self.equated {
            say(format!(
                "{} is compared for equality: which objects are equal by it, and whether each one differs from all others of its list",
                name(data)
            ));
        }
        text
    }
}

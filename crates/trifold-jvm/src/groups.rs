//! Groups of classes: one struct of the heap program for each.
//!
//! A class is in one group with the classes above it, up to `Object`, which is not counted; all arrays of references
//! are in one group. Where a cast, a test or a call must tell classes of several groups apart, these become one,
//! because only objects of one struct have the field that says their class. For example, a program of lists and trees
//! has a struct for each, until a list and a tree are kept in an `Object` that is cast.

use crate::class::Op;
use crate::classes::{OBJECT, THROWABLE};
use crate::dispatch::tests;
use crate::reach::{Reach, is_reference_array};
use std::collections::{BTreeMap, BTreeSet};

/// The class that stands for all arrays of references.
pub(crate) const ARRAYS: &str = "[Ljava/lang/Object;";

#[derive(Debug, Default)]
pub(crate) struct Groups {
    parents: BTreeMap<String, String>,
    /// The groups whose objects say of which class they are, by their root.
    tested: BTreeSet<String>,
}

impl Groups {
    pub fn of(reach: &Reach<'_, '_>) -> Groups {
        let mut groups = Groups::default();
        for class in &reach.made {
            groups.add(reach, class);
        }
        let mut tested = Vec::new();
        for body in reach.bodies.values() {
            for at in 0..body.code().map_or(0, |code| code.instructions.len()) {
                tested.extend(tests(reach, body, at));
            }
            let handlers = body.code().map_or(&[][..], |code| &code.handlers);
            if handlers.iter().any(|handler| handler.catches.is_some()) {
                tested.push(reach.below(THROWABLE).into_iter().map(str::to_string).collect());
            }
        }
        for classes in &tested {
            for class in classes {
                groups.join(&classes[0], class);
            }
        }
        let roots = tested.iter().filter(|classes| classes.len() > 1).map(|classes| groups.root(&classes[0]));
        groups.tested = roots.collect();
        groups
    }

    /// Adds a class, with those above it.
    fn add(&mut self, reach: &Reach<'_, '_>, class: &str) {
        let lineage = reach.classes.lineage(class);
        for above in lineage.iter().filter(|above| above.name != OBJECT) {
            self.join(class, &above.name);
        }
        if is_reference_array(class) {
            self.join(class, ARRAYS);
        }
    }

    /// The class that stands for the group of a class. A class of which there are no objects may be asked for, too.
    pub fn group(&self, reach: &Reach<'_, '_>, class: &str) -> String {
        if is_reference_array(class) {
            return self.root(ARRAYS);
        }
        let lineage = reach.classes.lineage(class);
        // All classes below the topmost one are in its group.
        let top = lineage.iter().rev().find(|above| above.name != OBJECT);
        self.root(top.map_or(class, |top| &top.name))
    }

    pub fn is_tested(&self, root: &str) -> bool {
        self.tested.contains(root)
    }

    fn root(&self, class: &str) -> String {
        let mut at = class;
        while let Some(parent) = self.parents.get(at).filter(|parent| *parent != at) {
            at = parent;
        }
        at.to_string()
    }

    fn join(&mut self, a: &str, b: &str) {
        let (a, b) = (self.root(a), self.root(b));
        // The shorter name stands for both, for readers.
        let (low, high) = if (a.len(), &a) <= (b.len(), &b) { (a, b) } else { (b, a) };
        self.parents.insert(high, low);
    }
}

/// Does any method that may run read elements of arrays of references that may be texts?
pub(crate) fn reads_texts(reach: &Reach<'_, '_>) -> bool {
    reach.bodies.values().any(|body| {
        let ops = body.code().map_or(&[][..], |code| &code.instructions);
        ops.iter().any(|instruction| matches!(instruction.op, Op::ArrayLoad(crate::class::Element::Ref)))
    })
}

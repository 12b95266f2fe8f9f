//! Links: slots that one predicate describes.
//!
//! Parts that point to parts of the same struct are linked with each other, independent of the objects that they are
//! parts of: for example, the head of a list, by itself on the stack, and the parts of its elements have one predicate
//! for `next`. No object has two of them; in a struct with several parts of the same struct, each has predicates of its
//! own. So have pointers that just happen to be parts, because pointers to pointers lead there: the first element of a
//! list is another thing than the next one.

use crate::points_to::{Pointees, PointsTo};
use crate::targets::Slot;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{FieldId, Program, StructId};

/// Identifies a link: its position among the [`Links`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LinkId(pub usize);

/// Slots with one predicate.
#[derive(Clone, Debug)]
pub struct Link {
    /// The field of all of them.
    pub field: FieldId,
    /// The slots.
    pub slots: Vec<Slot>,
    /// The values that they can hold.
    pub pointees: Pointees,
}

impl Link {
    /// The name in the program: `item::next`.
    pub fn name(&self, program: &Program) -> String {
        let slot = self.slots.iter().max_by_key(|slot| slot.path.len()).expect("links have slots");
        let mut names: Vec<&str> = slot.path.iter().map(|field| program[*field].name.as_str()).collect();
        // The only field of a part is called like the part.
        if names.is_empty() || program[program[self.field].structure].fields.len() > 1 {
            names.push(&program[self.field].name);
        }
        format!("{}::{}", program[slot.whole].name, names.join("."))
    }

    /// The structs of the objects that have it.
    pub fn wholes(&self) -> BTreeSet<StructId> {
        self.slots.iter().map(|slot| slot.whole).collect()
    }
}

/// The slots of all objects, as links.
#[derive(Clone, Debug, Default)]
pub struct Links {
    links: Vec<Link>,
    of_slot: BTreeMap<Slot, LinkId>,
}

impl Links {
    /// All slots but some.
    pub fn of(program: &Program, points_to: &PointsTo, left_out: &BTreeSet<Slot>) -> Links {
        let mut by_field: BTreeMap<FieldId, Vec<(&Slot, &Pointees)>> = BTreeMap::new();
        for (slot, pointees) in points_to.slots().filter(|(slot, _)| !left_out.contains(slot)) {
            by_field.entry(slot.field).or_default().push((slot, pointees));
        }
        let mut links = Links::default();
        for (field, slots) in by_field {
            let wholes: BTreeSet<StructId> = slots.iter().map(|(slot, _)| slot.whole).collect();
            let holder = program[field].structure;
            let mut targets = slots.iter().flat_map(|(_, pointees)| &pointees.targets);
            let linked = targets.any(|target| target.structure(program) == Some(holder));
            if wholes.len() == slots.len() && linked {
                links.add(field, &slots);
            } else {
                slots.iter().for_each(|slot| links.add(field, std::slice::from_ref(slot)));
            }
        }
        links
    }

    fn add(&mut self, field: FieldId, slots: &[(&Slot, &Pointees)]) {
        let id = LinkId(self.links.len());
        let mut link = Link { field, slots: Vec::new(), pointees: Pointees::default() };
        for (slot, pointees) in slots {
            link.slots.push((*slot).clone());
            link.pointees.absorb(pointees);
            self.of_slot.insert((*slot).clone(), id);
        }
        self.links.push(link);
    }

    /// All links, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (LinkId, &Link)> {
        self.links.iter().enumerate().map(|(i, link)| (LinkId(i), link))
    }

    /// The links of pointers.
    pub fn pointers<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = (LinkId, &'a Link)> {
        self.iter().filter(|(_, link)| program[link.field].ty.is_pointer())
    }

    /// The link of a slot, unless it is left out.
    pub fn of_slot(&self, slot: &Slot) -> Option<LinkId> {
        self.of_slot.get(slot).copied()
    }
}

impl std::ops::Index<LinkId> for Links {
    type Output = Link;

    fn index(&self, id: LinkId) -> &Link {
        &self.links[id.0]
    }
}

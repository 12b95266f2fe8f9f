//! Families of predicates: which properties of shapes an analysis tracks, chosen from types and use.
//!
//! Every link has one role:
//!
//! | role | example | tracked |
//! | --- | --- | --- |
//! | spine | `next` of a list, `left` and `right` of a tree | objects that variables reach along it, sharing, cycles |
//! | anchor | from a list's head to its first element, or from an element to a list below it | objects reached there |
//! | back | `prev`, `parent` | that it leads back over the other link, and objects that variables reach |
//! | observer | `tail`, a pointer from each element to the first, a pointer to a pointer | where it leads to |
//!
//! Structs whose objects the spine leads to from each other form a [`Level`]. Anchors lead from one level to another,
//! and never back, so an object that no variable and no object of a higher level leads to is lost.
//!
//! Nothing here can make an analysis unsound: a predicate is defined by a formula, and cases that it fails to tell
//! apart are 1/2.

use std::collections::{BTreeMap, BTreeSet};
use trifold_fixpoint::strongly_connected_components;
use trifold_ir::{ProcId, Program, StructId};
use trifold_passes::link_usage::{LinkUsage, inverse_pairs, link_usage};
use trifold_passes::links::{LinkId, Links};
use trifold_passes::points_to::PointsTo;
use trifold_passes::targets::Target;

/// The role of a link, if it is given and not chosen here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It holds objects: a spine, or an anchor.
    Forward,
    /// It leads back over other links.
    Back,
    /// It leads to objects that something else holds.
    Observer,
}

impl Role {
    /// The role of a name, as people give it.
    pub fn named(name: &str) -> Option<Role> {
        match name {
            "forward" => Some(Role::Forward),
            "back" => Some(Role::Back),
            "observer" => Some(Role::Observer),
            _ => None,
        }
    }
}

/// Roles by the names of links, such as `node::next`.
pub type NamedRoles = BTreeMap<String, Role>;

/// Structs whose objects are linked with each other, or a struct whose objects are not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Level {
    /// The structs.
    pub structs: BTreeSet<StructId>,
    /// The links from object to object. They lead to every object of the level once, if the shape is that of a list or
    /// a tree.
    pub spine: Vec<LinkId>,
    /// The links that lead here from other levels.
    pub anchors: Vec<LinkId>,
}

/// The chosen families.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Families {
    /// The levels.
    pub levels: Vec<Level>,
    /// The first link of each pair leads somewhere; the second one leads back.
    pub inverse: Vec<(LinkId, LinkId)>,
    /// Links that lead to objects which others hold.
    pub observers: Vec<LinkId>,
    /// Links that may lead to a part of their own object.
    pub own: Vec<LinkId>,
    /// Links that are not read, by name; they are not tracked.
    pub unread: Vec<String>,
    /// The links by whose numbers objects are ordered.
    pub ordered: Vec<LinkId>,
    /// The links whose numbers are only known to be equal or not.
    pub equated: Vec<LinkId>,
    /// The names of the links in the program, by [`LinkId`].
    pub(crate) names: Vec<String>,
}

impl Families {
    /// The names of links, such as `node::next`. Fields of numbers are among them.
    pub fn links(&self) -> &[String] {
        &self.names
    }

    /// The links that lead back.
    pub fn back(&self) -> BTreeSet<LinkId> {
        self.inverse.iter().map(|(_, back)| *back).collect()
    }
}

/// Chooses families for the part of the program that these procedures are.
pub(crate) fn choose(
    program: &Program,
    procedures: &[ProcId],
    points_to: &PointsTo,
    links: &Links,
    roles: &NamedRoles,
) -> Families {
    let used = links.pointers(program).filter(|(_, link)| !link.pointees.targets.is_empty());
    let facts = link_usage(program, procedures, points_to, links);
    let own = facts.own.clone();
    let given = links.iter().filter_map(|(id, link)| Some((id, *roles.get(&link.name(program))?))).collect();
    let forward = used.map(|(id, _)| id).collect();
    let mut chooser = Chooser { links, own, forward, observers: BTreeSet::new(), given };
    let inverse = chooser.inverse(&facts);
    chooser.given_observers();
    chooser.forward.retain(|link| !inverse.iter().any(|(_, back)| back == link));
    chooser.find_pointers_to_pointers(program, points_to);
    chooser.find_unused(&facts);
    chooser.find_observers(&facts);
    chooser.find_upward();
    let levels = chooser.levels(&points_to.allocated);
    let observers = chooser.observers.into_iter().collect();
    let own = chooser.own.into_iter().collect();
    let (unread, ordered, equated) = (Vec::new(), Vec::new(), Vec::new());
    let names = links.iter().map(|(_, link)| link.name(program)).collect();
    Families { levels, inverse, observers, own, unread, ordered, equated, names }
}

struct Chooser<'a> {
    links: &'a Links,
    /// Links that may lead to a part of their own object, and lead to no other object of its struct.
    own: BTreeSet<LinkId>,
    /// Links that may be of a spine, or anchors.
    forward: BTreeSet<LinkId>,
    observers: BTreeSet<LinkId>,
    /// The roles that are given and not chosen.
    given: BTreeMap<LinkId, Role>,
}

impl Chooser<'_> {
    /// Pairs of links of which the second leads back over the first.
    fn inverse(&self, facts: &LinkUsage<LinkId>) -> Vec<(LinkId, LinkId)> {
        let may_be = |link: LinkId, role: Role| self.given.get(&link).is_none_or(|given| *given == role);
        let mut pairs = inverse_pairs(facts, &|link| self.forward.contains(&link));
        pairs.retain(|(link, back)| may_be(*link, Role::Forward) && may_be(*back, Role::Back));
        for (back, _) in self.given.iter().filter(|(_, role)| **role == Role::Back) {
            let is_over = |link: &&LinkId| {
                may_be(**link, Role::Forward)
                    && **link != *back
                    && !self.targets(**link).is_disjoint(&self.sources(*back))
                    && !self.sources(**link).is_disjoint(&self.targets(*back))
            };
            let new: Vec<_> = self.forward.iter().filter(is_over).map(|link| (*link, *back)).collect();
            pairs.extend(new.into_iter().filter(|pair| !pairs.contains(pair)).collect::<Vec<_>>());
        }
        pairs
    }

    fn given_observers(&mut self) {
        let observers = self.given.iter().filter(|(_, role)| **role == Role::Observer).map(|(link, _)| *link);
        observers.collect::<Vec<_>>().into_iter().for_each(|link| self.observe(link));
    }

    /// The links that may become observers.
    fn free(&self) -> Vec<LinkId> {
        self.forward.iter().filter(|link| !self.given.contains_key(link)).copied().collect()
    }

    fn sources(&self, link: LinkId) -> BTreeSet<StructId> {
        self.links[link].wholes()
    }

    /// The structs of other objects that the link leads to.
    fn targets(&self, link: LinkId) -> BTreeSet<StructId> {
        let wholes = self.links[link].pointees.wholes();
        if self.own.contains(&link) { &wholes - &self.sources(link) } else { wholes }
    }

    /// Does the link lead from objects of a struct to objects of the same struct?
    fn is_recursive(&self, link: LinkId) -> bool {
        !self.sources(link).is_disjoint(&self.targets(link))
    }

    fn observe(&mut self, link: LinkId) {
        self.forward.remove(&link);
        self.observers.insert(link);
    }

    /// A link to pointers that are parts of objects, or local variables: such a link does not hold objects.
    fn find_pointers_to_pointers(&mut self, program: &Program, points_to: &PointsTo) {
        for link in self.free() {
            let holder = program[self.links[link].field].structure;
            let is_pointer = |target: &Target| {
                let structure = target.structure(program).filter(|structure| *structure != holder);
                let fields = structure.map(|structure| &program[structure].fields[..]);
                matches!(fields, Some([field]) if program[*field].ty.is_pointer() && !program[*field].embedded)
            };
            let is_local = |target: &Target| points_to.stacked.iter().any(|(_, whole)| *whole == target.whole);
            let targets = &self.links[link].pointees.targets;
            if targets.iter().all(|target| is_pointer(target) && (!target.is_whole() || is_local(target))) {
                self.observe(link);
            }
        }
    }

    /// A link between objects of the same struct that is not followed, beside one that is followed.
    fn find_unused(&mut self, facts: &LinkUsage<LinkId>) {
        for link in self.free() {
            let rival = |other: &&LinkId| facts.loaded.contains(other) && self.is_recursive(**other);
            let is_rival = |other: &LinkId| !self.targets(*other).is_disjoint(&self.targets(link));
            if self.is_recursive(link)
                && !facts.loaded.contains(&link)
                && self.forward.iter().filter(rival).any(is_rival)
            {
                self.observe(link);
            }
        }
    }

    /// Of links that are set to the same object, all but one just observe it.
    fn find_observers(&mut self, facts: &LinkUsage<LinkId>) {
        loop {
            let mut rivals: BTreeMap<LinkId, usize> = BTreeMap::new();
            for (one, other) in facts.same.iter().filter(|(one, other)| {
                self.forward.contains(one) && self.forward.contains(other) && self.competes(*one, *other, facts)
            }) {
                *rivals.entry(*one).or_default() += 1;
                *rivals.entry(*other).or_default() += 1;
            }
            rivals.retain(|link, _| !self.given.contains_key(link));
            // The one that has most rivals goes first, and of several the one that is declared last.
            let Some((link, _)) = rivals.into_iter().max_by_key(|(link, count)| (*count, *link)) else { return };
            self.observe(link);
        }
    }

    /// Do two links that are set to the same object lead to objects that one of them could own?
    ///
    /// A link that many objects set to the same object owns nothing, unless there is no other one that could.
    fn competes(&self, one: LinkId, other: LinkId, facts: &LinkUsage<LinkId>) -> bool {
        if one != other {
            // A link into a list, and a link on in it, are both needed.
            let apart = self.sources(one).is_disjoint(&self.sources(other));
            let both_needed = apart && self.is_recursive(one) != self.is_recursive(other);
            return !both_needed && !self.targets(one).is_disjoint(&self.targets(other));
        }
        let owns = |link: &LinkId| *link != one && !facts.same.contains(&(*link, *link));
        let targets = self.targets(one);
        self.forward.iter().filter(|link| owns(link)).any(|link| !self.targets(*link).is_disjoint(&targets))
    }

    /// From the elements of a list back to its head object: in a cycle of structs, links that lead from recursive
    /// structs to others.
    fn find_upward(&mut self) {
        let recursive: BTreeSet<StructId> =
            self.forward.iter().filter(|link| self.is_recursive(**link)).flat_map(|link| self.sources(*link)).collect();
        for link in self.free() {
            let up = self.sources(link).is_subset(&recursive) && self.targets(link).is_disjoint(&recursive);
            if up && self.leads_back(link) {
                self.observe(link);
            }
        }
    }

    /// Do other links lead from the targets of the link to its sources?
    fn leads_back(&self, link: LinkId) -> bool {
        let mut reached = self.targets(link);
        loop {
            let more = self.forward.iter().filter(|other| !self.sources(**other).is_disjoint(&reached));
            let more: BTreeSet<StructId> = more.flat_map(|other| self.targets(*other)).collect();
            if more.is_subset(&reached) {
                return !reached.is_disjoint(&self.sources(link));
            }
            reached.extend(more);
        }
    }

    fn levels(&self, structs: &BTreeSet<StructId>) -> Vec<Level> {
        let order: Vec<StructId> = structs.iter().copied().collect();
        let number = |structure: &StructId| order.iter().position(|known| known == structure);
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        // Objects that share the predicate of a link are of one level: they form one list.
        for link in &self.forward {
            let targets: Vec<usize> = self.targets(*link).iter().filter_map(number).collect();
            let sources: Vec<usize> = self.sources(*link).iter().filter_map(number).collect();
            sources.iter().for_each(|source| successors[*source].extend(&targets));
            if self.is_recursive(*link) {
                targets.iter().for_each(|target| successors[*target].extend(&sources));
            }
        }
        let components = strongly_connected_components(&successors);
        let count = components.iter().max().map_or(0, |last| last + 1);
        let mut levels = vec![Level::default(); count];
        for (structure, component) in order.iter().zip(&components) {
            levels[*component].structs.insert(*structure);
        }
        for link in &self.forward {
            let (sources, targets) = (self.sources(*link), self.targets(*link));
            for level in levels.iter_mut().filter(|level| !level.structs.is_disjoint(&targets)) {
                if level.structs.is_disjoint(&sources) {
                    level.anchors.push(*link);
                } else {
                    level.spine.push(*link);
                }
            }
        }
        levels
    }
}

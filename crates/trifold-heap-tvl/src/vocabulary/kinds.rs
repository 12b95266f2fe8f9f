//! The kinds of instrumentation predicates, and those of a level.

use trifold_logic::PredicateId;

/// The dependence of a defined predicate's value on other objects, as far as calls are concerned.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// It is about where an object leads.
    Forward,
    /// It is a union of links.
    Union,
    /// Several of these links, whose union the first predicate is, lead to an object.
    Shared(PredicateId, Vec<PredicateId>),
    /// It is reached from an object that needs no reference.
    Rooted,
    /// An object is reached from another one along this relation.
    Below(PredicateId),
    /// An object is reached along a relation from where a link leads.
    Via(PredicateId, PredicateId),
    /// This link leads to an object.
    In(PredicateId),
    /// An object is reached along a relation from where this link of another one leads.
    Under(PredicateId, PredicateId),
    /// The data of where this link leads compares to that of an object.
    InOrder(PredicateId),
    /// The data of all that is reached by way of a link compares to that of an object; "`w` is reached from `v`".
    Sorted(PredicateId),
    /// The data of an object differs from that of all others that lead there along this link, or where it leads.
    Distinct(PredicateId),
}

/// The tracked predicates of a level.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The step along the spine, if there is one.
    pub step: Option<PredicateId>,
    pub shared: Option<PredicateId>,
    /// Which object leads to which along the spine.
    pub below: Option<PredicateId>,
    /// The objects on a cycle of the spine.
    pub cyclic: Option<PredicateId>,
    /// The objects that are reached from where anchors lead, and where they lead.
    pub via: Vec<(PredicateId, PredicateId)>,
    /// The objects that are reached by way of each of several links of the spine, with the link.
    pub under: Vec<(PredicateId, PredicateId)>,
}

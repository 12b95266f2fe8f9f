//! Families of predicates: which properties of shapes an analysis tracks, chosen from types and use.
//!
//! | the program has | it gets |
//! | --- | --- |
//! | one pointer field between its objects | reachability along it from each variable, sharing, cycles |
//! | a pair of fields of which one leads back over the other | the above along both, and "the one leads back over the other" |
//! | several forward fields | the above for their union |
//!
//! Nothing here can make an analysis unsound: a predicate is defined by a formula, and whatever it fails to tell apart is 1/2.

use crate::holdings::Holdings;
use crate::links::{Link, LinkId, Links};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{FieldId, Operand, ProcId, Program, Statement, StructId, VarId};

/// A relation between objects along which reachability is tracked: a link, or the union of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// The links.
    pub links: Vec<LinkId>,
    /// The structs whose objects it relates.
    pub structs: BTreeSet<StructId>,
}

/// What was chosen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Families {
    /// Reachability, sharing and cycles along these.
    pub relations: Vec<Relation>,
    /// The first link of each pair leads somewhere; the second one leads back.
    pub inverse: Vec<(LinkId, LinkId)>,
    /// What the links are called in the program, by [`LinkId`].
    pub(crate) names: Vec<String>,
}

/// Chooses families for the part of the program that these procedures are.
pub(crate) fn choose(program: &Program, procedures: &[ProcId], holdings: &Holdings, links: &Links) -> Families {
    let structs =
        |link: &Link| -> BTreeSet<StructId> { link.wholes().union(&link.holding.wholes()).copied().collect() };
    let used: Vec<LinkId> =
        links.pointers(program).filter(|(_, link)| !link.holding.targets.is_empty()).map(|(id, _)| id).collect();
    let links_of = |object: VarId, field: FieldId| -> BTreeSet<LinkId> {
        let slots = holdings.variable(object).targets.iter().filter_map(|target| target.slot(program, field));
        slots.filter_map(|slot| links.of_slot(&slot)).collect()
    };
    let inverse = inverse_pairs(&facts(program, procedures, &links_of), &|link| used.contains(&link));
    let back: BTreeSet<LinkId> = inverse.iter().map(|(_, back)| *back).collect();
    let mut relations: Vec<Relation> = Vec::new();
    for link in used.iter().filter(|link| !back.contains(link)) {
        let mut relation = Relation { links: vec![*link], structs: structs(&links[*link]) };
        let (met, apart): (Vec<_>, Vec<_>) =
            relations.into_iter().partition(|known| !known.structs.is_disjoint(&relation.structs));
        relations = apart;
        for met in met {
            relation.links.extend(met.links);
            relation.structs.extend(met.structs);
        }
        relation.links.sort();
        relations.push(relation);
    }
    // Lists that are linked both ways are reached both ways.
    relations.extend(back.iter().map(|link| Relation { links: vec![*link], structs: structs(&links[*link]) }));
    relations.sort_by_key(|relation| relation.links.clone());
    Families { relations, inverse, names: links.iter().map(|(_, link)| link.name(program)).collect() }
}

/// "The link of what the first variable points to is what the second one points to", after a statement of the program.
type Fact<L> = (VarId, L, VarId);

/// What stores and loads say, stores apart, where `links` says what a field of what a variable points to is.
fn facts<L: Copy + Ord>(
    program: &Program,
    procedures: &[ProcId],
    links: &dyn Fn(VarId, FieldId) -> BTreeSet<L>,
) -> [BTreeSet<Fact<L>>; 2] {
    let (mut stored, mut all) = (BTreeSet::new(), BTreeSet::new());
    for edge in procedures.iter().flat_map(|procedure| &program[*procedure].edges) {
        match &edge.statement {
            Statement::Store { object, field, value: Operand::Pointer(value) } => {
                stored.extend(links(*object, *field).into_iter().map(|link| (*object, link, *value)));
            }
            Statement::Load { to, object, field } if program[*to].ty.is_pointer() => {
                all.extend(links(*object, *field).into_iter().map(|link| (*object, link, *to)));
            }
            _ => {}
        }
    }
    all.extend(stored.iter().copied());
    [stored, all]
}

/// Pairs of fields of which the second one leads back over the first.
pub(crate) fn inverse_fields(program: &Program, procedures: &[ProcId]) -> Vec<(FieldId, FieldId)> {
    inverse_pairs(&facts(program, procedures, &|_, field| BTreeSet::from([field])), &|_| true)
}

/// Pairs of links that are set to each other's object: `x->n = y` and `y->p = x` for the same variables.
///
/// A link that leads back over several others, like the parent of a tree's node, is the second of all its pairs.
fn inverse_pairs<L: Copy + Ord>([stored, all]: &[BTreeSet<Fact<L>>; 2], used: &dyn Fn(L) -> bool) -> Vec<(L, L)> {
    let mut partners: BTreeMap<L, BTreeSet<L>> = BTreeMap::new();
    for (object, link, value) in stored {
        for (_, other, _) in all.iter().filter(|(o, other, v)| (o, v) == (value, object) && other != link) {
            partners.entry(*link).or_default().insert(*other);
            partners.entry(*other).or_default().insert(*link);
        }
    }
    let mut pairs = Vec::new();
    for (link, others) in &partners {
        for other in others.iter().filter(|other| used(**other)) {
            let back = partners[other].len();
            let leads_back = back > others.len() || back == others.len() && other > link;
            if leads_back {
                pairs.push((*link, *other));
            }
        }
    }
    pairs
}

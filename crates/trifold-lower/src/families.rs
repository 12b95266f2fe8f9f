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
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{FieldId, Operand, ProcId, Program, Statement, StructId, VarId};

/// A relation between objects along which reachability is tracked: a field, or the union of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// The fields.
    pub fields: Vec<FieldId>,
    /// The structs whose objects it relates.
    pub structs: BTreeSet<StructId>,
}

/// What was chosen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Families {
    /// Reachability, sharing and cycles along these.
    pub relations: Vec<Relation>,
    /// The first field of each pair leads somewhere; the second one leads back.
    pub inverse: Vec<(FieldId, FieldId)>,
}

/// Chooses families for the part of the program that these procedures are.
pub(crate) fn choose(program: &Program, procedures: &[ProcId], holdings: &Holdings) -> Families {
    let targets = |field: FieldId| &holdings.field(field).structs;
    let used: Vec<FieldId> =
        (0..program.fields.len()).map(FieldId::from_index).filter(|field| !targets(*field).is_empty()).collect();
    let inverse = inverse_pairs(program, procedures, &used);
    let back: BTreeSet<FieldId> = inverse.iter().map(|(_, back)| *back).collect();
    let forward = |field: &&FieldId| !back.contains(field);
    let mut relations: Vec<Relation> = Vec::new();
    for field in used.iter().filter(forward) {
        let mut structs = targets(*field).clone();
        structs.insert(program[*field].structure);
        let (met, apart) = relations.into_iter().partition(|relation| !relation.structs.is_disjoint(&structs));
        relations = apart;
        let mut relation = Relation { fields: vec![*field], structs };
        for met in Vec::<Relation>::from_iter(met) {
            relation.fields.extend(met.fields);
            relation.structs.extend(met.structs);
        }
        relation.fields.sort();
        relations.push(relation);
    }
    // Lists that are linked both ways are reached both ways.
    for field in back {
        let structs: BTreeSet<StructId> = targets(field).iter().copied().chain([program[field].structure]).collect();
        relations.push(Relation { fields: vec![field], structs });
    }
    relations.sort_by_key(|relation| relation.fields.clone());
    Families { relations, inverse }
}

/// Pairs of fields that are set to each other's object: `x->n = y` and `y->p = x` for the same variables.
///
/// A field that leads back over several others, like the parent of a tree's node, is the second of all its pairs.
pub(crate) fn inverse_pairs(program: &Program, procedures: &[ProcId], used: &[FieldId]) -> Vec<(FieldId, FieldId)> {
    let mut stores: BTreeSet<(VarId, FieldId, VarId)> = BTreeSet::new();
    for edge in procedures.iter().flat_map(|procedure| &program[*procedure].edges) {
        if let Statement::Store { object, field, value: Operand::Pointer(value) } = &edge.statement {
            stores.insert((*object, *field, *value));
        }
    }
    let mut partners: BTreeMap<FieldId, BTreeSet<FieldId>> = BTreeMap::new();
    for (object, field, value) in &stores {
        for (_, other, _) in stores.iter().filter(|(o, other, v)| (o, v) == (value, object) && other != field) {
            partners.entry(*field).or_default().insert(*other);
        }
    }
    let mut pairs = Vec::new();
    for (field, others) in &partners {
        for other in others.iter().filter(|other| used.contains(other)) {
            let back = partners[other].len();
            let leads_back = back > others.len() || back == others.len() && other > field;
            if leads_back {
                pairs.push((*field, *other));
            }
        }
    }
    pairs
}

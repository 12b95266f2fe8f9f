//! What stores and loads say about how links lead: over which other links they lead back, and which of them lead to the same objects.

use crate::holdings::Holdings;
use crate::links::{LinkId, Links};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{FieldId, NodeId, Operand, ProcId, Procedure, Program, Statement, VarId};

/// What is known about links.
pub(crate) struct Facts<L> {
    /// `(f, g)` if the link `g` of where `f` of an object leads is set to that object.
    mutual: BTreeSet<(L, L)>,
    /// Links that are read.
    pub loaded: BTreeSet<L>,
    /// Links that are set to the same object, one after the other; twice the same if those of several objects are.
    pub same: BTreeSet<(L, L)>,
}

/// Says which links a field of what a variable points to can be.
type LinksOf<'a, L> = &'a dyn Fn(VarId, FieldId) -> BTreeSet<L>;

/// The facts about links.
pub(crate) fn link_facts(
    program: &Program,
    procedures: &[ProcId],
    holdings: &Holdings,
    links: &Links,
) -> Facts<LinkId> {
    facts(program, procedures, &|object, field| {
        let slots = holdings.variable(object).targets.iter().filter_map(|target| target.slot(program, field));
        slots.filter_map(|slot| links.of_slot(&slot)).collect()
    })
}

/// Pairs of fields of which the second one leads back over the first.
pub(crate) fn inverse_fields(program: &Program, procedures: &[ProcId]) -> Vec<(FieldId, FieldId)> {
    inverse_pairs(&facts(program, procedures, &|_, field| BTreeSet::from([field])), &|_| true)
}

fn facts<L: Copy + Ord>(program: &Program, procedures: &[ProcId], links: LinksOf<L>) -> Facts<L> {
    let (mut mutual, mut loaded) = (BTreeSet::new(), BTreeSet::new());
    for procedure in procedures.iter().map(|procedure| &program[*procedure]) {
        for edge in &procedure.edges {
            let (object, field, value) = match &edge.statement {
                Statement::Store { object, field, value: Operand::Pointer(value) } => (*object, *field, *value),
                Statement::Load { to, object, field } if program[*to].ty.is_pointer() => {
                    loaded.extend(links(*object, *field));
                    (*object, *field, *to)
                }
                _ => continue,
            };
            // After `x = x->f` nothing points to the object any more.
            if edge.statement.assigned() == Some(object) {
                continue;
            }
            for back in fields_set_behind(procedure, edge.to, value, object) {
                let back = links(value, back);
                mutual.extend(links(object, field).iter().flat_map(|f| back.iter().map(move |g| (*f, *g))));
            }
        }
    }
    Facts { mutual, loaded, same: same_targets(program, procedures, links) }
}

/// The fields `g` of stores `x->g = y` behind a node, before one of these variables changes.
fn fields_set_behind(procedure: &Procedure, start: NodeId, x: VarId, y: VarId) -> Vec<FieldId> {
    let set = |edge: usize| match &procedure.edges[edge].statement {
        Statement::Store { object, field, value: Operand::Pointer(value) } if (*object, *value) == (x, y) => {
            Some(*field)
        }
        _ => None,
    };
    unchanged_behind(procedure, start, &[x, y]).into_iter().filter_map(set).collect()
}

/// Pairs of links that are set to each other's object: `x->n = y` and `y->p = x` for the same objects.
///
/// A link that leads back over several others, like the parent of a tree's node, is the second of all its pairs.
pub(crate) fn inverse_pairs<L: Copy + Ord>(facts: &Facts<L>, used: &dyn Fn(L) -> bool) -> Vec<(L, L)> {
    let mut partners: BTreeMap<L, BTreeSet<L>> = BTreeMap::new();
    for (link, other) in facts.mutual.iter().filter(|(link, other)| link != other) {
        partners.entry(*link).or_default().insert(*other);
        partners.entry(*other).or_default().insert(*link);
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

/// The variable that is stored in one of these links of some object, at an edge of a procedure.
///
/// The call of a procedure that stores its parameter is one too.
type Stores<L> = BTreeMap<(ProcId, usize), Vec<(VarId, BTreeSet<L>)>>;

fn stores<L: Copy + Ord>(program: &Program, procedures: &[ProcId], links: LinksOf<L>) -> Stores<L> {
    let mut stores: Stores<L> = BTreeMap::new();
    // What procedures store, by parameter; callees of callees come with the next round.
    let mut of_parameters: BTreeMap<VarId, BTreeSet<L>> = BTreeMap::new();
    loop {
        let before = of_parameters.clone();
        stores.clear();
        for procedure in procedures {
            for (number, edge) in program[*procedure].edges.iter().enumerate() {
                let stored = match &edge.statement {
                    Statement::Store { object, field, value: Operand::Pointer(value) } => {
                        vec![(*value, links(*object, *field))]
                    }
                    Statement::Call { targets, arguments, .. } => {
                        let passed = |target: &ProcId| program[*target].parameters.iter().copied().zip(arguments);
                        let passed = targets.iter().flat_map(passed);
                        passed
                            .filter_map(|(parameter, argument)| match argument {
                                Operand::Pointer(value) => Some((*value, of_parameters.get(&parameter)?.clone())),
                                _ => None,
                            })
                            .collect()
                    }
                    _ => continue,
                };
                for (value, links) in &stored {
                    if program[*procedure].parameters.contains(value) && !is_assigned(&program[*procedure], *value) {
                        of_parameters.entry(*value).or_default().extend(links);
                    }
                }
                stores.insert((*procedure, number), stored);
            }
        }
        if of_parameters == before {
            return stores;
        }
    }
}

fn is_assigned(procedure: &Procedure, variable: VarId) -> bool {
    procedure.edges.iter().any(|edge| edge.statement.assigned() == Some(variable))
}

/// Links that are set to the same object: what is stored is stored again before the variable changes.
fn same_targets<L: Copy + Ord>(program: &Program, procedures: &[ProcId], links: LinksOf<L>) -> BTreeSet<(L, L)> {
    let stores = stores(program, procedures, links);
    let mut same = BTreeSet::new();
    for ((procedure, first), stored) in &stores {
        for (value, links) in stored {
            for edge in unchanged_behind(&program[*procedure], program[*procedure].edges[*first].to, &[*value]) {
                let again = stores.get(&(*procedure, edge)).into_iter().flatten().filter(|(other, _)| other == value);
                for link in again.flat_map(|(_, links)| links) {
                    // Two statements that set the same link move an object; one that does so again and again shares it.
                    same.extend(links.iter().filter(|one| *one != link || edge == *first).map(|one| (*one, *link)));
                }
            }
        }
    }
    same
}

/// The edges that can be reached from a node before one of the variables changes.
fn unchanged_behind(procedure: &Procedure, start: NodeId, variables: &[VarId]) -> BTreeSet<usize> {
    let leaving = procedure.edges_from();
    let (mut found, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(node) = open.pop() {
        for edge in &leaving[node.index()] {
            let changes = procedure.edges[*edge].statement.assigned().is_some_and(|to| variables.contains(&to));
            if found.insert(*edge) && !changes {
                open.push(procedure.edges[*edge].to);
            }
        }
    }
    found
}

//! The use of links in stores and loads: over which other links they lead back, and which of them lead to the same
//! objects. For example, after `x->next = y; y->prev = x;` the link `prev` leads back over `next`.

use crate::links::{LinkId, Links};
use crate::points_to::PointsTo;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Edge, FieldId, NodeId, Operand, ProcId, Procedure, Program, Statement, VarId};
use trifold_work::listen;

/// The facts about links.
pub struct LinkUsage<L> {
    /// `(f, g)` if the link `g` of where `f` of an object leads is set to that object.
    mutual: BTreeSet<(L, L)>,
    /// Links that are read.
    pub loaded: BTreeSet<L>,
    /// Links that are set to a part of their own object.
    pub own: BTreeSet<L>,
    /// How many statements go along them, like `x = x->f`, or `t = x->f` where `x = t` follows.
    followed: BTreeMap<L, usize>,
    /// Links that are set to the same object, one after the other; twice the same if those of several objects are.
    pub same: BTreeSet<(L, L)>,
}

/// Says which links a field of the object of a variable can be.
type LinksOf<'a, L> = &'a dyn Fn(VarId, FieldId) -> BTreeSet<L>;

/// The facts about links.
pub fn link_usage(program: &Program, procedures: &[ProcId], points_to: &PointsTo, links: &Links) -> LinkUsage<LinkId> {
    facts(program, procedures, &|object, field| {
        let slots = points_to.variable(object).targets.iter().filter_map(|target| target.slot(program, field));
        slots.filter_map(|slot| links.of_slot(&slot)).collect()
    })
}

/// Pairs of fields of which the second one leads back over the first.
pub fn inverse_fields(program: &Program, procedures: &[ProcId]) -> Vec<(FieldId, FieldId)> {
    inverse_pairs(&facts(program, procedures, &|_, field| BTreeSet::from([field])), &|_| true)
}

/// A procedure, and the edges that leave each of its nodes.
struct Flow<'p> {
    procedure: &'p Procedure,
    leaving: Vec<Vec<usize>>,
}

impl Flow<'_> {
    fn of(procedure: &Procedure) -> Flow<'_> {
        Flow { procedure, leaving: procedure.edges_from() }
    }

    /// The edges that can be reached from a node before a statement ends the fact that holds there; those of such
    /// statements too.
    fn edges_behind(&self, start: NodeId, ends: &dyn Fn(&Statement) -> bool) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(node) = open.pop() {
            listen();
            for edge in &self.leaving[node.index()] {
                if found.insert(*edge) && !ends(&self.procedure.edges[*edge].statement) {
                    open.push(self.procedure.edges[*edge].to);
                }
            }
        }
        found
    }
}

fn facts<L: Copy + Ord>(program: &Program, procedures: &[ProcId], links: LinksOf<L>) -> LinkUsage<L> {
    let (mut mutual, mut loaded, mut followed) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
    let mut own = BTreeSet::new();
    for flow in procedures.iter().map(|procedure| Flow::of(&program[*procedure])) {
        for (number, edge) in flow.procedure.edges.iter().enumerate() {
            if let Statement::Load { to, object, field } = &edge.statement
                && program[*field].embedded
            {
                let stored = own_parts_stored(&flow, edge.to, *object, *to);
                own.extend(stored.into_iter().flat_map(|field| links(*object, field)));
            }
            let (object, field, value) = match &edge.statement {
                Statement::Store { object, field, value: Operand::Pointer(value) } => (*object, *field, *value),
                Statement::Load { to, object, field } if program[*to].ty.is_pointer() => {
                    loaded.extend(links(*object, *field));
                    (*object, *field, *to)
                }
                _ => continue,
            };
            if is_followed(flow.procedure, &edge.statement) {
                links(object, field).into_iter().for_each(|link| *followed.entry(link).or_default() += 1);
            }
            // After `x = x->f` only copies of `x` point to the object.
            let moves = edge.statement.assigned() == Some(object);
            let holders = if moves { copies(&flow, number, object) } else { vec![object] };
            for holder in holders {
                for back in fields_set_behind(&flow, edge.to, (holder, field), value) {
                    let back = links(value, back);
                    mutual.extend(links(object, field).iter().flat_map(|f| back.iter().map(move |g| (*f, *g))));
                }
            }
        }
    }
    LinkUsage { mutual, loaded, followed, own, same: same_targets(program, procedures, links) }
}

/// Does a statement go along a link: `x = x->f`, or `t = x->f` in a procedure that has `x = t`?
pub(crate) fn is_followed(procedure: &Procedure, statement: &Statement) -> bool {
    let Statement::Load { to, object, .. } = statement else { return false };
    let returns = |edge: &Edge| match &edge.statement {
        Statement::Set { to: moved, value: Operand::Pointer(from) } => (moved, from) == (object, to),
        _ => false,
    };
    to == object || procedure.edges.iter().any(returns)
}

/// Where the address of a first element is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Variable(VarId),
    Field(VarId, FieldId),
}

/// The fields by which elements are put in front of others: `x->f = first; first = x`, or `y = l->first; x->f = y;
/// l->first = x`.
pub(crate) fn put_in_front(program: &Program, procedures: &[ProcId]) -> BTreeSet<FieldId> {
    let mut fields = BTreeSet::new();
    for flow in procedures.iter().map(|procedure| Flow::of(&program[*procedure])) {
        let edges = &flow.procedure.edges;
        let assigns = |statement: &Statement, variable: VarId| statement.assigned() == Some(variable);
        for (number, edge) in edges.iter().enumerate() {
            let Statement::Store { object, field, value: Operand::Pointer(first) } = edge.statement else { continue };
            let loaded = edges.iter().filter_map(|load| match load.statement {
                Statement::Load { to, object, field } if to == first => {
                    let behind = flow.edges_behind(load.to, &|statement| assigns(statement, first));
                    behind.contains(&number).then_some(Holder::Field(object, field))
                }
                _ => None,
            });
            let holders: BTreeSet<Holder> = loaded.chain([Holder::Variable(first)]).collect();
            let behind = flow.edges_behind(edge.to, &|statement| assigns(statement, object));
            let is_kept = behind.iter().any(|behind| match &edges[*behind].statement {
                Statement::Set { to, value: Operand::Pointer(from) } => {
                    *from == object && holders.contains(&Holder::Variable(*to))
                }
                Statement::Store { object: holder, field, value: Operand::Pointer(from) } => {
                    *from == object && holders.contains(&Holder::Field(*holder, *field))
                }
                _ => false,
            });
            fields.extend(is_kept.then_some(field));
        }
    }
    fields
}

/// The variables to which a variable may have been copied before an edge, neither having changed since.
fn copies(flow: &Flow, before: usize, x: VarId) -> Vec<VarId> {
    let copy = |edge: &Edge| match &edge.statement {
        Statement::Set { to, value: Operand::Pointer(from) } if *from == x => {
            let changes = |statement: &Statement| statement.assigned().is_some_and(|y| y == x || y == *to);
            flow.edges_behind(edge.to, &changes).contains(&before).then_some(*to)
        }
        _ => None,
    };
    flow.procedure.edges.iter().filter_map(copy).collect()
}

/// The fields `g` of stores `y->g = x` after a node where `x->f` is `y`, before that changes.
fn fields_set_behind(flow: &Flow, start: NodeId, (x, f): (VarId, FieldId), y: VarId) -> Vec<FieldId> {
    let ends = |statement: &Statement| match statement {
        Statement::Store { object, field, .. } => (*object, *field) == (x, f),
        statement => statement.assigned().is_some_and(|to| to == x || to == y),
    };
    let set = |edge: usize| match &flow.procedure.edges[edge].statement {
        Statement::Store { object, field, value: Operand::Pointer(value) } if (*object, *value) == (y, x) => {
            Some(*field)
        }
        _ => None,
    };
    flow.edges_behind(start, &ends).into_iter().filter_map(set).collect()
}

/// The fields of stores `x->f = y` after a node where `y` is a part of `x`.
fn own_parts_stored(flow: &Flow, start: NodeId, x: VarId, y: VarId) -> Vec<FieldId> {
    let ends = |statement: &Statement| statement.assigned().is_some_and(|to| to == x || to == y);
    let stored = |edge: usize| match &flow.procedure.edges[edge].statement {
        Statement::Store { object, field, value: Operand::Pointer(value) } if (*object, *value) == (x, y) => {
            Some(*field)
        }
        _ => None,
    };
    flow.edges_behind(start, &ends).into_iter().filter_map(stored).collect()
}

/// Pairs of links that are set to each other's object: `x->n = y` and `y->p = x` for the same objects.
///
/// A link that leads back over several others, like the parent of a tree's node, is the second of all its pairs. Of two
/// others the first is the one that more statements go along, or that is declared first.
pub fn inverse_pairs<L: Copy + Ord>(facts: &LinkUsage<L>, used: &dyn Fn(L) -> bool) -> Vec<(L, L)> {
    let mut partners: BTreeMap<L, BTreeSet<L>> = BTreeMap::new();
    for (link, other) in facts.mutual.iter().filter(|(link, other)| link != other) {
        partners.entry(*link).or_default().insert(*other);
        partners.entry(*other).or_default().insert(*link);
    }
    let mut pairs = Vec::new();
    for (link, others) in &partners {
        for other in others.iter().filter(|other| used(**other)) {
            let rank = |link: &L| {
                let followed = facts.followed.get(link).copied().unwrap_or_default();
                (partners[link].len(), Reverse(followed), *link)
            };
            if rank(other) > rank(link) {
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
    // The links that procedures store, by parameter; callees of callees come with the next round.
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

/// Links that are set to the same object: the value is stored again before the variable changes.
fn same_targets<L: Copy + Ord>(program: &Program, procedures: &[ProcId], links: LinksOf<L>) -> BTreeSet<(L, L)> {
    let stores = stores(program, procedures, links);
    let flows: BTreeMap<ProcId, Flow> = procedures.iter().map(|id| (*id, Flow::of(&program[*id]))).collect();
    let mut same = BTreeSet::new();
    for ((procedure, first), stored) in &stores {
        for (value, links) in stored {
            let changes = |statement: &Statement| statement.assigned() == Some(*value);
            for edge in flows[procedure].edges_behind(program[*procedure].edges[*first].to, &changes) {
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

//! Fields that are overwritten after a call or a loop before the procedure reads them lose their values before it.
//!
//! The object that such a field leads to may be a cutpoint of the call, and yet it is not looked at [RinetzkySY05
//! §4, where that was done by hand]. In a loop it would be told apart from others for nothing: a pivot that still
//! leads to the element that once came after it, while a loop deals the elements out. Whether the callee does is
//! not known beforehand. So the field is not set to null but left without a value: a statement that reads it after
//! all is found, and then the result is of no use. It is of no use either if the field cannot be written, because
//! the object was freed, as a run may not come to the store.
//!
//! For example, `f(y); x->n = null;` becomes `if (x != null) { x->n = no value; } f(y); x->n = null;`. If `n` is a
//! part of the object with a field of its own, `f(y); t = x->n; t->value = null;`, so is that.
//!
//! # Soundness
//!
//! A program in which no pointer without a value is used behaves as if the pointer had one. It may lose
//! objects earlier. So it does not matter what counts as dead, as long as uses are found.

use crate::reuse_loads::known;
use std::collections::{BTreeMap, BTreeSet};
use trifold_fixpoint::strongly_connected_components;
use trifold_ir::{Condition, Edge, FieldId, Node, Operand, ProcId, Procedure, Program, Scope, Statement, Type, VarId};

/// A field of the object that a variable points to, or of a part of that object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    object: VarId,
    part: Option<FieldId>,
    field: FieldId,
}

type Places = BTreeSet<Place>;

/// The program without the values of dead fields; its edges keep their numbers. Nothing if there are none.
pub fn without_dead_fields(program: &Program, procedures: &[ProcId]) -> Option<Program> {
    let mut changed = program.clone();
    for procedure in procedures {
        let dead = dead_fields(program, &program[*procedure]);
        let loops = loops(&program[*procedure]);
        let mut parts = BTreeMap::new();
        for (number, edge) in program[*procedure].edges.iter().enumerate() {
            let enters_loop = loops[edge.to.index()].filter(|inner| loops[edge.from.index()] != Some(*inner)).is_some();
            if enters_loop || matches!(edge.statement, Statement::Call { .. }) {
                let held = dead[edge.from.index()].iter();
                held.for_each(|place| clear(&mut changed, *procedure, number, *place, &mut parts));
            }
        }
    }
    (changed != *program).then_some(changed)
}

/// `if (x != null) { x->f = no value; }`, before an edge. Parts have variables of their own.
fn clear(program: &mut Program, id: ProcId, edge: usize, place: Place, parts: &mut BTreeMap<FieldId, VarId>) {
    let Place { object, part, field } = place;
    let Edge { from, span, .. } = program[id].edges[edge];
    let [some, owner, done] = [(); 3].map(|()| program[id].add_node(Node::default()));
    let is_null =
        |equal| Statement::Assume(Condition::Pointers { left: Operand::Pointer(object), right: Operand::Null, equal });
    program[id].add_edge(from, done, is_null(true), span);
    program[id].add_edge(from, some, is_null(false), span);
    let (to, object) = match part {
        None => (Statement::Skip, object),
        Some(part) => {
            let ty = Type::Pointer(Some(program[field].structure));
            let of = *parts
                .entry(part)
                .or_insert_with(|| program.add_variable(&format!("$dead{}", part.index()), ty, Scope::Local(id), span));
            (Statement::Load { to: of, object, field: part }, of)
        }
    };
    program[id].add_edge(some, owner, to, span);
    program[id].add_edge(owner, done, Statement::Store { object, field, value: Operand::Uninitialised }, span);
    program[id].edges[edge].from = done;
}

/// The outermost loop that each node is in, by number.
fn loops(procedure: &Procedure) -> Vec<Option<usize>> {
    let mut successors = vec![Vec::new(); procedure.nodes.len()];
    procedure.edges.iter().for_each(|edge| successors[edge.from.index()].push(edge.to.index()));
    let components = strongly_connected_components(&successors);
    let mut sizes = vec![0; successors.len()];
    components.iter().for_each(|component| sizes[*component] += 1);
    let is_in_loop = |node: usize| sizes[components[node]] > 1 || successors[node].contains(&node);
    (0..successors.len()).map(|node| is_in_loop(node).then_some(components[node])).collect()
}

/// For each node: the fields that every way from there overwrites, before the procedure reads any field of that name.
fn dead_fields(program: &Program, procedure: &Procedure) -> Vec<Places> {
    let known = known(program, procedure);
    let place = |edge: &Edge, object: VarId, field: FieldId| {
        let mut held = known[edge.from.index()].iter().flatten();
        match held.find(|(_, part, to)| *to == object && program[*part].embedded) {
            Some((owner, part, _)) => Place { object: *owner, part: Some(*part), field },
            None => Place { object, part: None, field },
        }
    };
    let stored = procedure.edges.iter().filter_map(|edge| match edge.statement {
        Statement::Store { object, field, .. } if program[field].ty.is_pointer() => Some(place(edge, object, field)),
        _ => None,
    });
    let all: Places = stored.filter(|place| procedure.variables().any(|own| own == place.object)).collect();
    let mut dead = vec![all; procedure.nodes.len()];
    dead[procedure.exit.index()].clear();
    loop {
        let before = dead.clone();
        for edge in procedure.edges.iter().filter(|edge| edge.statement.falls_through()) {
            let mut here = dead[edge.to.index()].clone();
            match &edge.statement {
                Statement::Load { object, field, .. } => {
                    let read = place(edge, *object, *field);
                    here.retain(|dead| (dead.part, dead.field) != (read.part, read.field));
                }
                Statement::Free { .. } | Statement::EndLife { .. } => here.clear(),
                _ => {}
            }
            if let Some(to) = edge.statement.assigned() {
                here.retain(|dead| dead.object != to);
            }
            if let Statement::Store { object, field, .. } = &edge.statement {
                here.insert(place(edge, *object, *field));
            }
            dead[edge.from.index()].retain(|place| here.contains(place));
        }
        if dead == before {
            return dead;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The procedure without dead fields, printed; nothing if there are none.
    fn changed(text: &str) -> Option<String> {
        let (program, _) = trifold_ir::parse("test", text).expect("a program");
        let main = program.procedure_named("main").expect("main");
        without_dead_fields(&program, &[main]).map(|program| trifold_ir::print(&program))
    }

    const TYPES: &str = "struct link { node *to; } struct node { embedded link n; node *m; } proc f(node *y) { }\n";

    #[test]
    fn fields_that_are_overwritten_after_calls_are_dead_before() {
        let of = |last: &str| changed(&format!("{TYPES} proc main(node *x, node *y) {{ f(y); {last} }}"));
        let printed = of("x->m = null;").expect("dead");
        assert!(printed.contains("x->m = uninit"), "{printed}");
        assert_eq!(of("y = x->m; x->m = null;"), None);
        assert_eq!(of("if (y == null) { x->m = null; }"), None);
    }

    #[test]
    fn fields_of_parts_are_dead_through_the_variable_of_a_part() {
        let of = |last: &str| changed(&format!("{TYPES} proc main(node *x, node *y) {{ link *t; f(y); {last} }}"));
        let printed = of("t = x->n; t->to = null;").expect("dead");
        assert!(printed.contains("= x->n;") && printed.contains("->to = uninit"), "{printed}");
        assert_eq!(of("t = y->n; y = t->to; t = x->n; t->to = null;"), None);
        // What is a part of another object by then is not known to be one of this.
        assert_eq!(of("t = x->n; x = y; t->to = null;"), None);
    }

    #[test]
    fn fields_are_dead_before_loops_as_well() {
        let of = |last: &str| {
            let walk = "while (y != null) { y = y->m; }";
            changed(&format!("{TYPES} proc main(node *x, node *y) {{ link *t; {walk} {last} }}"))
        };
        let printed = of("t = x->n; t->to = null;").expect("dead");
        assert_eq!(printed.matches("->to = uninit").count(), 1, "{printed}");
        // The loop reads this field, perhaps of the same object.
        assert_eq!(of("x->m = null;"), None);
    }
}

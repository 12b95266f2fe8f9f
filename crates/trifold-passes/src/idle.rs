//! Idle pointers: values that are copied around and decide nothing. The data that a queue holds for its users is one
//! example: the queue stores it, loads it and returns it, and never looks where it leads.
//!
//! A pointer variable or field is idle if its value is only copied to idle ones: it is not dereferenced, compared,
//! freed
//! or passed to something unknown. A program goes on in the same way whatever is in it, and only more can be lost. So a
//! program without leaks in which null is stored instead stands for the one that is meant. For example, in
//!
//! ```text
//! proc push(list *l, void *data) { node *n; n = new node; n->data = data; … }
//! proc pop(list *l) -> void *r   { node *n; … r = n->data; … }
//! ```
//!
//! `data`, `n->data` and the result of `pop` are idle if no caller of `pop` uses its result.

use crate::call_graph::CallGraph;
use std::collections::BTreeSet;
use trifold_ir::{FieldId, Operand, ProcId, Program, Statement, VarId};

/// A place for a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    Variable(VarId),
    Field(FieldId),
}

/// The program with null in all idle places, if there are any. Its statements have the same places.
///
/// It behaves as the program, but may lose more: if nothing goes wrong in it, nothing does in the program.
pub fn without_idle(program: &Program, entry: ProcId) -> Option<Program> {
    // A contract may speak of any place.
    if !program.contracts.is_empty() {
        return None;
    }
    let procedures = CallGraph::of(program).reached(entry);
    let used = used(program, &procedures);
    let is_idle = |place: Place| !used.contains(&place);
    let mut lean = program.clone();
    let mut changed = false;
    for procedure in procedures {
        for edge in &mut lean[procedure].edges {
            let values: Vec<(Place, &mut Operand)> = match &mut edge.statement {
                Statement::Set { to, value } => vec![(Place::Variable(*to), value)],
                Statement::Store { field, value, .. } => vec![(Place::Field(*field), value)],
                Statement::Call { targets, arguments, .. } => {
                    let parameters = targets.first().map(|target| program[*target].parameters.clone());
                    parameters.into_iter().flatten().map(Place::Variable).zip(arguments).collect()
                }
                _ => continue,
            };
            for (place, value) in values {
                if matches!(value, Operand::Pointer(_)) && is_idle(place) {
                    *value = Operand::Null;
                    changed = true;
                }
            }
        }
    }
    changed.then_some(lean)
}

/// The places whose values count.
fn used(program: &Program, procedures: &[ProcId]) -> BTreeSet<Place> {
    let mut used: BTreeSet<Place> = BTreeSet::new();
    let mut flows: Vec<(Place, Place)> = Vec::new();
    for procedure in procedures {
        for edge in &program[*procedure].edges {
            uses(&edge.statement, &mut |variable| _ = used.insert(Place::Variable(variable)));
            flows.extend(copies(program, &edge.statement));
        }
    }
    let embedded = (0..program.fields.len()).map(FieldId::from_index).filter(|field| program[*field].embedded);
    used.extend(embedded.map(Place::Field));
    loop {
        let before = used.len();
        for (from, to) in &flows {
            if used.contains(to) {
                used.insert(*from);
            }
        }
        if used.len() == before {
            return used;
        }
    }
}

/// The variables whose values a statement needs for more than a copy.
fn uses(statement: &Statement, visit: &mut dyn FnMut(VarId)) {
    match statement {
        Statement::Set { .. } | Statement::Call { .. } => {}
        Statement::Store { object, .. } => visit(*object),
        _ => statement.for_each_read_in_runs(visit),
    }
    if let Statement::UnknownCall { to: Some(to), .. } = statement {
        visit(*to);
    }
}

/// The copies that a statement makes.
fn copies(program: &Program, statement: &Statement) -> Vec<(Place, Place)> {
    let copy = |value: &Operand, to: Place| match value {
        Operand::Pointer(from) => Some((Place::Variable(*from), to)),
        _ => None,
    };
    match statement {
        Statement::Set { to, value } => copy(value, Place::Variable(*to)).into_iter().collect(),
        Statement::Store { field, value, .. } => copy(value, Place::Field(*field)).into_iter().collect(),
        Statement::Load { to, field, .. } => vec![(Place::Field(*field), Place::Variable(*to))],
        Statement::Call { to, targets, arguments } => {
            let mut copies = Vec::new();
            for target in targets {
                let parameters = program[*target].parameters.iter().map(|parameter| Place::Variable(*parameter));
                copies.extend(arguments.iter().zip(parameters).filter_map(|(argument, to)| copy(argument, to)));
                let result = program[*target].result.zip(*to);
                copies.extend(result.map(|(from, to)| (Place::Variable(from), Place::Variable(to))));
            }
            // An argument is idle for all targets, or for none.
            for pair in targets.windows(2) {
                let parameters = program[pair[0]].parameters.iter().zip(&program[pair[1]].parameters);
                let places = parameters.map(|(a, b)| (Place::Variable(*a), Place::Variable(*b)));
                copies.extend(places.flat_map(|(a, b)| [(a, b), (b, a)]));
            }
            copies
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trifold_ir::{parse, print, validate};

    fn lean(text: &str) -> Option<String> {
        let (program, _) = parse("test", text).map_err(|failure| failure.diagnostics).unwrap();
        let lean = without_idle(&program, program.procedure_named("main").unwrap())?;
        validate(&lean).unwrap();
        Some(print(&lean))
    }

    const QUEUE: &str = "struct item { i32 number; } struct node { node *next; item *data; }
        proc push(node *l, item *data) -> node *r {
            r = new node; r->data = data; r->next = l;
        }
        proc data(node *n) -> item *r { r = n->data; }
        proc main() { node *l; item *i; item *j; i32 k; i = new item; l = null; l = push(l, i); ";

    #[test]
    fn data_that_is_only_moved_is_idle() {
        let text = lean(&format!("{QUEUE} j = data(l); l = l->next; l = l->next; }}")).unwrap();
        assert!(text.contains("r->data = null") && text.contains("push(l, null)"), "{text}");
        assert!(text.contains("r->next = l"), "{text}");
    }

    #[test]
    fn data_that_is_looked_at_is_not() {
        for used in ["k = j->number;", "free(j);", "assert(j != null);", "if (j == i) { k = 1; }"] {
            let text = lean(&format!("{QUEUE} j = data(l); {used} }}"));
            assert!(text.is_none_or(|text| text.contains("r->data = data")), "{used}");
        }
    }
}

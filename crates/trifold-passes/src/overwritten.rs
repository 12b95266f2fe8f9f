//! Fields that are overwritten before they are read, as far as one variable is concerned.
//!
//! For example, a list is taken apart after its first element, `pivot`, which is linked anew at the end. Until
//! then `pivot->next` leads to some place in one of the two parts:
//!
//! ```text
//! while (x != null) { t = x->next; if (*) { x->next = a; a = x; } else { x->next = b; b = x; } x = t; }
//! pivot->next = b;
//! ```
//!
//! # Soundness
//! Another variable may lead to the same object, and read the field: this is no fact about runs. A domain may forget
//! such a field all the same, since to know less is always right; here it learns where that costs little.

use crate::dataflow::backward;
use std::collections::BTreeSet;
use trifold_ir::{Edge, FieldId, NodeId, Operand, ProcId, Program, Scope, Statement, VarId};

/// A field of the object that a variable leads to, or of a part of it: the parts on the way come first.
type Access = (VarId, Vec<FieldId>);

/// Fields of parts of parts are not looked at beyond this.
const MAX_PATH: usize = 3;

/// The fields of a procedure that are overwritten by way of its variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overwritten {
    /// All that are ever stored.
    stored: BTreeSet<Access>,
    nodes: Vec<Later>,
}

/// What happens after a node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Later {
    /// The fields that are overwritten on every way to the exit, and not read before: all, if no way leads there.
    overwritten: Option<BTreeSet<Access>>,
    /// The fields that may be read; all of a variable, if none is named.
    read: BTreeSet<Access>,
}

impl Later {
    /// What happens on either of two ways. Did the first one change?
    fn join(&mut self, other: Later) -> bool {
        let size = |later: &Later| (later.overwritten.as_ref().map(BTreeSet::len), later.read.len());
        let before = size(self);
        self.read.extend(other.read);
        match (&mut self.overwritten, other.overwritten) {
            (_, None) => {}
            (known @ None, other) => *known = other,
            (Some(known), Some(other)) => known.retain(|access| other.contains(access)),
        }
        size(self) != before
    }
}

impl Overwritten {
    /// Looks at the pointers of a procedure.
    pub fn of(program: &Program, procedure: ProcId) -> Overwritten {
        let body = &program[procedure];
        let stored = stored(program, &body.edges);
        let before = |edge: &Edge, after: &Later| before(program, &stored, edge, after);
        let exit = Later { overwritten: Some(BTreeSet::new()), read: BTreeSet::new() };
        Overwritten { nodes: backward(body, exit, before, Later::join), stored }
    }

    /// The fields that are overwritten on every way from a node to the exit, and not read before by that variable.
    pub fn at(&self, node: NodeId) -> impl Iterator<Item = (VarId, &[FieldId])> {
        let overwritten = self.nodes[node.index()].overwritten.as_ref().unwrap_or(&self.stored);
        overwritten.iter().map(|(variable, path)| (*variable, &path[..]))
    }
}

/// The pointers that are stored by way of variables.
fn stored(program: &Program, edges: &[Edge]) -> BTreeSet<Access> {
    let mut stored = BTreeSet::new();
    for edge in edges {
        if let Statement::Store { object, field, .. } = edge.statement
            && program[field].ty.is_pointer()
        {
            stored.insert((object, vec![field]));
        }
    }
    for _ in 1..MAX_PATH {
        for edge in edges {
            if let Some((part, object, field)) = part(program, &edge.statement) {
                let more: Vec<Access> = of(&stored, part).map(|path| (object, joined(field, path))).collect();
                stored.extend(more);
            }
        }
    }
    stored.retain(|(variable, path)| program[*variable].scope != Scope::Global && path.len() <= MAX_PATH);
    stored
}

/// The variable that gets the address of a part, the one of its object, and the field.
fn part(program: &Program, statement: &Statement) -> Option<(VarId, VarId, FieldId)> {
    match statement {
        Statement::Load { to, object, field } if program[*field].embedded => Some((*to, *object, *field)),
        _ => None,
    }
}

fn of(accesses: &BTreeSet<Access>, variable: VarId) -> impl Iterator<Item = &[FieldId]> {
    accesses.range((variable, Vec::new())..).take_while(move |(of, _)| *of == variable).map(|(_, path)| &path[..])
}

fn joined(field: FieldId, path: &[FieldId]) -> Vec<FieldId> {
    [&[field], path].concat()
}

/// What happens after the beginning of an edge, by what happens after its end.
fn before(program: &Program, stored: &BTreeSet<Access>, edge: &Edge, after: &Later) -> Later {
    let statement = &edge.statement;
    let mut before = if statement.falls_through() { after.clone() } else { Later::default() };
    let (mut read, mut left): (Vec<Access>, Option<VarId>) = (Vec::new(), None);
    if let Some(assigned) = statement.assigned() {
        before.read.retain(|(variable, _)| *variable != assigned);
        left = Some(assigned);
    }
    let mut overwritten: Vec<Access> = Vec::new();
    match statement {
        Statement::Set { to, value: Operand::Pointer(from) } => {
            read.extend(of(&after.read, *to).map(|path| (*from, path.to_vec())));
        }
        Statement::Load { to, object, field } => match part(program, statement) {
            // What becomes of the part becomes of the object.
            Some(_) => {
                let later = after.overwritten.iter().flat_map(|overwritten| of(overwritten, *to));
                overwritten.extend(later.map(|path| (*object, joined(*field, path))));
                read.extend(of(&after.read, *to).map(|path| match path {
                    [] => (*object, Vec::new()),
                    path => (*object, joined(*field, path)),
                }));
            }
            None => read.push((*object, vec![*field])),
        },
        Statement::Store { object, field, .. } => overwritten.push((*object, vec![*field])),
        Statement::Free { pointer } => overwritten.extend(of(stored, *pointer).map(|path| (*pointer, path.to_vec()))),
        Statement::Call { arguments, .. } | Statement::UnknownCall { arguments, .. } => {
            read.extend(arguments.iter().filter_map(|argument| match argument {
                Operand::Pointer(variable) => Some((*variable, Vec::new())),
                _ => None,
            }));
        }
        _ => {}
    }
    if !overwritten.is_empty() {
        before.read.retain(|access| !overwritten.contains(access));
        overwritten.retain(|access| stored.contains(access));
        before.overwritten.iter_mut().for_each(|known| known.extend(overwritten.iter().cloned()));
    }
    let is_read = |(variable, path): &Access| {
        read.iter().any(|(of, start)| of == variable && (start.is_empty() || start == path))
    };
    let mut changed = left.into_iter().chain(read.iter().map(|(variable, _)| *variable));
    if changed.any(|variable| of(stored, variable).next().is_some()) {
        // The object goes on without a variable that is assigned.
        let known = before.overwritten.get_or_insert_with(|| stored.clone());
        known.retain(|access| left != Some(access.0) && !is_read(access));
    }
    before.read.extend(read);
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use trifold_ir::{parse, show_statement};

    /// The fields that are overwritten later, before the first statement with this text.
    fn before(body: &str, statement: &str) -> Vec<String> {
        let text = format!(
            "struct node {{ node *next; embedded link l; }} struct link {{ node *to; }}
             proc g(node *x) {{ }} proc f(node *p) {{ {body} }}"
        );
        let (program, _) = parse("test", &text).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
        let procedure = program.procedure_named("f").expect("the procedure");
        let mut edges = program[procedure].edges.iter();
        let edge = edges.find(|edge| show_statement(&program, &edge.statement) == statement).expect("the statement");
        let fields = Overwritten::of(&program, procedure);
        let name = |(variable, path): (VarId, &[FieldId])| {
            let path: String = path.iter().map(|field| format!("->{}", program[*field].name)).collect();
            format!("{}{path}", program[variable].name)
        };
        fields.at(edge.from).map(name).collect()
    }

    #[test]
    fn a_field_is_overwritten_on_all_ways() {
        assert_eq!(before("skip; p->next = null;", "skip"), ["p->next"]);
        assert_eq!(before("skip; if (*) { p->next = null; }", "skip"), Vec::<String>::new());
        assert_eq!(before("skip; while (*) { g(null); } p->next = null;", "skip"), ["p->next"]);
    }

    #[test]
    fn it_is_read_first_or_left_alone() {
        let nothing = Vec::<String>::new();
        assert_eq!(before("node *t; skip; t = p->next; p->next = null;", "skip"), nothing);
        assert_eq!(before("node *t; node *u; skip; t = p; u = t->next; p->next = null;", "skip"), nothing);
        assert_eq!(before("skip; g(p); p->next = null;", "skip"), nothing);
        assert_eq!(before("skip; p = null; p->next = null;", "skip"), nothing);
        assert_eq!(before("skip; stop; p->next = null;", "skip"), ["p->next"]);
    }

    #[test]
    fn so_is_a_field_of_a_part() {
        assert_eq!(before("link *l; skip; l = p->l; l->to = null;", "skip"), ["p->l->to"]);
        assert_eq!(before("link *l; node *t; skip; l = p->l; t = l->to; l->to = null;", "skip"), Vec::<String>::new());
    }
}

//! Clients of modules: how a library without `main` is analysed through its interface.
//!
//! [`trifold_c::clients`] writes them as C, after the text of the module, and both are translated together. A client
//! that
//! is proved covers the functions that it reaches: *for every use of this interface*. An operation that is too hard, or
//! has something that is not analysed, must not spoil what is known of the others: it is left out of the client, and
//! called once at last by a client of its own.
//!
//! For example, if `list_sort` takes too long, all else is proved for every use without it, and `list_sort` by a client
//! that makes any list, sorts it and frees it.

use crate::source::{ClientCode, Translated};
use std::collections::BTreeSet;
use std::sync::Arc;
use trifold_c::Clients;
use trifold_ir::{
    Condition, Edge, Expr, FieldId, ProcId, Procedure, Program, Region, Scalar, Scope, Statement, StructId, Type, VarId,
};
use trifold_passes::CallGraph;

/// The text of clients for people, who keep it in a file of its own. It includes these headers.
pub fn document(clients: &Clients, headers: &[String]) -> String {
    let mut text =
        "/* Made by `trifold client`: uses an interface in every way that one thread can. Trifold follows all of\n \
         * them; a compiled program takes one at random. */\n#include <stdbool.h>\n#include <stdlib.h>\n"
            .to_string();
    text.extend(headers.iter().map(|header| format!("#include \"{header}\"\n")));
    let starts: String = clients.starts.iter().map(|start| format!("        {}();\n", start.function)).collect();
    let rounds = format!("    for (int round = 0; round < 1000; round++) {{\n{starts}    }}\n");
    text = text + "\n" + &clients.text + "\nint main(void)\n{\n" + &rounds + "    return 0;\n}\n\n";
    text += "/* Trifold takes all values for these. To run the client, compile it with -DRANDOM. */\n#ifdef RANDOM\n";
    for (ty, name) in clients.numbers() {
        let range = if name.ends_with("bool") { "rand() % 2" } else { "rand() % 256" };
        text += &format!("{ty} {name}(void)\n{{\n    return {range};\n}}\n\n");
    }
    text += "#endif\n";
    for (function, why) in &clients.refused {
        text += &format!("/* {function} is not called: {why}. */\n");
    }
    text
}

/// The program in which clients do not call these operations, but for the functions that call one at last. They do not
/// make ready for such a call either: an operation that takes another object would have them make one for nothing.
pub fn without(translated: &Translated, code: &ClientCode, operations: &BTreeSet<String>) -> Arc<Program> {
    let mut program = (*translated.program).clone();
    let left_out = procedures_of(translated, operations);
    let thens: BTreeSet<&str> =
        code.clients.starts.iter().flat_map(|start| start.thens.values()).map(String::as_str).collect();
    let callers = code.functions.iter().filter(|function| !thens.contains(function.name.as_str()));
    for procedure in callers.flat_map(|function| &function.procedures) {
        let body = &program[*procedure];
        let is_left_out = |edge: &Edge| match &edge.statement {
            Statement::Call { targets, .. } => targets.iter().any(|target| left_out.contains(target)),
            _ => false,
        };
        let calls = (0..body.edges.len()).filter(|edge| is_left_out(&body.edges[*edge]));
        for choice in calls.map(|call| choice(body, call)).collect::<Vec<_>>() {
            let never = Condition::Scalar(Expr::Constant(0, Scalar::Bool));
            program[*procedure].edges[choice].statement = Statement::Assume(never);
        }
    }
    Arc::new(program)
}

/// The edge by which a client chooses to make a call: a condition on numbers, from which the only way leads there. If
/// there is none, the call.
fn choice(body: &Procedure, call: usize) -> usize {
    let mut at = call;
    loop {
        let mut before = (0..body.edges.len()).filter(|edge| body.edges[*edge].to == body.edges[at].from);
        at = match (before.next(), before.next()) {
            (Some(only), None) if only != call => only,
            _ => return call,
        };
        if matches!(body.edges[at].statement, Statement::Assume(Condition::Scalar(_))) {
            return at;
        }
    }
}

fn procedures_of(translated: &Translated, names: &BTreeSet<String>) -> BTreeSet<ProcId> {
    let functions = translated.functions.iter().filter(|function| names.contains(&function.name));
    functions.flat_map(|function| function.procedures.iter().copied()).collect()
}

/// What an operation does with objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// It makes them larger.
    Grows,
    /// It changes them.
    Changes,
    /// It only looks at them.
    Looks,
}

/// What an operation does, as its statements tell, with what clients do with its result. To write to objects that it
/// has made itself, or of a type to which nothing leads that was there before, changes nothing.
///
/// For example, `iterator()` only looks at a list, although `next()` changes the iterator.
pub fn weight(translated: &Translated, operation: &str) -> Weight {
    let program = &translated.program;
    let procedures = procedures_of(translated, &BTreeSet::from([operation.to_string()]));
    let calls = CallGraph::of(program);
    let reach = |from: &BTreeSet<ProcId>| -> BTreeSet<ProcId> {
        from.iter().flat_map(|procedure| calls.reached(*procedure)).collect()
    };
    let mut statements = reach(&procedures).into_iter().flat_map(|procedure| &program[procedure].edges);
    let is_new = |edge: &Edge| matches!(edge.statement, Statement::Allocate { region: Region::Heap, .. });
    let grows = statements.any(is_new);
    let follow_ups = follow_ups(translated, &procedures).filter(|_| !procedures.is_empty());
    let only_looks = follow_ups.is_some_and(|more| {
        let known = known_types(program, &procedures);
        let reached = reach(&procedures.union(&more).copied().collect());
        !reached.iter().any(|procedure| changes(program, *procedure, known.as_ref()))
    });
    match (only_looks, grows) {
        (true, _) => Weight::Looks,
        (false, true) => Weight::Grows,
        (false, false) => Weight::Changes,
    }
}

/// Does a procedure change global variables, or objects of these types, of any if absent, other than those that it
/// makes?
fn changes(program: &Program, procedure: ProcId, known: Option<&BTreeSet<StructId>>) -> bool {
    let body = &program[procedure];
    let is_made = |edge: &Edge| matches!(edge.statement, Statement::Allocate { region: Region::Heap, .. });
    let assigned = |made: bool| {
        let edges = body.edges.iter().filter(move |edge| is_made(edge) == made);
        edges.filter_map(|edge| edge.statement.assigned()).collect::<BTreeSet<VarId>>()
    };
    let (fresh, others) = (assigned(true), assigned(false));
    let is_fresh =
        |variable| fresh.contains(variable) && !others.contains(variable) && !body.parameters.contains(variable);
    let is_new_type = |field: FieldId| known.is_some_and(|known| !known.contains(&program[field].structure));
    body.edges.iter().any(|edge| match &edge.statement {
        Statement::Store { object, field, .. } => !is_fresh(object) && !is_new_type(*field),
        Statement::Free { .. } | Statement::Unsupported { .. } | Statement::UnknownCall { .. } => true,
        other => other.assigned().is_some_and(|variable| program[variable].scope == Scope::Global),
    })
}

/// The types of objects to which parameters and global variables lead; none if they may lead anywhere.
fn known_types(program: &Program, procedures: &BTreeSet<ProcId>) -> Option<BTreeSet<StructId>> {
    let parameters = procedures.iter().flat_map(|procedure| program[*procedure].parameters.iter().copied());
    let mut open: Vec<Type> = parameters.chain(program.globals()).map(|variable| program[variable].ty).collect();
    let mut known = BTreeSet::new();
    while let Some(ty) = open.pop() {
        let Type::Pointer(target) = ty else { continue };
        if known.insert(target?) {
            open.extend(program[target?].fields.iter().map(|field| program[*field].ty));
            // `container_of` leads from a part to the object that it is in.
            let around = program.fields.iter().filter(|field| field.embedded && field.ty.target() == target);
            open.extend(around.map(|field| Type::Pointer(Some(field.structure))));
        }
    }
    Some(known)
}

/// The procedures that clients call with what these return; none if they do something else with it.
fn follow_ups(translated: &Translated, procedures: &BTreeSet<ProcId>) -> Option<BTreeSet<ProcId>> {
    let program = &translated.program;
    let code = translated.client.iter().flat_map(|code| &code.functions).flat_map(|function| &function.procedures);
    let mut called = BTreeSet::new();
    for caller in code {
        let body = &program[*caller];
        let mut held: BTreeSet<VarId> = BTreeSet::new();
        for edge in &body.edges {
            if let Statement::Call { to: Some(to), targets, .. } = &edge.statement
                && targets.iter().any(|target| procedures.contains(target))
                && program[*to].ty.is_pointer()
            {
                held.insert(*to);
            }
        }
        loop {
            let before = held.len();
            for edge in &body.edges {
                let mut reads = false;
                edge.statement.for_each_read_in_runs(&mut |read| reads |= held.contains(&read));
                match &edge.statement {
                    _ if !reads => {}
                    Statement::Set { to, .. } => _ = held.insert(*to),
                    Statement::Call { targets, .. } => called.extend(targets),
                    Statement::Assume(_) | Statement::Assert(_) => {}
                    _ => return None,
                }
            }
            if held.len() == before {
                break;
            }
        }
        if held.iter().any(|held| body.result == Some(*held) || program[*held].scope == Scope::Global) {
            return None;
        }
    }
    Some(called)
}

/// Do clients go on with what an operation returns? Then nothing else happens in between.
pub fn is_held(translated: &Translated, operation: &str) -> bool {
    let procedures = procedures_of(translated, &BTreeSet::from([operation.to_string()]));
    follow_ups(translated, &procedures).is_none_or(|more| !more.is_empty())
}

/// Operations in the order in which they join a client: first those that make objects larger, since without them the
/// others have nothing to do.
pub fn by_weight<'a>(translated: &Translated, operations: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut sorted: Vec<String> = operations.cloned().collect();
    sorted.sort_by_cached_key(|operation| weight(translated, operation));
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lead_to_what_they_are_parts_of() {
        let text = "struct link { link *to; } struct node { embedded link l; item *held; } struct item { i32 n; }
            struct other { node *n; }
            proc touch(link *at) { }";
        let (program, _) = trifold_ir::parse("parts", text).expect("a program");
        let touch = program.procedure_named("touch").expect("the procedure");
        let known = known_types(&program, &BTreeSet::from([touch])).expect("types");
        let names: Vec<&str> = known.iter().map(|structure| program[*structure].name.as_str()).collect();
        assert_eq!(names, ["link", "node", "item"]);
    }
}

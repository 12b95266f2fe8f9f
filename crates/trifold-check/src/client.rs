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
use trifold_ir::{Condition, Expr, ProcId, Procedure, Program, Region, Scalar, Scope, Statement, VarId};
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

/// The program in which clients do not call these operations, but for the functions that call one at last.
pub fn without(translated: &Translated, code: &ClientCode, operations: &BTreeSet<String>) -> Arc<Program> {
    let mut program = (*translated.program).clone();
    let left_out = procedures_of(translated, operations);
    let thens: BTreeSet<&str> =
        code.clients.starts.iter().flat_map(|start| start.thens.values()).map(String::as_str).collect();
    let callers = code.functions.iter().filter(|function| !thens.contains(function.name.as_str()));
    for procedure in callers.flat_map(|function| &function.procedures) {
        for edge in &mut program[*procedure].edges {
            if let Statement::Call { targets, .. } = &edge.statement
                && targets.iter().any(|target| left_out.contains(target))
            {
                edge.statement = Statement::Assume(Condition::Scalar(Expr::Constant(0, Scalar::Bool)));
            }
        }
    }
    Arc::new(program)
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

/// What an operation does, as its statements tell. To write to an object that it has made itself changes nothing that
/// was there before, unless the client gets hold of something: what it does with that later is a part of the operation.
pub fn weight(translated: &Translated, operation: &str) -> Weight {
    let program = &translated.program;
    let calls = CallGraph::of(program);
    let procedures = procedures_of(translated, &BTreeSet::from([operation.to_string()]));
    let reached: BTreeSet<ProcId> = procedures.iter().flat_map(|procedure| calls.reached(*procedure)).collect();
    let is_global = |variable: VarId| program[variable].scope == Scope::Global;
    let changes = |procedure: &ProcId| {
        let fresh = fresh_variables(&program[*procedure]);
        let changes = |statement: &Statement| match statement {
            Statement::Store { object, .. } => !fresh.contains(object),
            Statement::Free { .. } | Statement::Unsupported { .. } | Statement::UnknownCall { .. } => true,
            _ => statement.assigned().is_some_and(is_global),
        };
        program[*procedure].edges.iter().any(|edge| changes(&edge.statement))
    };
    let mut statements = reached.iter().flat_map(|procedure| &program[*procedure].edges).map(|edge| &edge.statement);
    let grows = statements.any(|statement| matches!(statement, Statement::Allocate { region: Region::Heap, .. }));
    let only_looks = !procedures.is_empty() && !reached.iter().any(changes) && !is_held(translated, &procedures);
    match (only_looks, grows) {
        (true, _) => Weight::Looks,
        (false, true) => Weight::Grows,
        (false, false) => Weight::Changes,
    }
}

/// The variables that hold nothing but objects which the procedure has made.
fn fresh_variables(body: &Procedure) -> BTreeSet<VarId> {
    let made = |statement: &Statement| matches!(statement, Statement::Allocate { region: Region::Heap, .. });
    let assigned = || body.edges.iter().filter_map(|edge| Some((edge.statement.assigned()?, made(&edge.statement))));
    let others: BTreeSet<VarId> =
        assigned().filter(|(_, made)| !made).map(|(variable, _)| variable).chain(body.parameters.clone()).collect();
    assigned().map(|(variable, _)| variable).filter(|variable| !others.contains(variable)).collect()
}

/// Does a client keep a pointer that one of the procedures returns?
fn is_held(translated: &Translated, procedures: &BTreeSet<ProcId>) -> bool {
    let program = &translated.program;
    let code = translated.client.iter().flat_map(|code| &code.functions).flat_map(|function| &function.procedures);
    code.into_iter().any(|caller| {
        let body = &program[*caller];
        let is_read = |variable: VarId| {
            let mut is_read = body.result == Some(variable);
            for edge in &body.edges {
                edge.statement.for_each_read_in_runs(&mut |read| is_read |= read == variable);
            }
            is_read
        };
        body.edges.iter().any(|edge| match &edge.statement {
            Statement::Call { to: Some(to), targets, .. } => {
                let is_ours = targets.iter().any(|target| procedures.contains(target));
                is_ours && program[*to].ty.is_pointer() && is_read(*to)
            }
            _ => false,
        })
    })
}

/// Operations in the order in which they join a client: first those that make objects larger, since without them the
/// others have nothing to do.
pub fn by_weight<'a>(translated: &Translated, operations: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut sorted: Vec<String> = operations.cloned().collect();
    sorted.sort_by_cached_key(|operation| weight(translated, operation));
    sorted
}

//! Global variables that change while a program runs: a function that is analysed by itself must not rely on the values
//! that they are initialised with.
//!
//! For example, in `struct node *first; void push(…) { …; first = n; } int size(void) { … first … }` the variable
//! `first` changes, so that `size` cannot be analysed by itself from an empty list. A table that is only read does not.
//!
//! A variable that holds an object from the start changes if a statement may store to the object, or to one that it
//! leads to. Which object that is does not matter, only its struct.

use crate::call_graph::CallGraph;
use std::collections::BTreeSet;
use trifold_ir::{Edge, Operand, ProcId, Program, Scope, Statement, StructId, Type, VarId};

/// The global variables that a program changes after `start` has initialised them.
pub fn changing(program: &Program, start: Option<ProcId>) -> BTreeSet<VarId> {
    let later: Vec<&Edge> = edges(program, program.procedure_ids().filter(|id| Some(*id) != start)).collect();
    let assigned = later.iter().filter_map(|edge| edge.statement.assigned());
    let mut changing: BTreeSet<VarId> = assigned.filter(|variable| is_global(program, *variable)).collect();
    let stored: BTreeSet<StructId> = later.iter().filter_map(|edge| stored(program, &edge.statement)).collect();
    for Edge { statement, .. } in edges(program, start.into_iter()) {
        let held = statement.assigned().filter(|to| is_global(program, *to));
        let is_null = matches!(statement, Statement::Set { value: Operand::Null, .. });
        changing.extend(held.filter(|to| !is_null && may_change(program, program[*to].ty, &stored)));
    }
    changing
}

/// Some of the variables that a call of each procedure reads.
pub fn read_among(program: &Program, calls: &CallGraph, among: &BTreeSet<VarId>) -> Vec<BTreeSet<VarId>> {
    let mut read = vec![BTreeSet::new(); program.procedures.len()];
    for group in calls.bottom_up() {
        let mut together: BTreeSet<VarId> = BTreeSet::new();
        for procedure in &group {
            for edge in &program[*procedure].edges {
                edge.statement.for_each_read_in_runs(&mut |variable| together.extend(among.get(&variable)));
            }
            calls.callees(*procedure).iter().for_each(|callee| together.extend(&read[callee.index()]));
        }
        group.iter().for_each(|procedure| read[procedure.index()] = together.clone());
    }
    read
}

fn edges(program: &Program, procedures: impl Iterator<Item = ProcId>) -> impl Iterator<Item = &Edge> {
    procedures.flat_map(|procedure| &program[procedure].edges)
}

fn is_global(program: &Program, variable: VarId) -> bool {
    program[variable].scope == Scope::Global
}

/// The struct of an object that a statement changes.
fn stored(program: &Program, statement: &Statement) -> Option<StructId> {
    match statement {
        Statement::Store { field, .. } => Some(program[*field].structure),
        _ => None,
    }
}

/// May an object that a value leads to be changed by statements that change objects of some structs?
fn may_change(program: &Program, value: Type, stored: &BTreeSet<StructId>) -> bool {
    let mut waiting = vec![value];
    let mut seen = BTreeSet::new();
    while let Some(ty) = waiting.pop() {
        match ty {
            Type::Scalar(_) => {}
            // It may lead to anything.
            Type::Pointer(None) => return !stored.is_empty(),
            Type::Pointer(Some(target)) if stored.contains(&target) => return true,
            Type::Pointer(Some(target)) if seen.insert(target) => {
                waiting.extend(program[target].fields.iter().map(|field| program[*field].ty));
            }
            Type::Pointer(Some(_)) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use trifold_ir::parse;

    #[test]
    fn variables_change_by_assignments_and_by_what_they_hold() {
        let text = "struct node { node *next; i32 data; } struct table { i32 size; } struct user { table *t; node *n; }
            global node *list; global node *fixed; global table *sizes; global i32 count; global user *both;
            global i32 limit;
            proc start() {
                fixed = static node; sizes = static table; both = static user; list = null; count = 0; limit = 3;
            }
            proc push() { node *n; n = new node; n->next = list; list = n; count = count + 1; }
            proc size() -> i32 r { r = sizes->size; if (r > limit) { r = limit; } }
            proc all() -> i32 r { r = size(); if (list != null) { r = r + 1; } }";
        let (program, _) = parse("test", text).map_err(|failure| failure.diagnostics).unwrap();
        let start = program.procedure_named("start");
        let changing = changing(&program, start);
        let names = |variables: &BTreeSet<VarId>| -> Vec<String> {
            variables.iter().map(|variable| program[*variable].name.clone()).collect()
        };
        assert_eq!(names(&changing), ["list", "fixed", "count", "both"]);
        let all = read_among(&program, &CallGraph::of(&program), &changing);
        let read = |name: &str| names(&all[program.procedure_named(name).expect("defined").index()]);
        assert_eq!(read("size"), [""; 0]);
        assert_eq!(read("all"), ["list"]);
        assert_eq!(read("push"), ["list", "count"]);
    }
}

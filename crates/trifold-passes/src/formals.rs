//! Programs made ready for calls on local heaps.
//!
//! A procedure that works on a local heap must say at its exit where the objects are that it was given [RinetzkySY05
//! §2.2.3]. Its parameters may have been assigned to, so each of them that is gets another one beside it that is not;
//! so do global variables. Its result is left in a global variable, from where the caller takes it. All this is done to
//! the program, so that there is nothing more to be analysed than before. For example, `f(p) { p = p->n; }` gets
//! another variable, which keeps the argument while `p` moves on.

use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Edge, Node, Operand, ProcId, Program, Scope, Statement, Type, VarId};

/// Something that a procedure is given a pointer to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formal {
    /// The parameter or global that is passed.
    pub passed: Passed,
    /// The variable of the procedure that points there until the exit.
    pub kept: VarId,
    /// Is that a copy of the parameter? It is null if the caller does not want to know.
    pub is_copy: bool,
}

/// The value of a formal at the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// The argument at this position.
    Argument(usize),
    /// A global variable.
    Global(VarId),
}

/// The formals of each procedure.
pub type Formals = BTreeMap<ProcId, Vec<Formal>>;

/// Makes a program ready. Its edges and variables keep their numbers. Says which formals there are, and which global
/// variables results are returned in.
pub fn prepare(program: &mut Program, procedures: &[ProcId]) -> (Formals, Vec<VarId>) {
    let globals: Vec<VarId> = program.globals().filter(|global| program[*global].ty.is_pointer()).collect();
    let mut returned = BTreeMap::new();
    let results: BTreeMap<ProcId, VarId> = procedures
        .iter()
        .filter_map(|procedure| {
            let ty = program[program[*procedure].result?].ty;
            Some((*procedure, returned_variable(program, &mut returned, ty)))
        })
        .collect();
    let mut formals = Formals::new();
    let edges = procedures.iter().flat_map(|procedure| &program[*procedure].edges);
    let calls: Vec<&Vec<ProcId>> = edges
        .filter_map(|edge| match &edge.statement {
            Statement::Call { targets, .. } => Some(targets),
            _ => None,
        })
        .collect();
    // Procedures that are called in the same place have the same parameters.
    let several = calls.iter().any(|targets| targets.len() > 1);
    let called: BTreeSet<ProcId> = calls.into_iter().flatten().copied().collect();
    for procedure in procedures {
        let all =
            if called.contains(procedure) { keep_formals(program, *procedure, &globals, several) } else { Vec::new() };
        formals.insert(*procedure, all);
    }
    for procedure in procedures {
        pass_formals(program, *procedure, &formals);
        return_by_global(program, *procedure, &results);
    }
    for procedure in procedures {
        program[*procedure].result = None;
    }
    (formals, returned.into_values().collect())
}

fn returned_variable(program: &mut Program, known: &mut BTreeMap<Type, VarId>, ty: Type) -> VarId {
    let number = known.len();
    *known.entry(ty).or_insert_with(|| {
        let span = program.procedures[0].span;
        program.add_variable(&format!("$returned{number}"), ty, Scope::Global, span)
    })
}

fn keep_formals(program: &mut Program, procedure: ProcId, globals: &[VarId], all: bool) -> Vec<Formal> {
    let assigned: BTreeSet<VarId> =
        program[procedure].edges.iter().filter_map(|edge| edge.statement.assigned()).collect();
    // If a global variable leads to an object that is passed, a parameter that is kept for no reason would be in the
    // way of the next call.
    let all = all || !globals.is_empty();
    let parameters = program[procedure].parameters.clone().into_iter().enumerate();
    let parameters = parameters.map(|(position, parameter)| (Passed::Argument(position), parameter));
    let globals = globals.iter().map(|global| (Passed::Global(*global), *global));
    let mut formals = Vec::new();
    for (passed, variable) in parameters.chain(globals) {
        let (ty, span) = (program[variable].ty, program[variable].span);
        if !ty.is_pointer() {
            continue;
        }
        let is_global = matches!(passed, Passed::Global(_));
        let is_copy = all || is_global || assigned.contains(&variable);
        let kept = if is_copy {
            let name = format!("{}@entry", program[variable].name);
            program.add_variable(&name, ty, Scope::Parameter(procedure), span)
        } else {
            variable
        };
        formals.push(Formal { passed, kept, is_copy });
    }
    formals
}

/// Calls give new parameters their values.
fn pass_formals(program: &mut Program, procedure: ProcId, formals: &Formals) {
    let old: BTreeMap<ProcId, Vec<VarId>> =
        formals.keys().map(|procedure| (*procedure, program[*procedure].parameters.clone())).collect();
    for edge in &mut program[procedure].edges {
        let Statement::Call { targets, arguments, .. } = &mut edge.statement else { continue };
        let Some((target, parameters)) = targets.first().and_then(|target| Some((target, old.get(target)?))) else {
            continue;
        };
        let passed = arguments.clone();
        for formal in formals[target].iter().filter(|formal| parameters[passed.len()..].contains(&formal.kept)) {
            arguments.push(match formal.passed {
                Passed::Argument(position) => passed[position].clone(),
                Passed::Global(global) => Operand::Pointer(global),
            });
        }
    }
}

/// The result goes through a global variable, which is empty but for that.
fn return_by_global(program: &mut Program, procedure: ProcId, results: &BTreeMap<ProcId, VarId>) {
    let result = program[procedure].result;
    for number in 0..program[procedure].edges.len() {
        let Edge { from, to, statement, span } = program[procedure].edges[number].clone();
        match statement {
            Statement::Return => {
                let (Some(result), Some(returned)) = (result, results.get(&procedure)) else { continue };
                let value = operand(program, result);
                let between = program[procedure].add_node(Node::default());
                program[procedure].add_edge(from, between, Statement::Set { to: *returned, value }, span);
                program[procedure].edges[number].from = between;
            }
            Statement::Call { to: wanted, targets, arguments } => {
                let Some(returned) = targets.first().and_then(|target| results.get(target)).copied() else { continue };
                let mut at = program[procedure].add_node(Node::default());
                let edge = &mut program[procedure].edges[number];
                edge.to = at;
                edge.statement = Statement::Call { to: None, targets, arguments };
                if let Some(wanted) = wanted {
                    let next = program[procedure].add_node(Node::default());
                    let value = operand(program, returned);
                    program[procedure].add_edge(at, next, Statement::Set { to: wanted, value }, span);
                    at = next;
                }
                let empty = if program[returned].ty.is_pointer() { Operand::Null } else { Operand::Uninitialised };
                program[procedure].add_edge(at, to, Statement::Set { to: returned, value: empty }, span);
            }
            _ => {}
        }
    }
}

fn operand(program: &Program, variable: VarId) -> Operand {
    match program[variable].ty {
        Type::Pointer(_) => Operand::Pointer(variable),
        Type::Scalar(_) => Operand::Scalar(trifold_ir::Expr::Variable(variable)),
    }
}

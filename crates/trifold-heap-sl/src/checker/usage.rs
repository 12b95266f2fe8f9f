//! How a program uses checkers: which calls assume them, which assert them, and which functions describe their
//! arguments with them.
//!
//! For example, `if (!list(x)) abort();` assumes that `x` is a list, `assert(list(x))` asserts it: the purpose of a
//! call is told by where it leads if it returns false.

use crate::checker::define::Definitions;
use crate::checker::recognise::Refusal;
use crate::layout::Layouts;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Condition, Edge, Expr, FindingKind, NodeId, Operand, ProcId, Program, Statement};
use trifold_passes::CallGraph;
use trifold_passes::intervals::evaluate;

/// The purpose of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// If it returns false, the program ends: the caller of the program promises that it holds.
    Assumed,
    /// If it returns false, an assertion fails.
    Asserted,
    /// Anything else.
    Other,
}

/// The steps that are taken to find the purpose of a call; a longer way has another one.
const STEPS: usize = 16;

/// The purpose of a call on an edge of a procedure: where does it lead if it returns false?
pub(crate) fn purpose(program: &Program, procedure: ProcId, number: usize) -> Purpose {
    let end = end_if_false(program, procedure, number).map(|edge| &program[procedure].edges[edge].statement);
    match end {
        Some(Statement::Stop) => Purpose::Assumed,
        Some(Statement::Error { kind: FindingKind::Assertion, .. }) => Purpose::Asserted,
        _ => Purpose::Other,
    }
}

/// The first edge that does something where a call on an edge of a procedure returns false.
fn end_if_false(program: &Program, procedure: ProcId, number: usize) -> Option<usize> {
    let edges = &program[procedure].edges;
    let from = |node: NodeId| edges.iter().enumerate().filter(move |(_, edge)| edge.from == node);
    let Statement::Call { to: Some(to), .. } = edges[number].statement else { return None };
    let is_false = |(_, edge): &(usize, &Edge)| match &edge.statement {
        Statement::Assume(Condition::Scalar(expr)) => {
            let range =
                |variable| program.scalar_of(&Expr::Variable(variable)).unwrap_or(trifold_ir::Scalar::I32).range();
            evaluate(program, expr, &|variable| if variable == to { (0, 0) } else { range(variable) }) == (1, 1)
        }
        _ => false,
    };
    let (_, mut at) = from(edges[number].to).find(is_false)?;
    for _ in 0..STEPS {
        let next: Vec<(usize, &Edge)> = from(at.to).collect();
        let [(number, edge)] = next[..] else { return None };
        match &edge.statement {
            Statement::Skip | Statement::Set { value: Operand::Uninitialised, .. } => at = edge,
            _ => return Some(number),
        }
    }
    None
}

/// The calls of checkers, by procedure and edge, that assert something, with the edge that is reached where it does not
/// hold.
pub fn assertions(program: &Program) -> BTreeMap<(ProcId, usize), usize> {
    let definitions = Definitions::of(program, &Layouts::new(program));
    let mut found = BTreeMap::new();
    // Clauses of contracts are evaluated as contracts are.
    for procedure in program.procedure_ids().filter(|procedure| !program.contracts.contains_key(procedure)) {
        for (number, edge) in program[procedure].edges.iter().enumerate() {
            let Statement::Call { targets, .. } = &edge.statement else { continue };
            let is_shape = targets.iter().all(|target| definitions.known.contains_key(target));
            if is_shape && purpose(program, procedure, number) == Purpose::Asserted {
                found.extend(end_if_false(program, procedure, number).map(|error| ((procedure, number), error)));
            }
        }
    }
    found
}

/// The calls of a procedure that assume or assert something.
fn specifications(program: &Program, procedure: ProcId) -> impl Iterator<Item = (&[ProcId], &[Operand])> {
    program[procedure].edges.iter().enumerate().filter_map(move |(number, edge)| match &edge.statement {
        Statement::Call { targets, arguments, .. } if purpose(program, procedure, number) != Purpose::Other => {
            Some((&targets[..], &arguments[..]))
        }
        _ => None,
    })
}

/// Does a procedure describe its arguments with checkers?
pub fn is_specified(program: &Program, procedure: ProcId) -> bool {
    says(program, &Definitions::of(program, &Layouts::new(program)), procedure)
}

/// All procedures that do.
pub fn specified(program: &Program) -> BTreeSet<ProcId> {
    let definitions = Definitions::of(program, &Layouts::new(program));
    program.procedure_ids().filter(|procedure| says(program, &definitions, *procedure)).collect()
}

fn says(program: &Program, definitions: &Definitions, procedure: ProcId) -> bool {
    let parameters = &program[procedure].parameters;
    specifications(program, procedure).any(|(targets, arguments)| {
        let is_parameter = |operand: &Operand| matches!(operand, Operand::Pointer(v) if parameters.contains(v));
        targets.iter().all(|target| definitions.known.contains_key(target)) && arguments.iter().any(is_parameter)
    })
}

/// Functions that are used as checkers but are none, with the reasons.
pub fn refusals(program: &Program) -> Vec<(ProcId, Refusal)> {
    let definitions = Definitions::of(program, &Layouts::new(program));
    let calls = CallGraph::of(program);
    let mut used: Vec<ProcId> = program
        .procedure_ids()
        .flat_map(|p| specifications(program, p))
        .flat_map(|(targets, _)| targets)
        .copied()
        .collect();
    used.sort();
    used.dedup();
    let has_loop = |procedure: &ProcId| program[*procedure].nodes.iter().any(|node| node.loop_head);
    used.retain(|procedure| {
        is_about_shapes(program, *procedure) && (calls.is_recursive(*procedure) || has_loop(procedure))
    });
    used.into_iter().filter_map(|p| definitions.refused.get(&p).map(|refusal| (p, refusal.clone()))).collect()
}

/// Is a function about shapes? Who passes a number wants to know something about data.
fn is_about_shapes(program: &Program, procedure: ProcId) -> bool {
    program[procedure].parameters.iter().all(|parameter| program[*parameter].ty.is_pointer())
}

/// A function that walks over memory and is assumed by an entry, or by what it calls, although its meaning is not
/// known: it is no checker. Executed on arguments that are made up it may not hold of any, and all that follows would
/// be proved.
///
/// For example, a `queue` whose last element is compared with that of its list is not satisfied by memory in which
/// pointers share nothing. Without checkers, in another domain, no such function is known.
pub fn unknown_assumption(program: &Program, entry: ProcId, with_checkers: bool) -> Option<ProcId> {
    let calls = CallGraph::of(program);
    let known = match with_checkers {
        true => Definitions::of(program, &Layouts::new(program)).known,
        false => BTreeMap::new(),
    };
    let walks = |procedure: ProcId| {
        let has_loop = program[procedure].nodes.iter().any(|node| node.loop_head);
        has_loop || calls.is_recursive(procedure)
    };
    let is_unknown = |procedure: &ProcId| {
        let is_known = known.contains_key(procedure) || !is_about_shapes(program, *procedure);
        !is_known && calls.reached(*procedure).into_iter().any(walks)
    };
    let assumed = |procedure: ProcId| {
        let edges = program[procedure].edges.iter().enumerate();
        let edges = edges.filter(move |(number, _)| purpose(program, procedure, *number) == Purpose::Assumed);
        edges.filter_map(|(_, edge)| match &edge.statement {
            Statement::Call { targets, .. } => Some(targets),
            _ => None,
        })
    };
    calls.reached(entry).into_iter().flat_map(assumed).flatten().copied().find(|target| is_unknown(target))
}

/// All procedures that are checkers.
pub fn checkers(program: &Program) -> BTreeSet<ProcId> {
    Definitions::of(program, &Layouts::new(program)).known.into_keys().collect()
}

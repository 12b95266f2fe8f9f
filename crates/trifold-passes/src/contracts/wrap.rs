//! Procedures that stand for those with contracts.
//!
//! For example, for `append` with a contract there is a procedure that asserts the preconditions, calls `append`, and
//! asserts the postconditions; all calls of `append` are calls of that procedure.

use super::Written;
use super::resolve::{operand, resolve};
use trifold_ir::FindingKind;
use trifold_ir::{BinaryOp, Scalar};
use trifold_ir::{Clause, Contract, Promise};
use trifold_ir::{Condition, Expr, Operand, Statement};
use trifold_ir::{Node, Program, Scope, Type};
use trifold_ir::{NodeId, ProcId};
use trifold_source::{Diagnostic, Span};

/// A procedure with a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specified {
    /// The procedure.
    pub procedure: ProcId,
    /// Has it a body? Otherwise it is defined elsewhere.
    pub is_defined: bool,
    /// The clauses as they are written.
    pub written: Vec<Written>,
}

/// Gives procedures their contracts. All calls of one of them become calls of the procedure that stands for it, which
/// has its contract in [`Program::contracts`].
pub fn specify(program: &mut Program, contracts: &[Specified]) -> Result<(), Vec<Diagnostic>> {
    let written: Vec<ProcId> = program.procedure_ids().collect();
    let mut errors = Vec::new();
    for specified in contracts {
        if let Err(error) = stand_for(program, specified) {
            errors.push(*error);
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let standing: Vec<(ProcId, ProcId)> =
        program.contracts.iter().map(|(stands, contract)| (contract.of, *stands)).collect();
    for procedure in written {
        for edge in &mut program[procedure].edges {
            if let Statement::Call { targets, .. } = &mut edge.statement {
                for target in targets {
                    if let Some((_, stands)) = standing.iter().find(|(of, _)| of == target) {
                        *target = *stands;
                    }
                }
            }
        }
    }
    Ok(())
}

fn stand_for(program: &mut Program, specified: &Specified) -> Result<(), Box<Diagnostic>> {
    let (of, is_defined) = (specified.procedure, specified.is_defined);
    let (name, span) = (program[of].name.clone(), program[of].span);
    if !is_defined {
        let (entry, exit) = (program[of].entry, program[of].exit);
        program[of].edges.clear();
        let text = format!("`{name}` is defined elsewhere");
        program[of].add_edge(entry, exit, Statement::Unsupported { text }, span);
    }
    let stands = program.add_procedure(&format!("contract of {name}"), span);
    for parameter in program[of].parameters.clone() {
        let (name, ty, span) = (program[parameter].name.clone(), program[parameter].ty, program[parameter].span);
        program.add_variable(&name, ty, Scope::Parameter(stands), span);
    }
    if let Some(result) = program[of].result {
        let ty = program[result].ty;
        let result = program.add_variable("\\result", ty, Scope::Local(stands), span);
        program[stands].result = Some(result);
    }
    let mut clauses = (Vec::new(), Vec::new());
    for written in &specified.written {
        let clause = resolve(program, stands, of, written)?;
        if written.is_ensured { clauses.1.push(clause) } else { clauses.0.push(clause) }
    }
    let (mut requires, mut ensures) = clauses;
    // A method of Java is called on an object.
    let receiver = program[stands].parameters.first().filter(|first| program[**first].name == "this");
    if let Some(receiver) = receiver {
        let (left, right) = (Operand::Pointer(*receiver), Operand::Null);
        let promise = Promise::Condition(Condition::Pointers { left, right, equal: false });
        requires.insert(0, Clause { promise, text: "this != null".to_string(), span, error: 0 });
    }
    let at = program[stands].entry;
    let mut wrapper = Wrapper { program, stands, at };
    for clause in &mut requires {
        wrapper.check(clause, &format!("the precondition of `{name}` does not hold: `{}`", clause.text.clone()));
    }
    let arguments = wrapper.program[stands].parameters.iter().map(|p| operand(wrapper.program, *p)).collect();
    let to = wrapper.program[stands].result;
    let call = wrapper.step(Statement::Call { to, targets: vec![of], arguments }, span);
    for clause in &mut ensures {
        wrapper.check(clause, &format!("the postcondition of `{name}` does not hold: `{}`", clause.text.clone()));
    }
    let (at, exit) = (wrapper.at, wrapper.program[stands].exit);
    let last = ensures.last().map_or(span, |clause: &Clause| clause.span);
    wrapper.program[stands].add_edge(at, exit, Statement::Return, last);
    program.contracts.insert(stands, Contract { of, is_defined, requires, ensures, call });
    Ok(())
}

struct Wrapper<'p> {
    program: &'p mut Program,
    stands: ProcId,
    at: NodeId,
}

impl Wrapper<'_> {
    /// The number of the edge.
    fn step(&mut self, statement: Statement, span: Span) -> usize {
        let to = self.program[self.stands].add_node(Node::default());
        self.program[self.stands].add_edge(self.at, to, statement, span);
        self.at = to;
        self.program[self.stands].edges.len() - 1
    }

    fn check(&mut self, clause: &mut Clause, text: &str) {
        let condition = match &clause.promise {
            Promise::Holds { checker, arguments } => {
                let (checker, arguments) = (*checker, arguments.clone());
                let result = self.program[checker].result.map(|result| self.program[result].ty);
                let Some(Type::Scalar(scalar)) = result else { unreachable!("checkers return whether they hold") };
                let name = format!("\\holds {}", self.program.variables.len());
                let holds =
                    self.program.add_variable(&name, Type::Scalar(scalar), Scope::Local(self.stands), clause.span);
                self.step(Statement::Call { to: Some(holds), targets: vec![checker], arguments }, clause.span);
                let holds = Expr::Variable(holds);
                Condition::Scalar(match scalar {
                    Scalar::Bool => holds,
                    _ => Expr::binary(BinaryOp::NotEqual, holds, Expr::Constant(0, scalar)),
                })
            }
            Promise::Condition(condition) => condition.clone(),
        };
        let here = self.at;
        self.step(Statement::Assume(condition.negated()), clause.span);
        let (kind, exit) = (FindingKind::Assertion, self.program[self.stands].exit);
        let error = Statement::Error { kind, text: text.to_string() };
        self.program[self.stands].add_edge(self.at, exit, error, clause.span);
        clause.error = self.program[self.stands].edges.len() - 1;
        self.at = here;
        self.step(Statement::Assume(condition), clause.span);
    }
}

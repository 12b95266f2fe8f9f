//! The meaning of names in contracts. For example, `list(x)` is the function `list` of the program, or else the
//! built-in shape, on the parameter or global variable `x`.

use super::read::{HELP, Part, Term, TermKind, Written};
use super::shapes::shape;
use trifold_ir::BinaryOp;
use trifold_ir::{Clause, Promise};
use trifold_ir::{Condition, Expr, Operand};
use trifold_ir::{ProcId, VarId};
use trifold_ir::{Program, Type};
use trifold_source::{Diagnostic, Span, suggest};

type Resolved<T> = Result<T, Box<Diagnostic>>;

/// A part of a contract, with the variables of the procedure that `stands` for the one that is meant.
pub(super) fn resolve(program: &mut Program, stands: ProcId, of: ProcId, written: &Written) -> Resolved<Clause> {
    let promise = match &written.part {
        Part::Applied { name, at, arguments } => {
            let values =
                arguments.iter().map(|term| value(program, stands, written, term)).collect::<Resolved<Vec<_>>>()?;
            applied(program, of, name, values).map_err(|(message, help)| error(*at, message, help))?
        }
        Part::Compared { left, op, right } => {
            let left_value = value(program, stands, written, left)?;
            let right_value = value(program, stands, written, right)?;
            let condition = compared(program, left_value, *op, right_value);
            Promise::Condition(condition.map_err(|message| error(written.span, message, None))?)
        }
    };
    Ok(Clause { promise, text: written.text.clone(), span: written.span, error: 0 })
}

fn error(span: Span, message: impl Into<String>, help: Option<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("contract", span, message).maybe_help(help))
}

/// A value before it is known of which type a number is.
enum Value {
    Variable(VarId),
    Null,
    Number(i128),
}

fn value(program: &Program, stands: ProcId, written: &Written, term: &Term) -> Resolved<Value> {
    let parameters = &program[stands].parameters;
    let parameter = |name: &str| parameters.iter().copied().find(|parameter| program[*parameter].name == *name);
    match &term.kind {
        TermKind::Null => Ok(Value::Null),
        TermKind::Number(number) => Ok(Value::Number(*number)),
        TermKind::Result if !written.is_ensured => {
            let message = "`\\result` is known when the function returns: it can be ensured, not required";
            Err(error(term.span, message, None))
        }
        TermKind::Result => {
            let result = program[stands].result;
            let message = "the function returns nothing that a contract can speak of";
            result.map(Value::Variable).ok_or_else(|| error(term.span, message, None))
        }
        TermKind::Old(name) => parameter(name).map(Value::Variable).ok_or_else(|| {
            let message = format!("`{name}` is no parameter, and of nothing else the old value is kept");
            error(term.span, message, Some(HELP.to_string()))
        }),
        TermKind::Name(name) => {
            let global = || program.globals().find(|global| program[*global].name == *name);
            parameter(name).or_else(global).map(Value::Variable).ok_or_else(|| {
                let names =
                    parameters.iter().copied().chain(program.globals()).map(|known| program[known].name.as_str());
                let help = suggest::help(name, names).unwrap_or(HELP.to_string());
                error(term.span, format!("there is no parameter or global variable `{name}`"), Some(help))
            })
        }
    }
}

/// The function with a name, as it would be called in a procedure.
fn function(program: &Program, of: ProcId, name: &str) -> Option<ProcId> {
    let class = program[of].name.rsplit_once('.').map(|(class, _)| format!("{class}.{name}"));
    program.procedure_named(name).or_else(|| program.procedure_named(&class?))
}

/// The message and the advice if it cannot be.
fn applied(
    program: &mut Program,
    of: ProcId,
    name: &str,
    values: Vec<Value>,
) -> Result<Promise, (String, Option<String>)> {
    let ty = |program: &Program, value: &Value| match value {
        Value::Variable(variable) => Some(program[*variable].ty),
        _ => None,
    };
    let mut values = values;
    let checker = match (function(program, of, name), name) {
        (Some(known), _) => known,
        (None, "list" | "tree") => {
            let [first] = &values[..] else { return Err((format!("`{name}` has one argument"), None)) };
            let Some(Type::Pointer(Some(structure))) = ty(program, first) else {
                return Err((format!("`{name}` is about a pointer to a struct"), None));
            };
            let span = program[of].span;
            let (made, has_back) = shape(program, name, structure, span)
                .map_err(|message| (message, Some("write a checker of your own".to_string())))?;
            values.extend(has_back.then_some(Value::Null));
            made
        }
        (None, _) => {
            let names = program.procedures.iter().map(|procedure| procedure.name.as_str()).chain(["list", "tree"]);
            let other = "name a function that is a checker, or one of the shapes `list` and `tree`";
            let help = suggest::help(name, names).unwrap_or(other.to_string());
            return Err((format!("there is no function `{name}`, and no shape that is called so"), Some(help)));
        }
    };
    let parameters = program[checker].parameters.clone();
    if program[checker].result.is_none_or(|result| program[result].ty.is_pointer()) {
        return Err((format!("`{name}` does not return whether something holds"), None));
    }
    if parameters.len() != values.len() {
        return Err((format!("`{name}` has {} parameters, not {}", parameters.len(), values.len()), None));
    }
    let argument = |(parameter, value): (&VarId, &Value)| match (program[*parameter].ty, value) {
        (Type::Pointer(_), Value::Null | Value::Number(0)) => Some(Operand::Null),
        (expected, Value::Variable(variable)) if expected.accepts(program[*variable].ty) => {
            Some(operand(program, *variable))
        }
        _ => None,
    };
    let arguments = parameters.iter().zip(&values).map(argument).collect::<Option<Vec<Operand>>>();
    match arguments {
        Some(arguments) => Ok(Promise::Holds { checker, arguments }),
        None => Err((format!("the arguments are not those that `{name}` has"), None)),
    }
}

/// The value of a variable.
pub(super) fn operand(program: &Program, variable: VarId) -> Operand {
    match program[variable].ty {
        Type::Pointer(_) => Operand::Pointer(variable),
        Type::Scalar(_) => Operand::Scalar(Expr::Variable(variable)),
    }
}

fn compared(program: &Program, left: Value, op: BinaryOp, right: Value) -> Result<Condition, String> {
    let scalar = |value: &Value| match value {
        Value::Variable(variable) => match program[*variable].ty {
            Type::Scalar(scalar) => Some(scalar),
            Type::Pointer(_) => None,
        },
        _ => None,
    };
    let pointer = |value: &Value| match value {
        Value::Variable(variable) => program[*variable].ty.is_pointer().then_some(Operand::Pointer(*variable)),
        Value::Null | Value::Number(0) => Some(Operand::Null),
        Value::Number(_) => None,
    };
    let is_variable = |value: &Value| matches!(value, Value::Variable(_));
    if !is_variable(&left) && !is_variable(&right) {
        return Err("a comparison without a variable".to_string());
    }
    if let Some(scalar) = scalar(&left).or(scalar(&right)) {
        let number = |value: &Value| match value {
            Value::Variable(variable) if program[*variable].ty == Type::Scalar(scalar) => Ok(Expr::Variable(*variable)),
            Value::Number(number) if scalar.contains(*number) => Ok(Expr::Constant(*number, scalar)),
            _ => Err("values of different types are compared".to_string()),
        };
        return Ok(Condition::Scalar(Expr::binary(op, number(&left)?, number(&right)?)));
    }
    match (pointer(&left), pointer(&right), op) {
        (Some(left), Some(right), BinaryOp::Equal | BinaryOp::NotEqual) => {
            Ok(Condition::Pointers { left, right, equal: op == BinaryOp::Equal })
        }
        (Some(_), Some(_), _) => Err("pointers are equal or not; they have no order".to_string()),
        _ => Err("values of different types are compared".to_string()),
    }
}

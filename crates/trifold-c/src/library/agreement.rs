//! Does a declaration agree with a row? A function is known by its name and its type: a `random(struct s *)` of the
//! program is not the `random(void)` of the C library.

use super::row::{Returned, Role, Row, Size};
use crate::typed::{Declaration, Program};
use crate::types::{FunctionType, Type, TypeId};

/// Where a declaration says something else than a row. One without a prototype says nothing about parameters.
pub(super) fn disagreements(row: &Row, program: &Program, declaration: &Declaration) -> Vec<String> {
    let Some(function) = program.types.callee(declaration.ty) else { return vec!["it is no function".to_string()] };
    let mut found = Vec::new();
    if function.prototype {
        parameters(row, program, &function, &mut found);
    }
    if !returns(row, program, &function) {
        found.push(format!("{:?} is `{}`", row.result, program.show(function.result)));
    }
    found
}

fn parameters(row: &Row, program: &Program, function: &FunctionType, found: &mut Vec<String>) {
    if function.parameters.len() != row.parameters.len() {
        found.push(format!("{} parameters", function.parameters.len()));
    }
    if function.variadic != row.rest.is_some() {
        found.push(format!("further arguments: {}", function.variadic));
    }
    for (parameter, ty) in row.parameters.iter().zip(&function.parameters) {
        if !plays(program, *ty, parameter.role) {
            found.push(format!("{:?} is `{}`", parameter.role, program.show(*ty)));
        }
    }
}

fn returns(row: &Row, program: &Program, function: &FunctionType) -> bool {
    let types = &program.types;
    let is_void = *types.get(function.result) == Type::Void;
    let is_real = matches!(types.get(function.result), Type::Float(_));
    match row.result {
        Returned::Never => is_void,
        // Declarations of former times return an `int`, of which nothing is known.
        Returned::Nothing => is_void || types.is_integer(function.result),
        Returned::Number | Returned::Input(Some(_)) => types.is_integer(function.result),
        Returned::Input(None) => types.is_scalar(function.result),
        Returned::Real => is_real,
        Returned::Fresh { .. } => is_memory(program, function.result),
        Returned::SameAs(index) => {
            let same = |ty: &TypeId| types.pointee(*ty).is_some() == types.pointee(function.result).is_some();
            !function.prototype || function.parameters.get(index).is_some_and(same)
        }
        Returned::Unknown => true,
    }
}

/// Can an argument of a type be what a row says? Old declarations do without `const`.
fn plays(program: &Program, ty: TypeId, role: Role) -> bool {
    let types = &program.types;
    let to = types.pointee(ty);
    match role {
        Role::Number => types.is_integer(ty),
        Role::Real => matches!(types.get(ty), Type::Float(_)),
        Role::Text | Role::TextAtMost(_) | Role::PrintFormat | Role::ScanFormat => {
            to.is_some_and(|to| types.is_integer(to) && types.size(to) == Some(1))
        }
        Role::Stream | Role::Closed => to.is_some_and(|to| matches!(types.get(to), Type::Record(_))),
        Role::Freed | Role::Resized => is_memory(program, ty),
        Role::Read(size) | Role::Written(size) if size != Size::Object => is_memory(program, ty),
        Role::Read(_) | Role::Written(_) => to.is_some(),
        Role::Address | Role::ArgumentList | Role::Printed | Role::Scanned => to.is_some(),
        Role::Any => true,
    }
}

/// Is it a pointer to memory of any kind: to `void`, or to characters?
fn is_memory(program: &Program, ty: TypeId) -> bool {
    let types = &program.types;
    types
        .pointee(ty)
        .is_some_and(|to| *types.get(to) == Type::Void || types.is_integer(to) && types.size(to) == Some(1))
}

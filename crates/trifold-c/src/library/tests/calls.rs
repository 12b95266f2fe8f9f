//! Every row is called, with all its arguments and with fewer: the call is known, and the translation well formed.

use super::super::row::{Returned, Role, Row, Special};
use super::super::rows;
use super::{c_type, sample};
use trifold_ir::{Program, Statement, validate};

/// A program that calls a function with so many arguments, and uses nothing of it.
fn program(row: &Row, count: usize) -> String {
    let roles: Vec<Role> = row.parameters.iter().chain(&row.rest).map(|parameter| parameter.role).collect();
    let parameters: Vec<String> =
        roles.iter().enumerate().map(|(index, role)| format!("{} a{index}", c_type(*role))).collect();
    let arguments = roles.iter().enumerate().take(count).map(|(index, role)| match role {
        Role::Number => "8".to_string(),
        Role::PrintFormat | Role::ScanFormat => "\"\"".to_string(),
        _ => format!("a{index}"),
    });
    let (name, arguments) = (sample(row), arguments.collect::<Vec<String>>().join(", "));
    let declaration =
        if name.starts_with("__builtin_") { String::new() } else { format!("{} {name}();\n", result(row)) };
    let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
    format!("typedef struct file FILE;\n{declaration}void test({parameters}) {{ {name}({arguments}); }}")
}

/// How C says what comes back.
fn result(row: &Row) -> &'static str {
    match row.result {
        Returned::Nothing | Returned::Never => "void",
        Returned::Number | Returned::Input(_) => "int",
        Returned::Real => "double",
        Returned::SameAs(index) => c_type(row.parameters[index].role),
        Returned::Fresh { .. } | Returned::Unknown => "void *",
    }
}

fn translated(text: &str) -> Option<Program> {
    let loaded = crate::load("row.c", text).ok()?;
    let program = crate::translate(&loaded.program, &crate::TranslateOptions::default()).program;
    if let Err(errors) = validate(&program) {
        panic!("{text}: {:?}\n{}", errors[0].message, trifold_ir::print(&program));
    }
    Some(program)
}

fn statements(program: &Program) -> impl Iterator<Item = &Statement> {
    program.procedures.iter().flat_map(|procedure| &procedure.edges).map(|edge| &edge.statement)
}

#[test]
fn calls_are_known() {
    for row in rows() {
        let most = row.parameters.len() + row.rest.iter().len();
        let text = program(row, most);
        let translation = translated(&text).unwrap_or_else(|| panic!("{text} is not accepted"));
        let is_unknown = statements(&translation).any(|statement| matches!(statement, Statement::UnknownCall { .. }));
        assert!(!is_unknown, "{}", trifold_ir::print(&translation));
        let mut unsupported = statements(&translation).filter_map(|statement| match statement {
            Statement::Unsupported { text } => Some(text.as_str()),
            _ => None,
        });
        if let Some(Special::Unsupported(what)) = row.special {
            assert!(unsupported.any(|text| text.starts_with(what)), "{}", row.name);
        }
    }
}

/// Nothing is taken for granted about the number of arguments: programs may call functions without a declaration.
#[test]
fn calls_with_too_few_arguments_are_translated() {
    let mut accepted = 0;
    for row in rows() {
        for count in 0..row.parameters.len() {
            accepted += usize::from(translated(&program(row, count)).is_some());
        }
    }
    assert!(accepted > 80, "only {accepted} calls were accepted");
}

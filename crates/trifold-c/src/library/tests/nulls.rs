//! Which pointers may be null: where the compiler warns that one is, the row must forbid it.

use super::super::row::{Header, Null, Role, Row};
use super::super::rows;
use super::c_type;
use super::declarations::{compiler, system_header};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;

/// A function and the number of the argument that is null.
type Case = (&'static Row, usize);

#[test]
fn the_compiler_accepts_null_where_it_is_allowed() {
    let Some(compiler) = compiler() else {
        eprintln!("SKIPPED: there is no C compiler, so nobody was asked which pointers may be null");
        return;
    };
    let cases: Vec<Case> = rows().filter(|row| is_function(row)).flat_map(pointers).collect();
    let warned = warned(&compiler, &cases);
    for (row, index) in &warned {
        let null = row.parameters[*index].null;
        assert_eq!(null, Null::Never, "argument {index} of `{}`", row.name);
    }
    // Otherwise nothing was asked.
    let names: BTreeSet<&str> = warned.iter().map(|(row, _)| row.name).collect();
    for name in ["strlen", "strcmp", "memcpy", "printf"] {
        assert!(names.contains(name), "the compiler takes null for `{name}`: {names:?}");
    }
}

fn is_function(row: &Row) -> bool {
    matches!(row.header, Header::System(_)) && !row.name.ends_with('*')
}

fn pointers(row: &'static Row) -> impl Iterator<Item = Case> {
    let is_pointer = |role: Role| !matches!(role, Role::Number | Role::Real | Role::ArgumentList);
    let parameters = row.parameters.iter().enumerate();
    parameters.filter(move |(_, parameter)| is_pointer(parameter.role)).map(move |(index, _)| (row, index))
}

/// The calls with a null pointer that the compiler warns of.
fn warned(compiler: &str, cases: &[Case]) -> Vec<Case> {
    let mut text = String::new();
    let headers: BTreeSet<&str> = cases.iter().filter_map(|(row, _)| system_header(row.header)).collect();
    for header in headers {
        writeln!(text, "#include <{header}>").unwrap();
    }
    let before = text.lines().count();
    for (number, (row, null)) in cases.iter().enumerate() {
        let argument = |(index, role): (usize, Role)| match role {
            _ if index == *null => "(void *)0".to_string(),
            Role::ArgumentList => "list".to_string(),
            role => format!("*({} *)any", c_type(role)),
        };
        let arguments = row.parameters.iter().map(|parameter| parameter.role).enumerate().map(argument);
        let arguments: Vec<String> = arguments.collect();
        let call = format!("{}({})", row.name, arguments.join(", "));
        writeln!(text, "void test{number}(void *any, __builtin_va_list list) {{ {call}; }}").unwrap();
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("nulls.c");
    std::fs::write(&file, text).unwrap();
    let flags = ["-fsyntax-only", "-D_GNU_SOURCE", "-Wnonnull"];
    let output = Command::new(compiler).args(flags).arg(&file).output().unwrap();
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{report}");
    let lines = report.lines().filter(|line| line.contains("[-Wnonnull]"));
    let numbers: BTreeSet<usize> = lines.filter_map(|line| line.split(':').nth(1)?.parse().ok()).collect();
    numbers.into_iter().map(|line| cases[line - before - 1]).collect()
}

//! The table is judged by those who know better: headers of the system, the compiler, the declarations of GNU C, and
//! programs. And every row is called.

mod calls;
mod declarations;
mod nulls;

use super::row::{Parameter, Returned, Role, Row, Size};
use super::{Treatment, find, named, rows};
use std::collections::BTreeSet;

#[test]
fn names_are_there_once() {
    let names: BTreeSet<&str> = rows().map(|row| row.name).collect();
    assert_eq!(names.len(), rows().count());
    assert!(names.len() >= 70, "the table is not complete");
}

#[test]
fn functions_of_gnu_c_have_two_names() {
    assert_eq!(find("__builtin_malloc"), named("malloc"));
    assert_eq!(find("__builtin_unreachable"), named("__builtin_unreachable"));
    assert_eq!(find("pthread_join"), named("pthread_*"));
    assert_eq!((named("__builtin_malloc"), named("pthread")), (None, None));
    assert_eq!((find("frobnicate"), find("trap")), (None, None));
}

/// Sizes are numbers or text, and results are there.
#[test]
fn columns_name_arguments_that_fit() {
    for row in rows() {
        let argument = |index: usize| row.parameters.get(index).map(|parameter| parameter.role);
        let is_number = |index: usize| argument(index) == Some(Role::Number);
        let fits = |size: Size| match size {
            Size::Argument(size) => is_number(size),
            Size::Product(count, size) => is_number(count) && is_number(size) && count != size,
            Size::OfText(text) => argument(text) == Some(Role::Text),
            Size::OfTextAtMost(text, bound) => argument(text) == Some(Role::TextAtMost(bound)) && is_number(bound),
            Size::Object => true,
        };
        for Parameter { role, .. } in row.parameters.iter().chain(&row.rest) {
            let fits = match role {
                Role::TextAtMost(bound) => is_number(*bound),
                Role::Read(size) | Role::Written(size) => fits(*size),
                _ => true,
            };
            assert!(fits, "{}: {role:?}", row.name);
        }
        let result = match row.result {
            Returned::SameAs(index) => argument(index).is_some(),
            Returned::Fresh { size, .. } => fits(size) && size != Size::Object,
            Returned::Input(Some((low, high))) => low <= high,
            _ => true,
        };
        assert!(result, "{}: {:?}", row.name, row.result);
    }
}

/// Functions with a format say what it asks for, and there is no other reason to do so.
#[test]
fn formats_come_with_arguments() {
    for row in rows() {
        let has = |role: Role| row.parameters.iter().chain(&row.rest).any(|parameter| parameter.role == role);
        let asks = has(Role::PrintFormat) || has(Role::ScanFormat);
        let is_asked = has(Role::Printed) || has(Role::Scanned) || has(Role::ArgumentList);
        assert!(asks == is_asked || row.name.contains("va_"), "{}", row.name);
    }
}

/// A row without special treatment says nothing that its treatment would pass over: memory that is changed or read and
/// is not looked at would make proofs wrong.
#[test]
fn no_column_is_passed_over() {
    for row in rows().filter(|row| row.special.is_none()) {
        let treatment = row.treatment();
        let reads_text = row.takes_text();
        let parameters: Vec<&Parameter> = row.parameters.iter().chain(&row.rest).collect();
        let seen = |role: Role| match role {
            Role::Freed => matches!(treatment, Treatment::Free(_)),
            Role::Written(_) => matches!(treatment, Treatment::WriteText(..)),
            Role::Text | Role::TextAtMost(_) | Role::PrintFormat | Role::Printed => reads_text,
            Role::ArgumentList => reads_text && row.print_format().is_some(),
            Role::Stream | Role::Closed => treatment == Treatment::ReadText,
            Role::Number | Role::Real | Role::Address | Role::Any => true,
            Role::Read(_) | Role::Resized | Role::ScanFormat | Role::Scanned => false,
        };
        for Parameter { role, .. } in &parameters {
            assert!(seen(*role), "`{}` needs a special treatment: {treatment:?} does not see {role:?}", row.name);
        }
        let is_changed = |parameter: &&&Parameter| matches!(parameter.role, Role::Freed | Role::Written(_));
        assert!(parameters.iter().filter(is_changed).count() <= 1, "`{}` changes two arguments", row.name);
        let is_changing = matches!(treatment, Treatment::Free(_) | Treatment::WriteText(..));
        let is_lost = matches!(row.result, Returned::Never | Returned::Fresh { .. } | Returned::Input(_));
        assert!(!(is_changing && is_lost), "`{}` needs a special treatment: nobody sees {:?}", row.name, row.result);
    }
}

/// How C says what a parameter is.
fn c_type(role: Role) -> &'static str {
    match role {
        Role::Number => "long",
        Role::Real => "double",
        Role::Text | Role::TextAtMost(_) | Role::PrintFormat | Role::ScanFormat => "const char *",
        Role::Read(_) => "const void *",
        Role::Stream | Role::Closed => "FILE *",
        Role::ArgumentList => "__builtin_va_list",
        _ => "void *",
    }
}

/// A function that the row stands for.
fn sample(row: &Row) -> String {
    row.name.replace('*', "of_this_family")
}

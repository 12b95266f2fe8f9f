//! Checks that a program is well formed, so that later passes can rely on it. For example, an edge to a node that is
//! not there is an error.
//!
//! First all numbers must lead somewhere, then types must agree. The second is only looked at if the first is right.

mod ids;
#[cfg(test)]
mod tests;
mod types;

use crate::program::Program;
use std::collections::BTreeSet;
use trifold_source::{Diagnostic, Span};

/// Everything that is wrong with a program.
pub fn validate(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Errors::default();
    ids::check(program, &mut errors);
    if errors.0.is_empty() {
        check_names(program, &mut errors);
        types::check(program, &mut errors);
    }
    if errors.0.is_empty() { Ok(()) } else { Err(errors.0) }
}

#[derive(Default)]
struct Errors(Vec<Diagnostic>);

impl Errors {
    fn require(&mut self, holds: bool, span: Span, message: impl FnOnce() -> String) {
        if !holds {
            self.0.push(Diagnostic::error("invalid-program", span, message()));
        }
    }
}

/// Names must tell things apart, for readers and for the text of programs.
fn check_names(program: &Program, errors: &mut Errors) {
    let mut distinct = |seen: &mut BTreeSet<String>, what: &str, name: &str, span| {
        let is_new = seen.insert(name.to_string());
        errors.require(is_new, span, || format!("there are two {what} called `{name}`"));
    };
    let mut seen = BTreeSet::new();
    for structure in &program.structs {
        distinct(&mut seen, "structs", &structure.name, structure.span);
        let mut seen = BTreeSet::new();
        for field in structure.fields.iter().map(|field| &program[*field]) {
            distinct(&mut seen, "fields of a struct", &field.name, field.span);
        }
    }
    let mut globals = BTreeSet::new();
    for global in program.globals().map(|global| &program[global]) {
        distinct(&mut globals, "globals", &global.name, global.span);
    }
    let mut seen = BTreeSet::new();
    for procedure in &program.procedures {
        distinct(&mut seen, "procedures", &procedure.name, procedure.span);
        let mut seen = globals.clone();
        for variable in procedure.variables().map(|variable| &program[variable]) {
            distinct(&mut seen, "variables of one scope", &variable.name, variable.span);
        }
    }
}

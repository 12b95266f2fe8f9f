//! Checkers as C functions, which can be pasted into the program.
//!
//! For example, `π.node_list() := emp ∨ π ↦ {next: γ0} * γ0.node_list()` becomes a function with `return p == NULL ||
//! node_list(p->next);`.
//!
//! The parts of a definition about numbers, and about pointers that lead nowhere, are left out, because a checker in C
//! describes where pointers lead.

use crate::checker::definition::{Call, Checker, Term};
use crate::checker::show::name;
use crate::layout::{Layout, Layouts};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use trifold_ir::{Program, Type};

/// Checkers as C functions, each after those that it calls.
pub fn show_as_c<'c>(checkers: impl Iterator<Item = &'c Arc<Checker>>, program: &Program) -> String {
    let mut printer = Printer { program, layouts: Layouts::new(program), printed: Vec::new(), text: String::new() };
    let checkers: BTreeSet<&Arc<Checker>> = checkers.collect();
    for checker in checkers {
        printer.function(checker, false);
    }
    printer.text
}

struct Printer<'p> {
    program: &'p Program,
    layouts: Layouts,
    /// Checkers, with or without a parameter for the end, and the names of their functions.
    printed: Vec<(Arc<Checker>, bool, String)>,
    text: String,
}

impl Printer<'_> {
    /// The name of the function of a checker, which is printed unless it has been.
    fn function(&mut self, checker: &Arc<Checker>, has_end: bool) -> String {
        let known = self.printed.iter().find(|(known, end, _)| (known, *end) == (checker, has_end));
        if let Some((_, _, name)) = known {
            return name.clone();
        }
        let callees: Vec<String> = checker.calls.iter().map(|call| self.function(&call.checker, ends(call))).collect();
        let plain = if has_end { name(checker, self.program) + "_to" } else { name(checker, self.program) };
        let same = self.printed.iter().filter(|(.., name)| name.trim_end_matches(char::is_numeric) == plain).count();
        let name = if same == 0 { plain } else { format!("{plain}{}", same + 1) };
        self.printed.push((checker.clone(), has_end, name.clone()));
        let text = self.body(checker, has_end, &name, &callees);
        self.text += &text;
        name
    }

    fn body(&self, checker: &Checker, has_end: bool, name: &str, callees: &[String]) -> String {
        let layout = &self.layouts[checker.structure];
        let own = format!("struct {} *", self.program[layout.parts[checker.entry].structure].name);
        let mut params = vec![format!("{own}p")];
        for param in 0..checker.params {
            let cell = checker.cells.iter().position(|term| *term == Term::Param(param));
            let ty = cell.and_then(|cell| layout.cells[cell].ty.target());
            let ty = ty.map_or("void *".to_string(), |target| format!("struct {} *", self.program[target].name));
            params.push(format!("{ty}r{param}"));
        }
        if has_end {
            params.push(format!("{own}end"));
        }
        let field = |cell: usize| self.field(layout, checker.entry, layout.cells[cell].part, cell);
        let of_next = |next: usize| checker.cells.iter().position(|term| *term == Term::Next(next)).map(field);
        let show = |term: &Term| match term {
            Term::Null => Some("NULL".to_string()),
            Term::Part(part) if *part == checker.entry => Some("p".to_string()),
            Term::Part(_) | Term::Call(_) | Term::Scalar(_) | Term::Wild(_) | Term::Some => None,
            Term::Param(param) => Some(format!("r{param}")),
            Term::Next(next) => of_next(*next),
        };
        let list = |start: String, args: &[Term], end: Option<String>| {
            let args = args.iter().map(|arg| show(arg).unwrap_or("NULL".to_string()));
            std::iter::once(start).chain(args).chain(end).collect::<Vec<String>>().join(", ")
        };
        let mut conditions = Vec::new();
        if has_end {
            conditions.push("p != NULL".to_string());
        }
        for (cell, term) in checker.cells.iter().enumerate() {
            let here = field(cell);
            match term {
                Term::Next(next) if of_next(*next).as_ref() == Some(&here) => {
                    let end = has_end.then(|| "end".to_string());
                    conditions.push(format!("{name}({})", list(here, &checker.nexts[*next], end)));
                }
                Term::Call(number) => {
                    let call = &checker.calls[*number];
                    let end = call.end.as_ref().filter(|_| ends(call)).map(|(target, _)| show(target));
                    let end = end.map(|end| end.unwrap_or("NULL".to_string()));
                    conditions.push(format!("{}({})", callees[*number], list(here, &call.args, end)));
                }
                _ if layout.cells[cell].ty != Type::Pointer(None) && layout.cells[cell].ty.is_pointer() => {
                    conditions.extend(show(term).map(|value| format!("{here} == {value}")));
                }
                _ => {}
            }
        }
        let end = if has_end { "end" } else { "NULL" };
        let mut text = format!("bool {name}({})\n{{\n    return p == {end}", params.join(", "));
        match &conditions[..] {
            [] => text += " || true",
            [one] => drop(write!(text, " || {one}")),
            several => drop(write!(text, " || ({})", several.join(" && "))),
        }
        text + ";\n}\n\n"
    }

    /// A field, as it is written in C. A pointer whose address is taken is an object of its own in a heap program, but
    /// not in C.
    fn field(&self, layout: &Layout, entry: usize, part: usize, cell: usize) -> String {
        let mut path = vec![layout.cells[cell].field];
        let mut at = part;
        while let Some((of, field)) = layout.parts[at].of.filter(|_| at != entry) {
            path.push(field);
            at = of;
        }
        let is_pointer = |structure: trifold_ir::StructId| self.program[structure].name.contains('*');
        path.retain(|field| !is_pointer(self.program[*field].structure));
        let names: Vec<&str> = path.iter().rev().map(|field| self.program[*field].name.as_str()).collect();
        format!("p->{}", names.join("."))
    }
}

/// Does a call end elsewhere than with null?
fn ends(call: &Call) -> bool {
    call.end.as_ref().is_some_and(|(target, _)| *target != Term::Null)
}

//! Checkers as text, in the notation of the paper. For example, a list is `π.node_list() := emp ∨ π ↦ {next: γ0} *
//! γ0.node_list()`.

use crate::checker::definition::{Call, Checker, Term, Wild};
use crate::layout::{Layout, Layouts};
use std::fmt::Write;
use trifold_ir::Program;

/// A definition.
pub fn show_checker(checker: &Checker, program: &Program) -> String {
    let layout = &Layouts::new(program)[checker.structure];
    let term = |term: &Term| match term {
        Term::Null => "null".to_string(),
        Term::Part(part) if *part == checker.entry => "π".to_string(),
        Term::Part(part) => format!("π{part}"),
        Term::Param(param) => format!("ρ{param}"),
        Term::Next(next) => format!("γ{next}"),
        Term::Call(call) => format!("δ{call}"),
        Term::Scalar(_) => "_".to_string(),
        Term::Wild(wild) => format!("({})", show_wild(*wild)),
        Term::Some => "_".to_string(),
    };
    let terms = |list: &[Term]| list.iter().map(term).collect::<Vec<_>>().join(", ");
    let own = name(checker, program);
    let params: Vec<Term> = (0..checker.params).map(Term::Param).collect();
    let cells = layout.cells.iter().zip(&checker.cells).map(|(cell, value)| {
        format!("{}: {}", path(program, layout, cell.part, &program[cell.field].name), term(value))
    });
    let mut text = format!("π.{own}({}) := emp ∨ π ↦ {{{}}}", terms(&params), cells.collect::<Vec<_>>().join(", "));
    for (next, args) in checker.nexts.iter().enumerate() {
        let _ = write!(text, " * γ{next}.{own}({})", terms(args));
    }
    for (number, Call { checker, args, end, min }) in checker.calls.iter().enumerate() {
        let other = name(checker, program);
        let _ = write!(text, " * δ{number}.{other}({})", terms(args));
        if let Some((target, args)) = end {
            let _ = write!(text, " *= {}.{other}({})", term(target), terms(args));
        }
        if *min > 0 {
            let _ = write!(text, " at least {min}");
        }
    }
    for call in &checker.calls {
        let _ = write!(text, "\n{}", show_checker(&call.checker, program));
    }
    text
}

pub(crate) fn show_wild(wild: Wild) -> String {
    let names = [
        (Wild::NULL, "null"),
        (Wild::UNINITIALISED, "no value"),
        (Wild::FREED, "freed"),
        (Wild::FREED_PART, "freed part"),
        (Wild::DEAD, "dead"),
        (Wild::TOP, "⊤"),
    ];
    names.iter().filter(|(one, _)| wild.has(*one)).map(|(_, name)| *name).collect::<Vec<_>>().join(" or ")
}

/// The name of a checker: the struct of its blocks, and their shape.
pub(crate) fn name(checker: &Checker, program: &Program) -> String {
    let kind = match checker.nexts.len() {
        0 => "one",
        1 => "list",
        _ => "tree",
    };
    format!("{}_{kind}", program[checker.structure].name)
}

/// A field of a part, from the block as a whole: `link.next`.
pub(crate) fn path(program: &Program, layout: &Layout, part: usize, field: &str) -> String {
    match layout.parts[part].of {
        Some((of, by)) => path(program, layout, of, &format!("{}.{field}", program[by].name)),
        None => field.to_string(),
    }
}

//! `--summaries`: what procedures make of the inputs for which they were analysed, as pictures.

use crate::disk;
use crate::{Refused, draw};
use std::path::Path;
use trifold_fixpoint::{PointId, ProcedureId, Solution};
use trifold_report::Picture;
use trifold_source::printable_line;
use trifold_structure::Structure;
use trifold_tvl::{Engine, Procedure, Specification};

/// Prints summaries, or draws them into a file.
pub fn show(functions: &[Function], drawing: Option<&Path>, force: bool) -> Result<(), Refused> {
    match drawing {
        None => disk::print(&text(functions)),
        Some(path) => {
            let pictures: Vec<Picture> = functions.iter().flat_map(Function::pictures).collect();
            draw::write(&pictures, path, force)
        }
    }
}

/// What is known of a function.
#[derive(Clone)]
pub struct Function {
    name: String,
    /// Each input, and what comes out.
    lines: Vec<(Picture, Vec<Picture>)>,
}

/// What procedures make of their inputs, if there are any.
pub fn functions(
    specification: &Specification,
    solution: &Solution<Engine>,
    drawn: &dyn Fn(&Structure) -> Picture,
) -> Vec<Function> {
    let at = |point: Option<PointId>| -> Vec<Picture> {
        point.iter().flat_map(|point| solution.stores[*point].iter()).map(drawn).collect()
    };
    let function = |(id, procedure): (ProcedureId, &Procedure)| {
        let contexts = solution.contexts.iter().filter(|context| context.procedure == id);
        let lines = contexts.flat_map(|context| {
            let outputs = at(context.exit);
            at(Some(context.entry)).into_iter().map(move |input| (input, outputs.clone()))
        });
        Function { name: procedure.name.clone(), lines: lines.collect() }
    };
    specification.cfg.procedures.enumerate().map(function).collect()
}

fn text(functions: &[Function]) -> String {
    if functions.is_empty() {
        return "every call is analysed by itself: there are no summaries\n".to_string();
    }
    let mut text = String::new();
    for Function { name, lines } in functions {
        let count = if lines.len() == 1 { "1 input".to_string() } else { format!("{} inputs", lines.len()) };
        text += &format!("{}: {count}\n", printable_line(name));
        for (number, (input, outputs)) in lines.iter().enumerate() {
            text += &format!("  input {}\n{}", number + 1, indented(input));
            for output in outputs {
                text += &format!("  leads to\n{}", indented(output));
            }
            if outputs.is_empty() {
                text += "  does not return\n";
            }
        }
    }
    text
}

fn indented(picture: &Picture) -> String {
    if picture.nodes.is_empty() && picture.nullary.is_empty() {
        return "    nothing\n".to_string();
    }
    picture.outline().lines().map(|line| format!("    {line}\n")).collect()
}

impl Function {
    fn pictures(&self) -> Vec<Picture> {
        let mut pictures = Vec::new();
        for (number, (input, outputs)) in self.lines.iter().enumerate() {
            let title = format!("{}: input {}", self.name, number + 1);
            pictures.push(Picture { title: Some(title.clone()), ..input.clone() });
            let titled = |output: &Picture| Picture { title: Some(format!("{title} leads to")), ..output.clone() };
            pictures.extend(outputs.iter().map(titled));
        }
        pictures
    }
}

//! Summaries of procedures as pictures: each input for which a procedure was analysed, with its outputs. For example,
//! `reverse` of a list has the inputs null and a list, each with one output.

use trifold_fixpoint::{PointId, ProcedureId, Solution};
use trifold_report::Picture;
use trifold_source::printable_line;
use trifold_structure::Structure;
use trifold_tvl::{Engine, Procedure, Specification};

/// The summary of a procedure.
#[derive(Clone)]
pub struct Summary {
    name: String,
    /// Each input, and its outputs.
    lines: Vec<(Picture, Vec<Picture>)>,
}

/// The summaries of the procedures of a specification, if it has any.
pub fn summaries(
    specification: &Specification,
    solution: &Solution<Engine>,
    drawn: &dyn Fn(&Structure) -> Picture,
) -> Vec<Summary> {
    let at = |point: Option<PointId>| -> Vec<Picture> {
        point.iter().flat_map(|point| solution.stores[*point].iter()).map(drawn).collect()
    };
    let function = |(id, procedure): (ProcedureId, &Procedure)| {
        let contexts = solution.contexts.iter().filter(|context| context.procedure == id);
        let lines = contexts.flat_map(|context| {
            let outputs = at(context.exit);
            at(Some(context.entry)).into_iter().map(move |input| (input, outputs.clone()))
        });
        Summary { name: procedure.name.clone(), lines: lines.collect() }
    };
    specification.cfg.procedures.enumerate().map(function).collect()
}

/// Summaries in words.
pub fn text(functions: &[Summary]) -> String {
    if functions.is_empty() {
        return "every call is analysed by itself: there are no summaries\n".to_string();
    }
    let mut text = String::new();
    for Summary { name, lines } in functions {
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

impl Summary {
    /// Its lines as pictures with titles.
    pub fn pictures(&self) -> Vec<Picture> {
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

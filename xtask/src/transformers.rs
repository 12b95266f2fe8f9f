//! `cargo xtask transformers`: what best transformers gain on the list programs, and what they cost, as a table in the
//! book.
//!
//! At a location they are better if there is a store which the structures of focus and coerce represent there, and
//! those of best transformers do not: the built-in solver is asked for one.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use trifold_examples::{Example, programs};
use trifold_structure::Structure;
use trifold_symbolic::{BestSteps, BuiltIn, Entailment, Session, StepsCost, Symbolic};
use trifold_tvl::{Analysis, Structures, When};

const CHAPTER: &str = "docs/book/src/most-precise.md";
const START: &str = "<!-- written by cargo xtask transformers -->\n";
const END: &str = "<!-- to here -->\n";

/// Writes the table anew, and prints how long the analyses took.
pub fn run() -> ExitCode {
    let rows: Vec<Row> = examples().iter().map(Row::new).collect();
    for Row { program, times: [usual, best], .. } in &rows {
        let factor = best.as_secs_f64() / usual.as_secs_f64();
        println!("{program:20} {:8.1} ms {:8.1} ms {factor:6.0} times", millis(*usual), millis(*best));
    }
    let path = crate::root().join(CHAPTER);
    let written = crate::read(&path).and_then(|text| {
        let (before, _, after) = divide(&text).ok_or("the chapter has no place for the table")?;
        let text = format!("{before}{}{after}", table(&rows));
        std::fs::write(&path, text).map_err(|error| error.to_string())
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The text before the table, the table, and the text after it.
fn divide(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find(START)? + START.len();
    let end = start + text[start..].find(END)?;
    Some((&text[..start], &text[start..end], &text[end..]))
}

fn examples() -> Vec<Example> {
    ["sll", "dll"].into_iter().flat_map(programs).map(|path| Example::load(&path, &[])).collect()
}

struct Row {
    program: String,
    structures: [usize; 2],
    messages: [usize; 2],
    /// Locations where best transformers are better, and all locations.
    better: [usize; 2],
    cost: StepsCost,
    times: [Duration; 2],
}

impl Row {
    fn new(example: &Example) -> Row {
        let engine = example.engine(example.options);
        let started = Instant::now();
        let usual = example.analyze(&engine);
        let usual_time = started.elapsed();
        let started = Instant::now();
        let steps = Arc::new(BestSteps::new(engine.specification(), example.options.derive));
        let engine = engine.with_precise_steps(steps.clone(), When::Always);
        let best = example.analyze(&engine);
        let times = [usual_time, started.elapsed()];

        let symbolic = Symbolic::new(engine.specification());
        let structures = |analysis: &Analysis| analysis.solution.stores.iter().map(|s| s.count()).sum();
        let pairs = usual.solution.stores.iter().zip(&best.solution.stores);
        let better = pairs.filter(|(usual, best)| is_better(&symbolic, best, usual)).count();
        let family = example.path.parent().and_then(|path| path.file_name()).unwrap_or_default();
        let name = example.path.file_stem().unwrap_or_default();
        Row {
            program: format!("{}/{}", family.to_string_lossy(), name.to_string_lossy()),
            structures: [&usual, &best].map(structures),
            messages: [&usual, &best].map(|analysis| analysis.findings.len()),
            better: [better, usual.solution.stores.len()],
            cost: steps.cost(),
            times,
        }
    }
}

/// Is there a store that `usual` represents and `best` does not?
fn is_better(symbolic: &Symbolic, best: &Structures, usual: &Structures) -> bool {
    let [best, usual] = [best, usual].map(|all| all.iter().cloned().collect::<Vec<Structure>>());
    let (mut solver, mut stop) = (BuiltIn::default(), || false);
    let mut session = Session::new(&mut solver, &mut stop);
    matches!(symbolic.entails(&usual, &best, &mut session), Ok(Entailment::Fails(_)))
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| program | structures | best | messages | best | better at | steps | undecided | queries |\n\
         | --- | --: | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    for Row { program, structures, messages, better, cost, .. } in rows {
        let better = match better[0] {
            0 => "–".to_string(),
            some => format!("{some} of {}", better[1]),
        };
        text += &format!(
            "| {program} | {} | {} | {} | {} | {better} | {} | {} | {} |\n",
            structures[0], structures[1], messages[0], messages[1], cost.steps, cost.undecided, cost.queries
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_as_written() {
        let chapter = crate::read(&crate::root().join(CHAPTER)).unwrap();
        let (_, written, _) = divide(&chapter).expect("a place for the table");
        let rows: Vec<Row> = examples().iter().map(Row::new).collect();
        assert_eq!(written, table(&rows), "`cargo xtask transformers` writes the table anew");
    }
}

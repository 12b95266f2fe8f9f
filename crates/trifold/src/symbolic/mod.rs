//! `trifold formula`, `assume`, `abstract`, `best-transformer`, `meet`, `entails`: most-precise operations on
//! structures.

mod process;

use crate::arguments::ReadOptions;
use crate::arguments::symbolic::{
    AbstractOptions, AssumeOptions, BestTransformerOptions, FormulaFormat, FormulaOptions, SolverOptions, TwoOptions,
};
use crate::disk::{self, Disk};
use crate::{Outcome, Refused};
use process::Process;
use std::sync::Arc;
use std::time::Instant;
use trifold_logic::{Formula, Vocabulary};
use trifold_structure::{Layout, Structure};
use trifold_symbolic::{
    Abstracted, BestTransformer, BuiltIn, Entailment, External, NotBounded, QueryCost, Session, Solver, Symbolic,
    Undecided, characteristic, integrity_rules, smtlib, tptp,
};
use trifold_tvl::{Action, Derive, Specification, complete};
use trifold_tvp::{Failure, load, read_formula, read_structures, write_structure};

pub fn formula(options: &FormulaOptions) -> Result<Outcome, Refused> {
    let specification = specification(&options.spec, &options.read)?;
    let structures = structures(&options.structures, &specification, &options.read)?;
    let vocabulary = &specification.vocabulary;
    let rules = integrity_rules(&specification);
    let each = structures.iter().enumerate().map(|(number, structure)| {
        characteristic(structure, vocabulary).map_err(|error| not_bounded(&options.structures, Some(number), &error))
    });
    let each: Vec<Formula> = each.collect::<Result<_, _>>()?;
    let some = || [&rules[..], &[Formula::or(each.iter().cloned())]].concat();
    disk::print(&match options.format {
        FormulaFormat::Tvp => in_tvp(&rules, &each, vocabulary),
        FormulaFormat::Smtlib => smtlib(&some(), vocabulary),
        FormulaFormat::Tptp => tptp(&some(), vocabulary),
    })?;
    Ok(Outcome::Success)
}

/// The rules, and for each structure the conjuncts of its formula, one to a line.
fn in_tvp(rules: &[Formula], each: &[Formula], vocabulary: &Vocabulary) -> String {
    let lines = |formulas: &[Formula], end: &str| -> String {
        let shown: Vec<String> = formulas.iter().map(|formula| format!("({})", formula.show(vocabulary))).collect();
        shown.join(end) + "\n"
    };
    let mut text = format!("// integrity rules\n{}", lines(rules, " &\n"));
    for (number, formula) in each.iter().enumerate() {
        let conjuncts: &[Formula] =
            if let Formula::And(parts) = formula { parts } else { std::slice::from_ref(formula) };
        text += &format!("\n// structure {}\n{}", number + 1, lines(conjuncts, " &\n"));
    }
    text
}

pub fn assume(options: &AssumeOptions) -> Result<Outcome, Refused> {
    let specification = specification(&options.solver.spec, &options.solver.read)?;
    let structures = structures(&options.structures, &specification, &options.solver.read)?;
    let formula = parse(&options.formula, &specification, &options.solver.read)?;
    let symbolic = Symbolic::new(&specification);
    let (result, cost) = ask(&options.solver, |session| symbolic.assume(&formula, &structures, session))?;
    show(&structures_of(&result), cost, &specification)
}

pub fn abstract_formula(options: &AbstractOptions) -> Result<Outcome, Refused> {
    let specification = specification(&options.solver.spec, &options.solver.read)?;
    let formula = parse(&options.formula, &specification, &options.solver.read)?;
    let symbolic = Symbolic::new(&specification);
    let (result, cost) = ask(&options.solver, |session| symbolic.abstract_formula(&formula, session))?;
    show(&structures_of(&result), cost, &specification)
}

pub fn best_transformer(options: &BestTransformerOptions) -> Result<Outcome, Refused> {
    let specification = specification(&options.solver.spec, &options.solver.read)?;
    let structures = structures(&options.structures, &specification, &options.solver.read)?;
    let named = |title: &String| action(title, &specification);
    let actions: Vec<Action> = options.action.iter().map(named).collect::<Result<_, _>>()?;
    let symbolic = Symbolic::new(&specification);
    let transformer = BestTransformer::new(&symbolic, &actions.iter().collect::<Vec<_>>()).map_err(Refused::new)?;
    let (result, cost) = ask(&options.solver, |session| transformer.apply(&structures, session))?;
    show(&result.into_iter().map(|found| found.structure).collect::<Vec<_>>(), cost, &specification)
}

pub fn meet(options: &TwoOptions) -> Result<Outcome, Refused> {
    let specification = specification(&options.solver.spec, &options.solver.read)?;
    let first = structures(&options.first, &specification, &options.solver.read)?;
    let second = structures(&options.second, &specification, &options.solver.read)?;
    let symbolic = Symbolic::new(&specification);
    let (result, cost) = ask(&options.solver, |session| symbolic.meet(&first, &second, session))?;
    let result = result.map_err(|error| not_bounded(&options.second, None, &error))?;
    show(&structures_of(&result), cost, &specification)
}

pub fn entails(options: &TwoOptions) -> Result<Outcome, Refused> {
    let specification = specification(&options.solver.spec, &options.solver.read)?;
    let first = structures(&options.first, &specification, &options.solver.read)?;
    let second = structures(&options.second, &specification, &options.solver.read)?;
    let symbolic = Symbolic::new(&specification);
    let (result, cost) = ask(&options.solver, |session| symbolic.entails(&first, &second, session))?;
    let (verdict, outcome, store) = match result.map_err(|error| not_bounded(&options.second, None, &error))? {
        Entailment::Holds => ("holds", Outcome::Success, None),
        Entailment::Fails(store) => ("does not hold", Outcome::Findings, store),
        Entailment::Undecided(_) => ("undecided", Outcome::Partial, None),
    };
    cost.warn(&specification.vocabulary);
    let mut text = format!("// {verdict}; {}\n", cost.shown());
    if let Some(store) = store {
        text += "// a store of the first that is none of the second:\n";
        text += &write_structure(&store.structure, &specification.vocabulary);
    }
    disk::print(&text)?;
    Ok(outcome)
}

fn specification(path: &str, read: &ReadOptions) -> Result<Specification, Refused> {
    let loaded = load(path, &Disk, &read.preprocessor()).map_err(|failure| refused(&failure, read))?;
    Ok(loaded.specification)
}

fn structures(path: &str, specification: &Specification, read: &ReadOptions) -> Result<Vec<Structure>, Refused> {
    let vocabulary = &specification.vocabulary;
    let layout = Arc::new(Layout::new(vocabulary));
    let file = read_structures(path, &Disk, &read.preprocessor(), vocabulary, &layout);
    let file = file.map_err(|failure| refused(&failure, read))?;
    Ok(file.structures.into_iter().map(|named| named.structure).collect())
}

fn parse(text: &str, specification: &Specification, read: &ReadOptions) -> Result<Formula, Refused> {
    read_formula("<formula>", text, &specification.vocabulary).map_err(|failure| refused(&failure, read))
}

fn refused(failure: &Failure, read: &ReadOptions) -> Refused {
    Refused(failure.render(read.colour()))
}

fn not_bounded(path: &str, number: Option<usize>, error: &NotBounded) -> Refused {
    let which = number.map_or("a structure".into(), |number| format!("structure {}", number + 1));
    Refused::new(format!("{which} of {path} has no characteristic formula: {error}"))
}

/// The action of this title, or the only one whose title contains the text, with its derived updates.
fn action(title: &str, specification: &Specification) -> Result<Action, Refused> {
    let mut titles: Vec<&str> = specification.actions.iter().map(|action| action.title.as_str()).collect();
    titles.sort_unstable();
    titles.dedup();
    let part: Vec<&&str> = titles.iter().filter(|known| known.contains(title)).collect();
    let wanted = match &part[..] {
        _ if titles.contains(&title) => title,
        [only] => only,
        _ => {
            let problem = if part.is_empty() { "no action is called" } else { "several actions are called like" };
            return Err(Refused::new(format!("{problem} `{title}`; there are: {}", titles.join("; "))));
        }
    };
    let found = specification.actions.iter().find(|action| action.title == wanted).expect("one of the titles");
    Ok(complete(found, &specification.vocabulary, Derive::Missing))
}

/// The cost of an operation.
struct Cost {
    report: QueryCost,
    seconds: f64,
}

/// Carries out an operation with the solver that was asked for.
fn ask<T>(options: &SolverOptions, operation: impl FnOnce(&mut Session) -> T) -> Result<(T, Cost), Refused> {
    let started = Instant::now();
    let deadline = options.timeout.map(|timeout| started + timeout);
    let process = options.solver.as_deref().map(|command| Process::start(command, deadline)).transpose()?;
    let failure = process.as_ref().map(Process::failure);
    let mut process = process.map(External::new);
    let mut built_in = BuiltIn::default();
    let solver: &mut dyn Solver = match &mut process {
        Some(process) => process,
        None => &mut built_in,
    };
    let failed = || failure.as_ref().is_some_and(|failure| failure.borrow().is_some());
    let mut stop = || deadline.is_some_and(|deadline| Instant::now() >= deadline) || failed();
    let mut session = Session::new(solver, &mut stop);
    let result = operation(&mut session);
    let cost = Cost { report: session.report, seconds: started.elapsed().as_secs_f64() };
    match failure.and_then(|failure| failure.take()) {
        Some(message) => Err(Refused::new(message)),
        None => Ok((result, cost)),
    }
}

fn structures_of(result: &[Abstracted]) -> Vec<Structure> {
    result.iter().map(|found| found.structure.clone()).collect()
}

/// Prints structures, and how they came about.
fn show(structures: &[Structure], cost: Cost, specification: &Specification) -> Result<Outcome, Refused> {
    let count = match structures.len() {
        1 => "1 structure".to_string(),
        number => format!("{number} structures"),
    };
    let precise = cost.report.is_most_precise();
    let precision = if precise { "most precise" } else { "perhaps not the most precise" };
    cost.warn(&specification.vocabulary);
    let mut text = format!("// {count}, {precision}; {}\n", cost.shown());
    for structure in structures {
        text.push('\n');
        text += &write_structure(structure, &specification.vocabulary);
    }
    disk::print(&text)?;
    Ok(if precise { Outcome::Success } else { Outcome::Partial })
}

impl Cost {
    fn shown(&self) -> String {
        let queries = self.report.queries;
        let noun = if queries == 1 { "query" } else { "queries" };
        format!("{queries} {noun}\n// time {:.3} s", self.seconds)
    }

    /// Says why queries were left undecided.
    fn warn(&self, vocabulary: &Vocabulary) {
        for reason in &self.report.undecided {
            let why = match reason {
                Undecided::Universe { rule } => {
                    format!("for every individual it may ask for another one: {}", rule.show(vocabulary))
                }
                Undecided::Paths => "paths of unknown length matter".to_string(),
                Undecided::Conflicts => "the solver needed too many steps".to_string(),
                Undecided::External(message) => message.clone(),
                Undecided::Stopped => "time was up".to_string(),
            };
            eprintln!("warning: a query was left undecided: {why}");
        }
    }
}

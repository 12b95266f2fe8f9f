//! `trifold formula`, `assume`, `abstract`, `best-transformer`, `meet`, `entails`: most-precise operations on
//! structures.

use crate::arguments::ReadOptions;
use crate::arguments::symbolic::{
    AbstractOptions, AssumeOptions, BestTransformerOptions, FormulaFormat, FormulaOptions, SolverOptions, SpecOptions,
    TwoOptions,
};
use crate::{Outcome, Refused};
use std::sync::Arc;
use std::time::Instant;
use trifold_analyze::operations::{Answered, formulas_text};
use trifold_logic::Formula;
use trifold_machine::disk::{self, Disk};
use trifold_machine::solver::with_solver;
use trifold_structure::{Layout, Structure};
use trifold_symbolic::{
    Abstracted, BestTransformer, Entailment, NotBounded, Session, Symbolic, characteristic, integrity_rules, smtlib,
    tptp,
};
use trifold_tvl::{Action, Derive, Specification, complete};
use trifold_tvp::{Failure, load, read_formula, read_structures};

pub fn formula(options: &FormulaOptions) -> Result<Outcome, Refused> {
    let specification = specification(&options.spec)?;
    let structures = structures(&options.structures, &specification, &options.spec.read)?;
    let vocabulary = &specification.vocabulary;
    let rules = integrity_rules(&specification);
    let each = structures.iter().enumerate().map(|(number, structure)| {
        characteristic(structure, vocabulary).map_err(|error| not_bounded(&options.structures, Some(number), &error))
    });
    let each: Vec<Formula> = each.collect::<Result<_, _>>()?;
    let some = || [&rules[..], &[Formula::or(each.iter().cloned())]].concat();
    disk::print(&match options.format {
        FormulaFormat::Tvp => formulas_text(&rules, &each, vocabulary),
        FormulaFormat::Smtlib => smtlib(&some(), vocabulary),
        FormulaFormat::Tptp => tptp(&some(), vocabulary),
    })?;
    Ok(Outcome::Success)
}

pub fn assume(options: &AssumeOptions) -> Result<Outcome, Refused> {
    let operation = Operation::new(&options.solver)?;
    let structures = operation.structures(&options.structures)?;
    let formula = operation.formula(&options.formula)?;
    let (result, answered) = operation.ask(|session| operation.symbolic.assume(&formula, &structures, session))?;
    operation.show(&structures_of(result), &answered)
}

pub fn abstract_formula(options: &AbstractOptions) -> Result<Outcome, Refused> {
    let operation = Operation::new(&options.solver)?;
    let formula = operation.formula(&options.formula)?;
    let (result, answered) = operation.ask(|session| operation.symbolic.abstract_formula(&formula, session))?;
    operation.show(&structures_of(result), &answered)
}

pub fn best_transformer(options: &BestTransformerOptions) -> Result<Outcome, Refused> {
    let operation = Operation::new(&options.solver)?;
    let structures = operation.structures(&options.structures)?;
    let specification = &operation.specification;
    let named = |title: &String| {
        let action = specification.action_like(title).map_err(Refused::new)?;
        Ok(complete(action, &specification.vocabulary, Derive::Missing))
    };
    let actions: Vec<Action> = options.action.iter().map(named).collect::<Result<_, Refused>>()?;
    let transformer = BestTransformer::new(&operation.symbolic, &actions.iter().collect::<Vec<_>>());
    let transformer = transformer.map_err(Refused::new)?;
    let (result, answered) = operation.ask(|session| transformer.apply(&structures, session))?;
    operation.show(&result.into_iter().map(|found| found.structure).collect::<Vec<_>>(), &answered)
}

pub fn meet(options: &TwoOptions) -> Result<Outcome, Refused> {
    let operation = Operation::new(&options.solver)?;
    let [first, second] = [operation.structures(&options.first)?, operation.structures(&options.second)?];
    let (result, answered) = operation.ask(|session| operation.symbolic.meet(&first, &second, session))?;
    let result = result.map_err(|error| not_bounded(&options.second, None, &error))?;
    operation.show(&structures_of(result), &answered)
}

pub fn entails(options: &TwoOptions) -> Result<Outcome, Refused> {
    let operation = Operation::new(&options.solver)?;
    let [first, second] = [operation.structures(&options.first)?, operation.structures(&options.second)?];
    let (result, answered) = operation.ask(|session| operation.symbolic.entails(&first, &second, session))?;
    let result = result.map_err(|error| not_bounded(&options.second, None, &error))?;
    operation.warn(&answered);
    disk::print(&answered.entailment(&result, &operation.specification.vocabulary))?;
    Ok(match result {
        Entailment::Holds => Outcome::Success,
        Entailment::Fails(_) => Outcome::Findings,
        Entailment::Undecided(_) => Outcome::Partial,
    })
}

/// An operation that asks a solver.
struct Operation<'o> {
    options: &'o SolverOptions,
    specification: Specification,
    symbolic: Symbolic,
}

impl Operation<'_> {
    fn new(options: &SolverOptions) -> Result<Operation<'_>, Refused> {
        let specification = specification(&options.spec)?;
        let symbolic = Symbolic::new(&specification);
        Ok(Operation { options, specification, symbolic })
    }

    fn structures(&self, path: &str) -> Result<Vec<Structure>, Refused> {
        structures(path, &self.specification, &self.options.spec.read)
    }

    fn formula(&self, text: &str) -> Result<Formula, Refused> {
        let formula = read_formula("<formula>", text, &self.specification.vocabulary);
        formula.map_err(|failure| refused(&failure, &self.options.spec.read))
    }

    /// Carries it out with the solver that was asked for.
    fn ask<T>(&self, carry_out: impl FnOnce(&mut Session) -> T) -> Result<(T, Answered), Refused> {
        let started = Instant::now();
        let SolverOptions { solver, timeout, .. } = self.options;
        let (result, cost) = with_solver(solver.as_deref(), *timeout, carry_out).map_err(Refused::new)?;
        Ok((result, Answered { cost, seconds: started.elapsed().as_secs_f64() }))
    }

    /// Prints structures, and how they came about.
    fn show(&self, structures: &[Structure], answered: &Answered) -> Result<Outcome, Refused> {
        self.warn(answered);
        disk::print(&answered.structures(structures, &self.specification.vocabulary))?;
        Ok(if answered.cost.is_most_precise() { Outcome::Success } else { Outcome::Partial })
    }

    fn warn(&self, answered: &Answered) {
        let warnings = answered.warnings(&self.specification.vocabulary);
        warnings.for_each(|warning| eprintln!("warning: {warning}"));
    }
}

fn specification(SpecOptions { spec, read }: &SpecOptions) -> Result<Specification, Refused> {
    let loaded = load(spec, &Disk, &read.preprocessor()).map_err(|failure| refused(&failure, read))?;
    Ok(loaded.specification)
}

fn structures(path: &str, specification: &Specification, read: &ReadOptions) -> Result<Vec<Structure>, Refused> {
    let vocabulary = &specification.vocabulary;
    let layout = Arc::new(Layout::new(vocabulary));
    let file = read_structures(path, &Disk, &read.preprocessor(), vocabulary, &layout);
    let file = file.map_err(|failure| refused(&failure, read))?;
    Ok(file.structures.into_iter().map(|named| named.structure).collect())
}

fn refused(failure: &Failure, read: &ReadOptions) -> Refused {
    Refused(failure.render(read.color.wanted()))
}

fn not_bounded(path: &str, number: Option<usize>, error: &NotBounded) -> Refused {
    let which = number.map_or("a structure".into(), |number| format!("structure {}", number + 1));
    Refused::new(format!("{which} of {path} has no characteristic formula: {error}"))
}

fn structures_of(result: Vec<Abstracted>) -> Vec<Structure> {
    result.into_iter().map(|found| found.structure).collect()
}

//! Solvers that speak SMT-LIB 2, as decision procedures.
//!
//! They get the clauses to which queries are grounded. That is propositional logic, which all of them decide at once,
//! so their answers are those of the built-in solver. A query that stays undecided for want of individuals is put to
//! them as first-order formulas. These have models that are no stores: infinite ones, and ones with paths that no steps
//! make. So if there is a model nothing is known; but if there is none, there is no store.
//!
//! For example, the clause `a ∨ ¬b` becomes `(assert (or a (not b)))`, and the answer `unsat` to `(check-sat)` means
//! that there is no such store.

use crate::ground::{Limits, decide};
use crate::print::smtlib;
use crate::query::{Answer, Query, Solver, Undecided};
use crate::sat::{Clauses, Lit, Satisfiability};
use std::fmt::{Debug, Write};

/// The answer of a prover to a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// There is a model.
    Satisfiable,
    /// There is none.
    Unsatisfiable,
    /// Nothing, for this reason.
    Nothing(String),
}

/// A prover that speaks SMT-LIB 2.
pub trait Prover: Debug {
    /// Runs a script that ends with `(check-sat)` or `(check-sat-assuming …)`. Scripts before it count, too, up to the
    /// last `(reset)`.
    fn check(&mut self, script: &str) -> Said;

    /// The answer, between parentheses, to a further question about the last script.
    fn answer(&mut self, command: &str) -> Option<String>;
}

/// A prover as a solver.
#[derive(Debug)]
pub struct External<P> {
    /// The prover.
    pub prover: P,
    /// The part of the script that it has not been given yet.
    script: String,
    variables: usize,
    /// By variable: its value in the last model.
    model: Vec<bool>,
    core: Vec<Lit>,
    /// Why there was no answer to the last query, if there was none.
    silence: Option<String>,
}

impl<P: Prover> External<P> {
    /// A solver that asks this prover.
    pub fn new(prover: P) -> External<P> {
        External { prover, script: String::new(), variables: 0, model: Vec::new(), core: Vec::new(), silence: None }
    }
}

impl<P: Prover> Solver for External<P> {
    fn solve(&mut self, query: &Query) -> Answer {
        let reason = match decide(query, Limits::default(), self) {
            Answer::Undecided(reason) => reason,
            decided => return decided,
        };
        if let Some(silence) = self.silence.take() {
            return Answer::Undecided(Undecided::External(silence));
        }
        let (vocabulary, formulas) = query.formulas();
        match self.prover.check(&format!("(reset)\n{}", smtlib(&formulas, &vocabulary))) {
            Said::Unsatisfiable => Answer::Unsatisfiable,
            Said::Satisfiable if query.theory.outside().is_empty() => Answer::Satisfiable(None),
            _ => Answer::Undecided(reason),
        }
    }
}

impl<P: Prover> Clauses for External<P> {
    fn reset(&mut self) {
        self.script = "(reset)\n(set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n\
            (set-logic QF_UF)\n"
            .to_string();
        (self.variables, self.silence) = (0, None);
        let constant = self.new_var();
        self.add_clause(&[constant]);
    }

    fn new_var(&mut self) -> Lit {
        let lit = Lit::positive(self.variables);
        self.variables += 1;
        let _ = writeln!(self.script, "(declare-const {} Bool)", text(lit));
        lit
    }

    fn add_clause(&mut self, literals: &[Lit]) {
        let _ = match literals {
            [] => writeln!(self.script, "(assert false)"),
            [unit] => writeln!(self.script, "(assert {})", text(*unit)),
            several => writeln!(self.script, "(assert (or{}))", texts(several)),
        };
    }

    fn solve(&mut self, assumptions: &[Lit], _: &mut u64) -> Satisfiability {
        let _ = match assumptions {
            [] => writeln!(self.script, "(check-sat)"),
            some => writeln!(self.script, "(check-sat-assuming ({}))", texts(some)),
        };
        match self.prover.check(&std::mem::take(&mut self.script)) {
            Said::Satisfiable => self.read_model(),
            Said::Unsatisfiable => {
                let ask = || self.prover.answer("(get-unsat-assumptions)").and_then(|answer| literals(&answer));
                let core = (!assumptions.is_empty()).then(ask).flatten();
                // A solver that does not tell which of them are to blame may blame all of them.
                let core = core.filter(|core| core.iter().all(|lit| assumptions.contains(lit)));
                self.core = core.unwrap_or_else(|| assumptions.to_vec());
                Satisfiability::Unsat
            }
            Said::Nothing(reason) => {
                self.silence = Some(reason);
                Satisfiability::Stopped
            }
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.model[lit.variable()] != lit.is_negated()
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }
}

impl<P: Prover> External<P> {
    fn read_model(&mut self) -> Satisfiability {
        let variables: Vec<Lit> = (0..self.variables).map(Lit::positive).collect();
        let answer = self.prover.answer(&format!("(get-value ({}))", texts(&variables)));
        // It repeats the names: `((a0 true) (a1 false))`.
        let words: Vec<&str> = answer.as_deref().map(words).into_iter().flatten().collect();
        let told = words.chunks(2).zip(&variables).filter(|(pair, variable)| pair[0] == text(**variable)).count();
        if told != self.variables || words.len() != 2 * told {
            self.silence = Some("the solver does not tell the values of variables".to_string());
            return Satisfiability::Stopped;
        }
        self.model = words.chunks(2).map(|pair| pair[1] == "true").collect();
        Satisfiability::Sat
    }
}

/// A literal: `a7`, or `(not a7)`.
fn text(lit: Lit) -> String {
    let name = format!("a{}", lit.variable());
    if lit.is_negated() { format!("(not {name})") } else { name }
}

fn texts(literals: &[Lit]) -> String {
    literals.iter().fold(String::new(), |all, lit| all + " " + &text(*lit))
}

/// The literals in an answer, such as `(a1 (not a2))`.
fn literals(answer: &str) -> Option<Vec<Lit>> {
    let (mut found, mut negated) = (Vec::new(), false);
    for word in words(answer) {
        if word == "not" {
            negated = true;
        } else {
            let lit = Lit::positive(word.strip_prefix('a')?.parse().ok()?);
            found.push(if negated { !lit } else { lit });
            negated = false;
        }
    }
    Some(found)
}

fn words(answer: &str) -> impl Iterator<Item = &str> {
    answer.split(|c: char| c.is_whitespace() || "()".contains(c)).filter(|word| !word.is_empty())
}

//! Solvers that speak SMT-LIB 2 get the clauses that the built-in one gets. Here a prover reads the text back and
//! decides it by the built-in means, so answers must be the same.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use trifold_oracle::small_stores::{World, vague};
use trifold_structure::Structure;
use trifold_structure::testing::formula;
use trifold_symbolic::sat::{Clauses, Lit, Sat, Satisfiability};
use trifold_symbolic::{Abstracted, BuiltIn, External, Limits, Prover, Said, Session, Solver, Symbolic};
use trifold_tvp::read_formula;

/// Reads clauses, and decides them.
#[derive(Debug, Default)]
struct Reader {
    sat: Sat,
    names: BTreeMap<String, Lit>,
    assumed: Vec<(String, Lit)>,
    /// Its answer about first-order formulas.
    first_order: Option<Said>,
    /// Does it keep quiet about which assumptions are to blame?
    is_terse: bool,
}

impl Reader {
    /// The literals in a text, each with the text that names it.
    fn literals(&self, text: &str) -> Vec<(String, Lit)> {
        let words = text.split(|c: char| c.is_whitespace() || "()".contains(c)).filter(|word| !word.is_empty());
        let (mut found, mut negated) = (Vec::new(), false);
        for word in words {
            match self.names.get(word) {
                Some(lit) if negated => found.push((format!("(not {word})"), !*lit)),
                Some(lit) => found.push((word.to_string(), *lit)),
                None => {}
            }
            negated = word == "not";
        }
        found
    }
}

impl Prover for Reader {
    fn check(&mut self, script: &str) -> Said {
        for line in script.lines() {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("(set-logic", "UF)") => {
                    return self.first_order.clone().unwrap_or(Said::Nothing("unknown".to_string()));
                }
                ("(reset)", _) => (self.sat, self.names) = (Sat::default(), BTreeMap::new()),
                ("(set-option" | "(set-logic" | "(check-sat)", _) => self.assumed.clear(),
                ("(declare-const", rest) => {
                    let (name, lit) = (rest.split(' ').next().unwrap().to_string(), self.sat.new_var());
                    self.names.insert(name, lit);
                }
                ("(assert", clause) => {
                    let clause: Vec<Lit> = self.literals(clause).into_iter().map(|(_, lit)| lit).collect();
                    self.sat.add_clause(&clause);
                }
                ("(check-sat-assuming", assumed) => self.assumed = self.literals(assumed),
                other => panic!("{other:?}"),
            }
        }
        let assumed: Vec<Lit> = self.assumed.iter().map(|(_, lit)| *lit).collect();
        match self.sat.solve(&assumed, &mut { 2_000 }) {
            Satisfiability::Sat => Said::Satisfiable,
            Satisfiability::Unsat => Said::Unsatisfiable,
            Satisfiability::Stopped => Said::Nothing("too many conflicts".to_string()),
        }
    }

    fn answer(&mut self, command: &str) -> Option<String> {
        let asked = self.literals(command);
        let texts: Vec<String> = match command {
            "(get-unsat-assumptions)" if self.is_terse => return None,
            "(get-unsat-assumptions)" => {
                let blamed = self.assumed.iter().filter(|(_, lit)| self.sat.core().contains(lit));
                blamed.map(|(text, _)| text.clone()).collect()
            }
            _ => asked.iter().map(|(name, lit)| format!("({name} {})", self.sat.value(*lit))).collect(),
        };
        Some(format!("({})", texts.join("\n ")))
    }
}

static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| {
    vec![
        World::new("%p x(v) unique\n%p n(v1,v2) function\n%i is(v) = E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2", "", 2),
        World::new("%p x(v) unique\n%p n(v1,v2) function\n%i r(v) = E(w) x(w) & n*(w,v)\n%i c(v) = n+(v,v)", "", 2),
    ]
});

fn structures(all: &[Abstracted]) -> Vec<Structure> {
    all.iter().map(|found| found.structure.clone()).collect()
}

const CASES: u32 = 150;

#[test]
fn clauses_mean_the_same_as_text() {
    for world in WORLDS.iter() {
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: CASES,
            failure_persistence: None,
            ..ProptestConfig::default()
        });
        let case = (vague(world), formula(&world.specification.vocabulary), any::<bool>());
        let compared = std::cell::Cell::new(0);
        let run = runner.run(&case, |(s, f, is_terse)| {
            let symbolic = Symbolic::new(&world.specification);
            let assume = |solver: &mut dyn Solver| {
                let mut left = 30;
                let mut stop = || {
                    left = left.max(1) - 1;
                    left == 0
                };
                let mut session = Session::new(solver, &mut stop);
                (symbolic.assume(&f, std::slice::from_ref(&s), &mut session), session.report)
            };
            let mut external = External::new(Reader { is_terse, ..Reader::default() });
            let (found, report) = assume(&mut external);
            let (expected, built_in) = assume(&mut BuiltIn { limits: Limits { individuals: 8, conflicts: 2_000 } });
            if report.is_most_precise() && built_in.is_most_precise() {
                prop_assert_eq!(structures(&found), structures(&expected));
                compared.set(compared.get() + 1);
            }
            Ok(())
        });
        run.unwrap_or_else(|error| panic!("{error}"));
        assert!(compared.get() * 2 >= CASES, "only {} of {CASES} compared", compared.get());
    }
}

/// Where every individual needs another one, no number of individuals is enough for clauses.
#[test]
fn formulas_are_asked_about_where_clauses_do_not_decide() {
    let world = World::new("%p x(v)\n%p n(v1,v2) transitive antireflexive", "", 0);
    let text = "(E(v) x(v)) & (A(v) E(w) n(v,w))";
    let endless = read_formula("endless", text, &world.specification.vocabulary).unwrap();
    let symbolic = Symbolic::new(&world.specification);
    for (said, most_precise) in [(Said::Satisfiable, false), (Said::Unsatisfiable, true)] {
        let mut external = External::new(Reader { first_order: Some(said), ..Reader::default() });
        let mut stop = || false;
        let mut session = Session::new(&mut external, &mut stop);
        let result = symbolic.assume(&endless, &[symbolic.top()], &mut session);
        assert_eq!((result.is_empty(), session.report.is_most_precise()), (most_precise, most_precise));
    }
}

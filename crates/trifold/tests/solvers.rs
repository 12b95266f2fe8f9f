//! Solvers that are installed must agree with the built-in one.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::cell::RefCell;
use std::sync::LazyLock;
use std::time::Duration;
use trifold_examples::tools::require;
use trifold_logic::Formula;
use trifold_machine::solver::Process;
use trifold_oracle::small_stores::{World, vague};
use trifold_structure::{Structure, testing::formula};
use trifold_symbolic::{
    Abstracted, Answer, BuiltIn, External, Prover, Query, Said, Session, Solver, Symbolic, Theory, Undecided,
    integrity_rules, smtlib,
};

static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| {
    vec![
        World::new("%p x(v) unique\n%p n(v1,v2) function\n%i is(v) = E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2", "", 3),
        World::new("%p x(v) unique\n%p n(v1,v2) function\n%i r(v) = E(w) x(w) & n*(w,v)\n%i c(v) = n+(v,v)", "", 3),
        World::new("%p b()\n%p x(v)\n%p m(v1,v2)", "", 2),
    ]
});

/// Random cases of each world; `TRIFOLD_SOLVER_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("TRIFOLD_SOLVER_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(10)
}

/// Runs a property on random cases, the same each time, for each solver and world; at least so many of a hundred
/// must be compared. Solvers get so much time for each query.
fn for_all(
    least: u32,
    patience: Duration,
    property: impl Fn(&'static World, &mut External<Process>, Case) -> Result<bool, TestCaseError>,
) {
    for name in ["z3", "cvc5"] {
        if !require(name) {
            continue;
        }
        let mut process = Process::start(name, None).expect("a solver");
        process.patience = patience;
        let process = RefCell::new(External::new(process));
        let compared = std::cell::Cell::new(0);
        for (number, world) in WORLDS.iter().enumerate() {
            let config = ProptestConfig { cases: cases(), failure_persistence: None, ..Default::default() };
            let case = (vague(world), vague(world), formula(&world.specification.vocabulary));
            let run =
                TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)).run(&case, |case| {
                    let is_compared = property(world, &mut process.borrow_mut(), case)?;
                    compared.set(compared.get() + u32::from(is_compared));
                    let problem = process.borrow().prover.failure().borrow().clone();
                    prop_assert!(problem.is_none(), "{problem:?}");
                    Ok(())
                });
            run.unwrap_or_else(|error| panic!("{name}, world {number}: {error}"));
        }
        let (compared, all) = (compared.get(), cases() * WORLDS.len() as u32);
        println!("{name}: {compared} of {all} compared");
        assert!(compared * 100 >= all * least, "{name}: only {compared} of {all} compared");
    }
}

type Operation<'a> = &'a dyn Fn(&mut Session) -> Vec<Abstracted>;

/// Two structures and a formula.
type Case = (Structure, Structure, Formula);

#[test]
fn solvers_that_are_installed_agree() {
    // They answer at once, but the machine may do other things.
    for_all(70, Duration::from_secs(60), |world, external, (s, t, f)| {
        let symbolic = Symbolic::new(&world.specification);
        let operations: [Operation; 2] =
            [&|session| symbolic.assume(&f, std::slice::from_ref(&s), session), &|session| {
                symbolic.meet(std::slice::from_ref(&s), std::slice::from_ref(&t), session).unwrap_or_default()
            }];
        let mut compared = false;
        for operation in operations {
            let carry_out = |solver: &mut dyn Solver| {
                let mut left = 60;
                let mut stop = || {
                    left = left.max(1) - 1;
                    left == 0
                };
                let mut session = Session::new(solver, &mut stop);
                let result = operation(&mut session);
                let structures: Vec<Structure> = result.into_iter().map(|found| found.structure).collect();
                (structures, session.report)
            };
            let (expected, built_in) = carry_out(&mut BuiltIn::default());
            let (found, report) = carry_out(external);
            if built_in.is_most_precise() {
                // It may only be that other stores were shown, which lead to other queries, and those were too
                // many.
                prop_assert!(report.undecided.iter().all(|why| *why == Undecided::Stopped), "{report:?}");
            }
            if built_in.is_most_precise() && report.is_most_precise() {
                prop_assert_eq!(&found, &expected);
                compared = true;
            }
        }
        Ok(compared)
    });
}

/// Their answers about first-order formulas must agree, too, as far as they give any in the short time that they
/// get here.
#[test]
fn formulas_mean_the_same_to_solvers_that_are_installed() {
    for_all(3, Duration::from_millis(500), |world, external, (structure, _, f)| {
        let vocabulary = &world.specification.vocabulary;
        let closed = Formula::exists(f.free_vars(), f);
        let rules = [&integrity_rules(&world.specification)[..], &[closed]].concat();
        let theory = Theory::new(&rules, vocabulary);
        let query = Query { theory: &theory, structure: &structure, requirements: &[] };
        let (extended, formulas) = query.formulas();
        let said = external.prover.check(&format!("(reset)\n{}", smtlib(&formulas, &extended)));
        Ok(match (said, BuiltIn::default().solve(&query)) {
            (Said::Unsatisfiable, Answer::Satisfiable(store)) => {
                return Err(TestCaseError::fail(format!("{store:?}")));
            }
            (Said::Satisfiable, Answer::Unsatisfiable) => {
                // Only models that are no stores are left, and where there are none of those, none.
                prop_assert!(!theory.outside().is_empty());
                false
            }
            (Said::Nothing(_), _) | (_, Answer::Undecided(_)) => false,
            _ => true,
        })
    });
}

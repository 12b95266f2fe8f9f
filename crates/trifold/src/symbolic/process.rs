//! Solvers that run as programs of their own and speak SMT-LIB 2.
//!
//! The program is started once, and each query starts with `(reset)`. An answer that does not come in time ends the
//! program, and the next query starts it anew.

use crate::Refused;
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use trifold_symbolic::{Prover, Said};

/// How long to wait for an answer, by default.
const PATIENCE: Duration = Duration::from_secs(10);

/// A message that ends the command, once there is one.
pub type Problem = Rc<RefCell<Option<String>>>;

/// A solver program.
#[derive(Debug)]
pub struct Process {
    command: Vec<String>,
    running: Option<Running>,
    deadline: Option<Instant>,
    /// How long to wait for an answer.
    patience: Duration,
    problem: Problem,
}

#[derive(Debug)]
struct Running {
    child: Child,
    input: ChildStdin,
    /// The output of the program, line by line.
    output: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself, and then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    /// Starts `z3`, `cvc5` or another command.
    pub fn start(command: &str, deadline: Option<Instant>) -> Result<Process, Refused> {
        let words = match command {
            "z3" => vec!["z3", "-in"],
            "cvc5" => vec!["cvc5", "--incremental", "--lang", "smt2"],
            other => other.split_whitespace().collect(),
        };
        if words.is_empty() {
            return Err(Refused::new("--solver needs the name of a program"));
        }
        let command = words.into_iter().map(String::from).collect();
        let mut process = Process { command, running: None, deadline, patience: PATIENCE, problem: Rc::default() };
        process.running = Some(process.run().map_err(Refused::new)?);
        Ok(process)
    }

    /// Where a message appears when the program fails; answers are of no use then.
    pub fn failure(&self) -> Problem {
        self.problem.clone()
    }

    fn run(&self) -> Result<Running, String> {
        let name = &self.command[0];
        let mut command = Command::new(name);
        command.args(&self.command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| {
            format!("cannot run the solver `{name}`: {error}; without --solver the built-in one is used")
        })?;
        let input = child.stdin.take().expect("it is piped");
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let (sender, output) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Ok(Running { child, input, output })
    }

    /// Sends something to the program and waits for an answer; nothing when it does not come in time.
    fn ask(&mut self, text: &str) -> Result<Option<String>, String> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.run()?,
        };
        let name = &self.command[0];
        let ended = |running: &mut Running| {
            let status = running.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
            format!("the solver `{name}` ended without an answer: {status}")
        };
        if running.input.write_all(text.as_bytes()).and_then(|()| running.input.flush()).is_err() {
            return Err(ended(&mut running));
        }
        let until = Instant::now() + self.patience;
        let until = self.deadline.map_or(until, |deadline| deadline.min(until));
        let mut answer = String::new();
        // An answer is a word, or an expression in parentheses.
        while answer.trim().is_empty() || answer.matches('(').count() > answer.matches(')').count() {
            match running.output.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => answer += &(line + "\n"),
                Err(RecvTimeoutError::Disconnected) => return Err(ended(&mut running)),
                // The program is ended, because its late answer would be taken for the answer to the next query.
                Err(RecvTimeoutError::Timeout) => return Ok(None),
            }
        }
        self.running = Some(running);
        Ok(Some(answer))
    }

    fn fail(&self, message: String) -> String {
        self.problem.borrow_mut().get_or_insert(message).clone()
    }
}

impl Prover for Process {
    fn check(&mut self, script: &str) -> Said {
        let answer = self.ask(script);
        let name = &self.command[0];
        match answer.as_ref().map(|answer| answer.as_deref().map(str::trim)) {
            Ok(Some("sat")) => Said::Satisfiable,
            Ok(Some("unsat")) => Said::Unsatisfiable,
            Ok(Some("unknown")) => Said::Nothing(format!("`{name}` does not know")),
            Ok(Some(other)) => Said::Nothing(self.fail(format!("the solver `{name}` says: {other}"))),
            Ok(None) => Said::Nothing(format!("`{name}` did not answer in time")),
            Err(message) => Said::Nothing(self.fail(message.clone())),
        }
    }

    fn answer(&mut self, command: &str) -> Option<String> {
        match self.ask(&format!("{command}\n")) {
            Ok(answer) => answer,
            Err(message) => {
                self.fail(message);
                None
            }
        }
    }
}

/// Solvers that are installed must agree with the built-in one.
#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
    use std::sync::LazyLock;
    use trifold_examples::tools::require;
    use trifold_logic::Formula;
    use trifold_oracle::small_stores::{World, vague};
    use trifold_structure::{Structure, testing::formula};
    use trifold_symbolic::{
        Abstracted, Answer, BuiltIn, External, Query, Session, Solver, Symbolic, Theory, Undecided, integrity_rules,
        smtlib,
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
                let run = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)).run(
                    &case,
                    |case| {
                        let is_compared = property(world, &mut process.borrow_mut(), case)?;
                        compared.set(compared.get() + u32::from(is_compared));
                        let problem = process.borrow().prover.problem.borrow().clone();
                        prop_assert!(problem.is_none(), "{problem:?}");
                        Ok(())
                    },
                );
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
}

//! Solvers that run as programs of their own and speak SMT-LIB 2.
//!
//! The program is started once. Each query is a script that starts with `(reset)` and ends with `(check-sat)`. An answer that does not come in time ends the program, and the next query starts it anew.

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
pub struct Process {
    command: Vec<String>,
    running: Option<Running>,
    deadline: Option<Instant>,
    /// How long to wait for an answer.
    patience: Duration,
    problem: Problem,
}

struct Running {
    child: Child,
    input: ChildStdin,
    /// What the program prints, line by line.
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
        // An answer is a word, or whatever is between parentheses.
        while answer.trim().is_empty() || answer.matches('(').count() > answer.matches(')').count() {
            match running.output.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => answer += &(line + "\n"),
                Err(RecvTimeoutError::Disconnected) => return Err(ended(&mut running)),
                // Whatever it is about to say would be taken for the answer to the next query, so it is ended.
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
    fn name(&self) -> &str {
        &self.command[0]
    }

    fn check(&mut self, script: &str) -> Said {
        let answer = self.ask(&format!("(reset)\n{script}"));
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

    fn values(&mut self, names: &[String]) -> Option<Vec<bool>> {
        let answer = self.ask(&format!("(get-value ({}))\n", names.join(" "))).ok()??;
        // It repeats the names: `((a0 true) (a1 false))`.
        let words = answer.split(|c: char| c.is_whitespace() || "()".contains(c)).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        let pairs = || words.chunks(2).zip(names);
        let read = words.len() == 2 * names.len() && pairs().all(|(pair, name)| pair[0] == name);
        read.then(|| pairs().map(|(pair, _)| pair[1] == "true").collect())
    }
}

#[cfg(test)]
#[path = "../../../trifold-symbolic/tests/support/mod.rs"]
mod support;

/// Solvers that are installed must agree with the built-in one.
#[cfg(test)]
mod tests {
    use super::support::{World, vague};
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;
    use std::sync::LazyLock;
    use trifold_structure::{Structure, embedding, naive, testing::formula};
    use trifold_symbolic::{BuiltIn, External, Session, Solver, Symbolic};

    static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| {
        vec![
            World::new("%p x(v) unique\n%p n(v1,v2) function\n%i is(v) = E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2", "", 3),
            World::new("%p x(v) unique\n%p n(v1,v2) function\n%i r(v) = E(w) x(w) & n*(w,v)\n%i c(v) = n+(v,v)", "", 3),
            World::new("%p b()\n%p x(v)\n%p m(v1,v2)", "", 2),
        ]
    });

    /// Random cases of each world; `TRIFOLD_SOLVER_CASES` asks for more.
    fn cases() -> u32 {
        std::env::var("TRIFOLD_SOLVER_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(4)
    }

    #[test]
    fn solvers_that_are_installed_agree() {
        for name in ["z3", "cvc5"] {
            let Ok(mut process) = Process::start(name, None) else {
                eprintln!("{name} is not installed, so it is not tested");
                continue;
            };
            process.patience = Duration::from_millis(500);
            let process = RefCell::new(External(process));
            for (number, world) in WORLDS.iter().enumerate() {
                let compared = std::cell::Cell::new(0);
                let config = ProptestConfig { cases: cases(), failure_persistence: None, ..Default::default() };
                let case = (vague(world), formula(&world.specification.vocabulary));
                let run = TestRunner::new(config).run(&case, |(s, f)| {
                    let symbolic = Symbolic::new(&world.specification);
                    let assume = |solver: &mut dyn Solver| {
                        let mut left = 60;
                        let mut stop = || {
                            left = left.max(1) - 1;
                            left == 0
                        };
                        let mut session = Session::new(solver, &mut stop);
                        let result = symbolic.assume(&f, std::slice::from_ref(&s), &mut session);
                        let structures: Vec<Structure> = result.into_iter().map(|found| found.structure).collect();
                        (structures, session.report.is_most_precise())
                    };
                    let (expected, decided) = assume(&mut BuiltIn::default());
                    let (found, decided_too) = assume(&mut *process.borrow_mut());
                    let problem = process.borrow().0.problem.borrow().clone();
                    prop_assert!(problem.is_none(), "{problem:?}");
                    if decided && decided_too {
                        prop_assert_eq!(&found, &expected);
                        compared.set(compared.get() + 1);
                    }
                    let closed = trifold_logic::Formula::exists(f.free_vars(), f.clone());
                    let holds = |store: &&Structure| {
                        embedding(store, &s).is_some() && naive::evaluate(&closed, store, &Default::default()).may()
                    };
                    for store in world.stores.iter().filter(holds) {
                        prop_assert!(found.iter().any(|t| embedding(store, t).is_some()), "lost: {store:?}");
                    }
                    Ok(())
                });
                if let Err(error) = run {
                    panic!("{name}, world {number}: {error}");
                }
                println!("{name}, world {number}: {} of {} compared", compared.get(), cases());
                assert!(compared.get() * 2 >= cases(), "{name}, world {number}: only {} compared", compared.get());
            }
        }
    }
}

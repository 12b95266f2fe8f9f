//! Solvers that run as programs of their own and speak SMT-LIB 2.
//!
//! The program is started once. Each query is a script that starts with `(reset)` and ends with `(check-sat)`; the
//! answer is one line. An answer that does not come in time ends the program, and the next query starts it anew.

use crate::Refused;
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use trifold_symbolic::{Answer, Query, Solver, Undecided, smtlib};

/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A message that ends the command, once there is one.
pub type Problem = Rc<RefCell<Option<String>>>;

/// A solver program.
pub struct Process {
    command: Vec<String>,
    running: Option<Running>,
    deadline: Option<Instant>,
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
        let mut process = Process { command, running: None, deadline, problem: Rc::default() };
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

    /// Asks the program; an error when it fails.
    fn check(&mut self, script: &str) -> Result<String, String> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.run()?,
        };
        let name = &self.command[0];
        let ended = |running: &mut Running| {
            let status = running.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
            format!("the solver `{name}` ended without an answer: {status}")
        };
        if running.input.write_all(script.as_bytes()).and_then(|()| running.input.flush()).is_err() {
            return Err(ended(&mut running));
        }
        let left = self.deadline.map_or(PATIENCE, |deadline| deadline.saturating_duration_since(Instant::now()));
        match running.output.recv_timeout(left.min(PATIENCE)) {
            Ok(line) => {
                self.running = Some(running);
                Ok(line)
            }
            Err(RecvTimeoutError::Disconnected) => Err(ended(&mut running)),
            // Whatever it is about to say would be taken for the answer to the next query, so it is ended.
            Err(RecvTimeoutError::Timeout) => Ok("timeout".into()),
        }
    }
}

impl Solver for Process {
    fn solve(&mut self, query: &Query) -> Answer {
        let (vocabulary, formulas) = query.formulas();
        let script = format!("(reset)\n{}", smtlib(&formulas, &vocabulary));
        let failed = |problem: &Problem, message: String| {
            *problem.borrow_mut() = Some(message.clone());
            Answer::Undecided(Undecided::External(message))
        };
        let name = self.command[0].clone();
        match self.check(&script) {
            Err(message) => failed(&self.problem, message),
            Ok(line) => match line.trim() {
                "unsat" => Answer::Unsatisfiable,
                "sat" if query.theory.outside().is_empty() => Answer::Satisfiable(None),
                "sat" => Answer::Undecided(Undecided::External(format!(
                    "`{name}` finds it satisfiable, but perhaps not by a finite store"
                ))),
                "unknown" => Answer::Undecided(Undecided::External(format!("`{name}` does not know"))),
                "timeout" => Answer::Undecided(Undecided::External(format!("`{name}` did not answer in time"))),
                other => failed(&self.problem, format!("the solver `{name}` says: {other}")),
            },
        }
    }
}

//! Solvers that run as programs of their own and speak SMT-LIB 2.
//!
//! The program is started once, and each query starts with `(reset)`. An answer that does not come in time ends the
//! program, and the next query starts it anew.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use trifold_symbolic::{BuiltIn, External, Prover, QueryCost, Said, Session, Solver};

/// How long to wait for an answer, by default.
const PATIENCE: Duration = Duration::from_secs(10);

/// A message that ends the command, once there is one.
pub type Problem = Rc<RefCell<Option<String>>>;

/// Carries out an operation with the solver of a command, or else with the built-in one, within a time.
pub fn with_solver<T>(
    command: Option<&str>,
    timeout: Option<Duration>,
    carry_out: impl FnOnce(&mut Session) -> T,
) -> Result<(T, QueryCost), String> {
    let deadline = timeout.map(|timeout| Instant::now() + timeout);
    let process = command.map(|command| Process::start(command, deadline)).transpose()?;
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
    let result = carry_out(&mut session);
    let cost = session.report;
    match failure.and_then(|failure| failure.take()) {
        Some(message) => Err(message),
        None => Ok((result, cost)),
    }
}

/// A solver program.
#[derive(Debug)]
pub struct Process {
    command: Vec<String>,
    running: Option<Running>,
    deadline: Option<Instant>,
    /// How long to wait for an answer.
    pub patience: Duration,
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
    pub fn start(command: &str, deadline: Option<Instant>) -> Result<Process, String> {
        let words = match command {
            "z3" => vec!["z3", "-in"],
            "cvc5" => vec!["cvc5", "--incremental", "--lang", "smt2"],
            other => other.split_whitespace().collect(),
        };
        if words.is_empty() {
            return Err("--solver needs the name of a program".to_string());
        }
        let command = words.into_iter().map(String::from).collect();
        let mut process = Process { command, running: None, deadline, patience: PATIENCE, problem: Rc::default() };
        process.running = Some(process.run()?);
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

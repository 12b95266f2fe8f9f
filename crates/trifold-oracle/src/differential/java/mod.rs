//! Java: programs are compiled by one run of `javac`, and run by one machine that catches what they throw.

mod classes;
mod expression;
mod generate;
mod small;
mod statement;

use super::process::{lost, outputs};
use super::random::Random;
use super::{Ending, Job, Language, Trace};
use std::process::Command;
use trifold_check::Source;
use trifold_ir::{FindingKind, Program};

/// The language.
pub struct Java;

/// Runs `main` of each class that is named, and says how it ended.
const RUNNER: &str = r#"
import java.io.*;
import java.lang.reflect.*;

class Runner {
    public static void main(String[] names) throws Exception {
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false);
        System.setOut(out);
        for (String name : names) {
            out.println("@begin " + name);
            out.println("@end " + name + " " + end(name));
        }
        out.flush();
    }

    static String end(String name) throws Exception {
        try {
            Method main = Class.forName(name).getDeclaredMethod("main");
            main.invoke(null);
            return "ended";
        } catch (InvocationTargetException e) {
            return cause(e.getCause());
        } catch (ExceptionInInitializerError e) {
            return cause(e);
        }
    }

    static String cause(Throwable thrown) {
        if (thrown instanceof ExceptionInInitializerError && thrown.getCause() != null) {
            return cause(thrown.getCause());
        }
        return thrown.getClass().getSimpleName();
    }
}
"#;

impl Language for Java {
    fn name(&self) -> &'static str {
        "Java"
    }

    fn leaks(&self) -> bool {
        false
    }

    fn write(&self, seed: u64, name: &str) -> String {
        let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        match random.below(5) {
            0 => small::program(random, name),
            _ => generate::program(random, name),
        }
    }

    fn load(&self, text: &str) -> Result<Program, String> {
        let loaded = trifold_java::load("Test.java", text, trifold_java::Entry::Method("main"));
        match loaded {
            Ok(loaded) => Ok(loaded.program),
            Err(failure) => Err(failure.errors().next().map_or_else(String::new, |error| error.message.clone())),
        }
    }

    fn source(&self, text: &str) -> Source {
        Source::new("Test.java", text)
    }

    fn run(&self, jobs: &[Job]) -> Result<Vec<Trace>, String> {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut compiler = Command::new("javac");
        compiler.args(["-nowarn", "-Xlint:none", "-proc:none", "-J-XX:TieredStopAtLevel=1", "-J-Xshare:auto", "-d"]);
        compiler.arg(directory.path());
        let runner = Job { name: "Runner".to_string(), text: RUNNER.to_string(), answers: Vec::new() };
        for Job { name, text, .. } in jobs.iter().chain([&runner]) {
            let path = directory.path().join(format!("{name}.java"));
            std::fs::write(&path, text).map_err(|error| error.to_string())?;
            compiler.arg(path);
        }
        let compiled = compiler.output().map_err(|error| error.to_string())?;
        if !compiled.status.success() {
            return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
        }
        let mut machine = Command::new("java");
        machine.args(["-ea", "-XX:TieredStopAtLevel=1", "-Xss4m", "-cp"]).arg(directory.path()).arg("Runner");
        let ran = machine.args(jobs.iter().map(|job| &job.name)).output().map_err(|error| error.to_string())?;
        let mut outputs = outputs(&String::from_utf8_lossy(&ran.stdout));
        let trace = |job: &Job| match outputs.remove(&job.name) {
            Some((notes, end)) => Trace { notes, ending: ending(end.trim()) },
            None => lost(),
        };
        Ok(jobs.iter().map(trace).collect())
    }
}

/// How a program ended that ended with this exception.
fn ending(thrown: &str) -> Ending {
    match thrown {
        "NullPointerException" => Ending::Failed(FindingKind::NullDereference),
        "AssertionError" | "ClassCastException" => Ending::Failed(FindingKind::Assertion),
        "ArithmeticException" => Ending::DivisionByZero,
        "StackOverflowError" | "OutOfMemoryError" => Ending::Cut(thrown.to_string()),
        _ => Ending::Ended,
    }
}

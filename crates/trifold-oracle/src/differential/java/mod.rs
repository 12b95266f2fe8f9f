//! Java: programs are compiled by one run of `javac`, and run by one machine that catches what they throw.

mod classes;
mod examples;
mod expression;
mod generate;
mod small;
mod statement;

use super::process::{lost, outputs};
use super::random::Random;
use super::{Ending, Job, Language, Trace};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use trifold_check::source::{ClassFiles, Source, Start, translate};
use trifold_ir::{FindingKind, Program};
use trifold_machine::java::{Compiler, Settings, Text};

/// The language, with its compiler.
pub struct Java {
    compiler: Mutex<Compiler>,
}

impl Java {
    /// Starts the compiler of the machine.
    pub fn start() -> Result<Java, String> {
        Compiler::start(&Settings::default()).map(|compiler| Java { compiler: Mutex::new(compiler) })
    }
}

/// Runs `main` of each class that is named, and says how it ended.
const RUNNER: &str = r#"
import java.io.*;
import java.lang.reflect.*;
import java.util.Arrays;

class Runner {
    public static void main(String[] names) throws Exception {
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false);
        System.setOut(out);
        for (String argument : names) {
            String[] parts = argument.split(":");
            String name = parts[0];
            choices.Random.answers = Arrays.copyOfRange(parts, 1, parts.length);
            choices.Random.next = 0;
            out.println("@begin " + name);
            String[] ended = { null };
            Thread thread = new Thread(null, () -> ended[0] = end(name), name, 64L << 20);
            thread.setDaemon(true);
            thread.start();
            thread.join(5000);
            out.println("@end " + name + " " + (thread.isAlive() ? "Timeout" : ended[0]));
            // What goes on must not print any more; the programs after it run in another machine.
            if (thread.isAlive()) break;
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    static String end(String name) {
        try {
            Method main = Class.forName("of_" + name + "." + name).getDeclaredMethod("main");
            main.setAccessible(true);
            main.invoke(null);
            return "ended";
        } catch (InvocationTargetException e) {
            return cause(e.getCause());
        } catch (ReflectiveOperationException | ExceptionInInitializerError e) {
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

/// Gives the answers of a program instead of random numbers.
const RANDOM: &str = r#"
package choices;

public class Random {
    public static String[] answers;
    public static int next;

    private static long take() {
        if (next >= answers.length) throw new Exhausted();
        return Long.parseLong(answers[next++]);
    }

    public int nextInt() { return (int) take(); }
    public int nextInt(int bound) { return (int) take(); }
    public long nextLong() { return take(); }
    public boolean nextBoolean() { return take() != 0; }

    static class Exhausted extends Error { }
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

    fn adapt(&self, original: &str, name: &str) -> String {
        examples::adapt(original, name)
    }

    fn note(&self, place: &str) -> String {
        format!("show({place});")
    }

    fn types(&self) -> &'static [&'static str] {
        &["int", "long", "short", "byte", "char", "boolean"]
    }

    fn load(&self, text: &str) -> Result<Program, String> {
        let loaded = self.load_all(&[("Test".to_string(), text.to_string())]).pop();
        loaded.unwrap_or(Err("it was not compiled".to_string())).map(|(program, _)| program)
    }

    fn source(&self, text: &str) -> Source {
        Source::new("Test.java", text)
    }

    fn compilers(&self) -> usize {
        1
    }

    fn load_all(&self, programs: &[(String, String)]) -> Vec<Result<(Program, Source), String>> {
        let texts: Vec<Text> = programs.iter().map(|(name, text)| (format!("{name}.java"), text.clone())).collect();
        let compiled = match self.compiler.lock() {
            Ok(mut compiler) => compiler.compile(&texts),
            Err(_) => texts.iter().map(|_| Err("the compiler is gone".to_string())).collect(),
        };
        let load = |((path, text), classes): (&Text, Result<ClassFiles, String>)| {
            let mut source = Source::new(path, text);
            source.units[0].classes = Some(classes?);
            let translated = translate(&source, Start::At("main"), false);
            let translated = translated.map_err(|rejected| rejected.render(false))?;
            Ok(((*translated.program).clone(), source))
        };
        texts.iter().zip(compiled).map(load).collect()
    }

    fn run(&self, _: usize, jobs: &[Job]) -> Result<Vec<Trace>, String> {
        run(jobs)
    }
}

/// Compiles programs and runs them.
fn run(jobs: &[Job]) -> Result<Vec<Trace>, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    compile(directory.path(), jobs)?;
    let mut outputs = BTreeMap::new();
    loop {
        let left: Vec<&Job> = jobs.iter().filter(|job| !outputs.contains_key(&job.name)).collect();
        let some = start(directory.path(), &left)?;
        if some.is_empty() {
            break;
        }
        outputs.extend(some);
    }
    let trace = |job: &Job| match outputs.remove(&job.name) {
        Some((notes, end)) => Trace { notes, ending: ending(end.trim()) },
        None => lost(),
    };
    Ok(jobs.iter().map(trace).collect())
}

/// Compiles programs, each in a package of its own.
fn compile(directory: &Path, jobs: &[Job]) -> Result<(), String> {
    let mut compiler = Command::new("javac");
    compiler.args(["-nowarn", "-Xlint:none", "-proc:none", "-Xmaxerrs", "100000", "-J-XX:TieredStopAtLevel=1"]);
    compiler.args(["-J-Xshare:auto", "-d"]).arg(directory);
    let programs = jobs.iter().map(|Job { name, text, .. }| {
        let text = text.replace("java.util.Random", "choices.Random");
        (name.as_str(), format!("package of_{name};\n{text}"))
    });
    for (name, text) in programs.chain([("Runner", RUNNER.to_string()), ("Random", RANDOM.to_string())]) {
        let path = directory.join(format!("{name}.java"));
        std::fs::write(&path, text).map_err(|error| error.to_string())?;
        compiler.arg(path);
    }
    let compiled = compiler.output().map_err(|error| error.to_string())?;
    match compiled.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&compiled.stderr).into_owned()),
    }
}

/// Runs compiled programs, up to one that does not end, and returns what they print.
fn start(directory: &Path, jobs: &[&Job]) -> Result<BTreeMap<String, (Vec<String>, String)>, String> {
    if jobs.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut machine = Command::new("java");
    machine.args(["-ea", "-XX:TieredStopAtLevel=1", "-Xmx1g", "-cp"]).arg(directory).arg("Runner");
    let ran = machine.args(jobs.iter().map(|job| argument(job))).output().map_err(|error| error.to_string())?;
    Ok(outputs(&String::from_utf8_lossy(&ran.stdout)))
}

/// A program and its answers, for the machine: `p17:3:-1`.
fn argument(job: &Job) -> String {
    let answers = job.answers.iter().map(|answer| format!(":{answer}"));
    std::iter::once(job.name.clone()).chain(answers).collect()
}

/// How a program ended that ended with this exception.
fn ending(thrown: &str) -> Ending {
    match thrown {
        "NullPointerException" => Ending::Failed(FindingKind::NullDereference),
        "AssertionError" => Ending::Failed(FindingKind::Assertion),
        "Exhausted" => Ending::Exhausted,
        "ClassCastException"
        | "ArithmeticException"
        | "ArrayIndexOutOfBoundsException"
        | "StringIndexOutOfBoundsException"
        | "NegativeArraySizeException"
        | "ArrayStoreException" => Ending::Failed(FindingKind::UncaughtException),
        "StackOverflowError" | "OutOfMemoryError" | "Timeout" => Ending::Cut(thrown.to_string()),
        _ => Ending::Ended,
    }
}

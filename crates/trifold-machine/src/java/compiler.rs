//! The Java compiler, started once for many programs: a small program in Java that calls it, and that is asked over
//! pipes. For example, ninety examples that all have a class `List` are compiled one by one within two seconds.

use super::classpath::{Found, Part, parts};
use super::jdk::{Library, machine};
use super::{Settings, jdk};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Component, Path};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use trifold_check::source::ClassFiles;
use trifold_check::{Source, Target, Unit};
use trifold_jvm::declared;

/// The options of the compiler: tables of lines and variables, and no warnings.
const OPTIONS: [&str; 5] = ["-g", "-nowarn", "-Xlint:none", "-proc:none", "-implicit:class"];

/// The options of the machine: as quick a start as it can have.
const MACHINE: [&str; 3] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"];

/// The most bytes of a class, and of what the compiler says.
const MOST: u32 = 1 << 28;

/// A compiler that waits for programs.
pub struct Compiler {
    child: Child,
    input: Option<BufWriter<ChildStdin>>,
    output: BufReader<ChildStdout>,
    classpath: Option<String>,
    others: Arc<Vec<Part>>,
    library: Option<Arc<Library>>,
}

/// A class that was compiled.
struct Made {
    /// The file that it comes from.
    file: String,
    bytes: Vec<u8>,
}

/// Text in Java: the name of the file, and what is in it.
pub type Text = (String, String);

impl Compiler {
    /// Starts the compiler.
    pub fn start(settings: &Settings) -> Result<Compiler, String> {
        let program = tempfile::Builder::new().prefix("trifold-").tempdir();
        let program = program.map_err(|error| format!("cannot create a temporary directory: {error}"))?;
        let path = program.path().join("Compile.java");
        std::fs::write(&path, include_str!("Compile.java")).map_err(|error| format!("cannot write: {error}"))?;
        let mut command = Command::new(machine(settings));
        command.args(MACHINE).arg(&path);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.map_err(|error| missing(settings, &error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the Java compiler has no input and output".to_string());
        };
        let others = settings.classpath.as_deref().map_or(Ok(Vec::new()), parts)?;
        let mut compiler = Compiler {
            child,
            input: Some(BufWriter::new(input)),
            output: BufReader::new(output),
            classpath: settings.classpath.clone(),
            others: Arc::new(others),
            library: Library::find(settings).map(Arc::new),
        };
        match compiler.number() {
            Ok(1) => Ok(compiler),
            _ => Err(missing(settings, "there is no compiler beside the Java machine")),
        }
    }

    /// The classes of texts: each with those of its own file, and with all others in its path. Texts that declare
    /// different classes are compiled together. One that is no program does not harm the others.
    pub fn compile(&mut self, texts: &[Text]) -> Vec<Result<ClassFiles, String>> {
        let mut results: Vec<Result<ClassFiles, String>> = texts.iter().map(|_| Err(String::new())).collect();
        let mut open = groups(texts);
        open.reverse();
        let mut number = 0;
        while let Some(group) = open.pop() {
            number += 1;
            let together: Vec<&Text> = group.iter().map(|index| &texts[*index]).collect();
            match self.ask(&together) {
                Ok(made) => {
                    let path = self.found(&made);
                    for (index, text) in group.into_iter().zip(together) {
                        results[index] = class_files(text, &made, &path, number);
                    }
                }
                Err(why) if group.len() == 1 => results[group[0]] = Err(why),
                // Those of which the compiler complains are compiled by themselves.
                Err(why) => {
                    let is_blamed = |index: &usize| why.contains(&format!("{}:", texts[*index].0));
                    let (blamed, others): (Vec<usize>, Vec<usize>) = group.iter().copied().partition(is_blamed);
                    let (alone, rest) = if blamed.is_empty() { (others, blamed) } else { (blamed, others) };
                    open.extend(alone.into_iter().rev().map(|index| vec![index]));
                    open.extend((!rest.is_empty()).then_some(rest));
                }
            }
        }
        results
    }

    /// The classes of texts that are one program.
    pub fn compile_together(&mut self, texts: &[Text]) -> Result<Vec<ClassFiles>, String> {
        let made = self.ask(&texts.iter().collect::<Vec<_>>())?;
        let path = self.found(&made);
        texts.iter().map(|text| class_files(text, &made, &path, 0)).collect()
    }

    /// A text as checks get it.
    pub fn source(&mut self, path: &str, text: &str) -> Result<Source, String> {
        let classes = self.compile(&[(path.to_string(), text.to_string())]).remove(0)?;
        let (path, text) = (path.to_string(), text.to_string());
        let unit = Unit { path, text: text.clone(), written: text, classes: Some(classes) };
        Ok(Source::of(vec![unit], Target::default()))
    }

    fn found(&self, made: &BTreeMap<String, Made>) -> Arc<Found> {
        let classes = made.iter().map(|(name, made)| (name.clone(), made.bytes.clone())).collect();
        Arc::new(Found { classes, others: self.others.clone(), library: self.library.clone() })
    }

    fn ask(&mut self, texts: &[&Text]) -> Result<BTreeMap<String, Made>, String> {
        let mut options: Vec<String> = OPTIONS.map(String::from).to_vec();
        let roots: Vec<String> = texts.iter().filter_map(|(path, text)| root(path, text)).collect();
        if let Some(classpath) = &self.classpath {
            options.extend(["-classpath".to_string(), classpath.clone()]);
        }
        let separator = if cfg!(windows) { ";" } else { ":" };
        let mut unique = roots.clone();
        unique.sort();
        unique.dedup();
        options.extend(["-sourcepath".to_string(), unique.join(separator)]);
        self.exchange(&options, texts).map_err(|error| format!("the Java compiler does not answer: {error}"))?
    }

    fn exchange(
        &mut self,
        options: &[String],
        texts: &[&Text],
    ) -> std::io::Result<Result<BTreeMap<String, Made>, String>> {
        let mut request = Vec::new();
        number(&mut request, options.len());
        options.iter().for_each(|option| text(&mut request, option));
        number(&mut request, texts.len());
        for (path, content) in texts {
            text(&mut request, path);
            text(&mut request, content);
        }
        let input = self.input.as_mut().ok_or(std::io::ErrorKind::BrokenPipe)?;
        input.write_all(&request)?;
        input.flush()?;
        let compiled = self.number()? == 1;
        let message = self.text()?;
        let mut classes = BTreeMap::new();
        for _ in 0..self.number()? {
            let (name, file, bytes) = (self.text()?, self.text()?, self.bytes()?);
            classes.insert(name, Made { file, bytes });
        }
        Ok(if compiled { Ok(classes) } else { Err(message.trim_end().to_string()) })
    }

    fn number(&mut self) -> std::io::Result<u32> {
        let mut bytes = [0; 4];
        self.output.read_exact(&mut bytes)?;
        Ok(u32::from_be_bytes(bytes))
    }

    fn bytes(&mut self) -> std::io::Result<Vec<u8>> {
        let length = self.number()?.min(MOST);
        let mut bytes = vec![0; length as usize];
        self.output.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn text(&mut self) -> std::io::Result<String> {
        Ok(String::from_utf8_lossy(&self.bytes()?).into_owned())
    }
}

impl Drop for Compiler {
    /// The machine ends when its input does.
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

fn number(request: &mut Vec<u8>, number: usize) {
    request.extend((number as u32).to_be_bytes());
}

fn text(request: &mut Vec<u8>, text: &str) {
    number(request, text.len());
    request.extend(text.as_bytes());
}

fn missing(settings: &Settings, why: &str) -> String {
    format!(
        "Java is checked from class files, and `{}` does not run: {why}; install a JDK, name its compiler with --javac \
         or its directory with JAVA_HOME, or pass class files",
        jdk::compiler(settings)
    )
}

/// Texts that may be compiled together, by their numbers: all, if no class is declared twice; or else those below one
/// directory that do not declare the same class.
fn groups(texts: &[Text]) -> Vec<Vec<usize>> {
    let names: Vec<Vec<String>> = texts.iter().map(|(_, text)| declared(text).names()).collect();
    let mut seen = BTreeSet::new();
    if names.iter().flatten().all(|name| seen.insert(name)) {
        return if texts.is_empty() { Vec::new() } else { vec![(0..texts.len()).collect()] };
    }
    let mut groups: Vec<(Option<String>, BTreeSet<&String>, Vec<usize>)> = Vec::new();
    for (index, (path, text)) in texts.iter().enumerate() {
        let (root, own) = (root(path, text), &names[index]);
        let free = |(of, known, _): &&mut (Option<String>, BTreeSet<&String>, Vec<usize>)| {
            *of == root && !own.iter().any(|name| known.contains(name))
        };
        match groups.iter_mut().find(free) {
            Some((_, known, group)) => {
                known.extend(own);
                group.push(index);
            }
            None => groups.push((root, own.iter().collect(), vec![index])),
        }
    }
    groups.into_iter().map(|(_, _, group)| group).collect()
}

/// The directory below which the classes of packages are: that of the file, without its package. A file may be named
/// from within its package.
fn root(path: &str, text: &str) -> Option<String> {
    let package = declared(text).package;
    let inside: Vec<&str> = package.split('.').filter(|part| !part.is_empty()).collect();
    let path = Path::new(path);
    let named = path.parent()?.components().filter(|part| matches!(part, Component::Normal(_))).count();
    let whole = if named < inside.len() { std::path::absolute(path).ok()? } else { path.to_path_buf() };
    let mut root = whole.parent()?;
    for part in inside.iter().rev() {
        if root.file_name()? != *part {
            return None;
        }
        root = root.parent()?;
    }
    let root = root.to_string_lossy().into_owned();
    Some(if root.is_empty() { ".".to_string() } else { root })
}

fn class_files(
    (path, text): &Text,
    made: &BTreeMap<String, Made>,
    found: &Arc<Found>,
    together: usize,
) -> Result<ClassFiles, String> {
    let own = made.iter().filter(|(_, made)| made.file == *path).map(|(name, _)| name.clone());
    let mut names: Vec<String> = own.filter(|name| !name.ends_with("module-info")).collect();
    // If several have a `main`, the first one in the text is meant.
    let types = declared(text).types;
    let simple = |name: &str| name.rsplit('/').next().map(|name| name.split('$').next().unwrap_or(name).to_string());
    names.sort_by_cached_key(|name| (types.iter().position(|ty| Some(ty) == simple(name).as_ref()), name.clone()));
    match names.is_empty() {
        true => Err(format!("there are no classes in {path}")),
        false => Ok(ClassFiles { names, texts: vec![(path.clone(), text.clone())], path: found.clone(), together }),
    }
}

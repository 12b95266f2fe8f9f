//! The C programs of `examples/c`, and the promises of their headers.
//!
//! ```text
//! // Deletes every element with a given key.
//! //
//! // expect: use-after-free at 24
//! // twin of: delete_all.c — the planted bug
//! ```
//!
//! A line `expect` names a kind of finding, and the line of the statement at which it occurs. A program without
//! findings has the one line `// expect: proved`.

use crate::tools::c_compiler;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use trifold_ir::FindingKind;

/// A C program with its header.
pub struct Example {
    /// Where it stands.
    pub path: PathBuf,
    /// All of it.
    pub text: String,
    /// The kinds that must be found, and their lines, counted from 1. Empty: it must be proved.
    pub expected: Vec<(FindingKind, usize)>,
    /// How it was made from another program.
    pub twin: Option<Twin>,
}

/// The origin of a program with a bug.
pub struct Twin {
    /// The name of the program, beside this one, that has no bug.
    pub original: String,
    /// The bug that was planted in it.
    pub planted: String,
}

/// The error in a header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeaderError {
    /// The first line is no sentence.
    Undescribed,
    /// There is no `// expect: …`.
    NothingExpected,
    /// `proved` stands beside something else.
    ProvedAndMore,
    /// A line that starts as those of a header do, but goes on otherwise.
    Unreadable(String),
    /// The expected word is no kind of finding.
    UnknownKind(String),
    /// No statement stands in the line that is named.
    NoStatement(usize),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeaderError::Undescribed => write!(f, "the first line is not a sentence in a comment"),
            HeaderError::NothingExpected => write!(f, "no line `// expect: …`"),
            HeaderError::ProvedAndMore => write!(f, "`// expect: proved` stands beside other expectations"),
            HeaderError::Unreadable(line) => write!(f, "`{line}` cannot be read"),
            HeaderError::UnknownKind(kind) => write!(f, "`{kind}` is no kind of finding"),
            HeaderError::NoStatement(line) => write!(f, "there is no statement in line {line}"),
        }
    }
}

/// The directory of the C programs.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c")
}

/// The directory of `trifold/checkers.h`.
pub fn headers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../trifold-heap-sl/include")
}

/// The directory of functions that describe their arguments with checkers. They are no programs, because they have no
/// callers.
const SPECIFIED: &str = "checkers";

/// All C programs, in the order of their names.
///
/// # Panics
/// If one of them cannot be read: an example that is wrong is a defect.
pub fn examples() -> Vec<Example> {
    read_all(&|path| !path.ends_with(SPECIFIED))
}

/// All functions that describe their arguments with checkers, in the order of their names.
///
/// # Panics
/// If one of them cannot be read.
pub fn specified() -> Vec<Example> {
    read_all(&|path| path.ends_with(SPECIFIED))
}

fn read_all(wanted: &dyn Fn(&Path) -> bool) -> Vec<Example> {
    let entries = |directory: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(directory).expect("a directory of examples");
        entries.map(|entry| entry.expect("a directory entry").path()).collect()
    };
    let (families, mut paths): (Vec<PathBuf>, Vec<PathBuf>) =
        entries(&directory()).into_iter().filter(|path| wanted(path)).partition(|path| path.is_dir());
    paths.extend(families.iter().flat_map(|family| entries(family)));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    let load = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a program");
        Example::read(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    paths.into_iter().map(load).collect()
}

impl Example {
    /// Reads the header of a text.
    pub fn read(path: &Path, text: String) -> Result<Example, HeaderError> {
        let header = || text.lines().map_while(|line| line.strip_prefix("//")).map(str::trim);
        if !header().next().is_some_and(|line| line.ends_with('.')) {
            return Err(HeaderError::Undescribed);
        }
        let (mut expected, mut proved, mut twin) = (Vec::new(), false, None);
        for line in header() {
            if let Some(finding) = line.strip_prefix("expect:") {
                match finding.trim() {
                    "proved" => proved = true,
                    finding => expected.push(read_finding(finding, &text)?),
                }
            } else if let Some(rest) = line.strip_prefix("twin of:") {
                let (name, planted) =
                    rest.split_once(" — ").ok_or_else(|| HeaderError::Unreadable(line.to_string()))?;
                twin = Some(Twin { original: name.trim().to_string(), planted: planted.trim().to_string() });
            }
        }
        match (proved, expected.is_empty()) {
            (true, false) => Err(HeaderError::ProvedAndMore),
            (false, true) => Err(HeaderError::NothingExpected),
            _ => Ok(Example { path: path.to_path_buf(), text, expected, twin }),
        }
    }

    /// Directory and name, such as `sll/reverse.c`.
    pub fn name(&self) -> String {
        let short = self.path.strip_prefix(directory()).unwrap_or(&self.path);
        short.display().to_string().replace('\\', "/")
    }

    /// The description of the program, a sentence.
    pub fn description(&self) -> &str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("//").trim()
    }

    /// The program as the preprocessor of the [C compiler](c_compiler) leaves it; nothing if there is none.
    ///
    /// # Panics
    /// If the preprocessor refuses the program.
    pub fn preprocessed(&self) -> Option<String> {
        let output = Command::new(c_compiler()?).arg("-E").arg("-I").arg(headers()).arg(&self.path).output().ok()?;
        assert!(output.status.success(), "{}: {}", self.name(), String::from_utf8_lossy(&output.stderr));
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The program without its header.
    pub fn body(&self) -> &str {
        let header = self.text.split_inclusive('\n').take_while(|line| line.starts_with("//"));
        &self.text[header.map(str::len).sum()..]
    }

    /// Must it be proved?
    pub fn is_proved(&self) -> bool {
        self.expected.is_empty()
    }
}

/// `kind at line`.
fn read_finding(finding: &str, text: &str) -> Result<(FindingKind, usize), HeaderError> {
    let unreadable = || HeaderError::Unreadable(format!("expect: {finding}"));
    let (kind, line) = finding.split_once(" at ").ok_or_else(unreadable)?;
    let line = line.trim().parse().map_err(|_| unreadable())?;
    let kind = FindingKind::from_name(kind).ok_or_else(|| HeaderError::UnknownKind(kind.to_string()))?;
    let statement = line >= 1 && text.lines().nth(line - 1).is_some_and(is_statement);
    if statement { Ok((kind, line)) } else { Err(HeaderError::NoStatement(line)) }
}

/// Is the line a part of a function that does something? The programs are indented, and have one statement in a line.
fn is_statement(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default().trim_end();
    let works = code.ends_with([';', ')']) || code.ends_with(") {");
    let closes = ["}", "};"].contains(&code.trim_start());
    code.starts_with(' ') && works && !closes
}

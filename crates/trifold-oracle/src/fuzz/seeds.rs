//! The seeds of fuzzing: the examples, with their includes inlined so that mutation can hit any of it, and the cases of
//! `corpus-regressions`.

use std::path::{Path, PathBuf};

/// The line between the program, the structures and the options of an input of the target `analyze`.
pub const SEPARATOR: &str = "\n===\n";

/// An input of a target.
pub struct Seed {
    /// The target.
    pub target: &'static str,
    /// The name of its file, and of the directory of that.
    pub name: String,
    /// The input itself.
    pub bytes: Vec<u8>,
}

/// The example programs in C and Java, to be changed. As they are, other tests judge them.
pub fn programs(workspace: &Path) -> Vec<Seed> {
    let c = files(&workspace.join("examples/c"), Some("c")).into_iter();
    let c = c.map(|path| Seed { target: "c", name: name(&path), bytes: declared(&read(&path)).into_bytes() });
    let java = files(&workspace.join("examples/java"), Some("java")).into_iter();
    c.chain(java.map(|path| Seed { target: "java", name: name(&path), bytes: read(&path).into_bytes() })).collect()
}

/// All other seeds of a workspace.
pub fn all(workspace: &Path) -> Vec<Seed> {
    let mut seeds = regressions(workspace);
    for path in files(&workspace.join("crates/trifold-c/tests"), Some("c")) {
        seeds.push(Seed { target: "c", name: name(&path), bytes: read(&path).into_bytes() });
    }
    for path in files(&workspace.join("crates/trifold-jvm/tests"), Some("java")) {
        seeds.push(Seed { target: "java", name: name(&path), bytes: read(&path).into_bytes() });
    }
    for path in files(&workspace.join("examples/tvp"), Some("tvs")) {
        seeds.push(Seed { target: "tvs", name: name(&path), bytes: read(&path).into_bytes() });
    }
    for path in files(&workspace.join("examples/tvp"), Some("tvp")) {
        let program = inlined(&path);
        let input = header(&program, "input").map(|input| read(&path.with_file_name(input))).unwrap_or_default();
        let options: Vec<&str> = header(&program, "options").into_iter().flat_map(str::split_whitespace).collect();
        let words: Vec<&str> = options.into_iter().filter(|word| !word.starts_with('-')).collect();
        let whole = [&program, &input, words.join(" ").as_str()].join(SEPARATOR);
        seeds.push(Seed { target: "analyze", name: name(&path), bytes: whole.into_bytes() });
        seeds.push(Seed { target: "tvp", name: name(&path), bytes: program.into_bytes() });
    }
    seeds
}

/// Inputs that have once gone wrong, or nearly.
pub fn regressions(workspace: &Path) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for target in ["c", "java", "class", "tvp", "tvs", "analyze"] {
        for path in files(&workspace.join("fuzz/corpus-regressions").join(target), None) {
            seeds.push(Seed { target, name: name(&path), bytes: std::fs::read(&path).unwrap_or_default() });
        }
    }
    seeds
}

/// The files below a directory, sorted.
fn files(directory: &Path, extension: Option<&str>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if extension.is_none_or(|wanted| path.extension().is_some_and(|e| e == wanted)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn name(path: &Path) -> String {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    format!("{}-{}", part(path.parent().and_then(Path::file_name)), part(path.file_name()))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The value of a header line such as `// input: sll.tvs`.
fn header<'a>(program: &'a str, field: &str) -> Option<&'a str> {
    program.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(field)?.strip_prefix(": ")).map(str::trim)
}

/// The functions of the library that the C examples use.
const LIBRARY: &str = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
void assert(int); void abort(void); void exit(int); int printf(const char *, ...);
typedef unsigned long size_t; typedef unsigned long uintptr_t;";

/// A C program that needs no preprocessor: declarations instead of includes, and words instead of their macros.
fn declared(program: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let replaced = |part: &str| {
        let (word, rest) = part.split_at(part.trim_end_matches(|c| !is_word(c)).len());
        let word = match word {
            "NULL" | "false" => "0",
            "true" => "1",
            "bool" => "_Bool",
            other => other,
        };
        [word, rest].concat()
    };
    let lines = program.lines().filter(|line| !line.starts_with("#include"));
    let words = lines.map(|line| line.split_inclusive(|c| !is_word(c)).map(replaced).collect());
    std::iter::once(LIBRARY.to_string()).chain(words).collect::<Vec<_>>().join("\n")
}

/// A program with its includes inlined.
pub fn inlined(path: &Path) -> String {
    let included = |line: &str| {
        let file = line.strip_prefix("#include \"")?.split('"').next()?;
        Some(inlined(&path.parent()?.join(file)))
    };
    let lines = read(path).lines().map(|line| included(line).unwrap_or_else(|| line.to_string())).collect::<Vec<_>>();
    lines.join("\n")
}

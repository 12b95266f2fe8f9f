//! The example programs of `examples/tvp`, loaded as their headers say. For tests and measurements only. Those of
//! `examples/c` are in [`c`].
//!
//! A program's header has lines that are read here:
//!
//! ```text
//! // input: sll.tvs                           the structures at the entry, beside the program
//! // options: --join partial -D ORDERED       options other than the default
//! // expect: proved
//! // expect: bug "Null dereference" @ n3
//! ```

pub mod c;
pub mod sets;
pub mod thesis;
pub mod tools;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use trifold_fixpoint::SolverOptions;
use trifold_structure::Layout;
use trifold_tvl::{Analysis, Derive, Engine, EngineOptions, Input, Join, Limits, analyze};
use trifold_tvp::{Failure, Files, Loaded, Options, ReadError, load, read_structures};

/// A program with its input.
pub struct Example {
    /// Where it stands.
    pub path: PathBuf,
    /// The program.
    pub loaded: Loaded,
    /// The structures at its entry.
    pub inputs: Vec<Input>,
    /// How its header wants it analysed.
    pub options: EngineOptions,
}

/// The files of the machine.
struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        std::fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ReadError::NotFound,
            _ => ReadError::Unreadable(error.to_string()),
        })
    }
}

/// The directory of the examples.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tvp")
}

/// The programs of a family, such as `sll`, in the order of their names.
pub fn programs(family: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory().join(family)).expect("a family of examples");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a directory entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tvp"));
    paths.sort();
    paths
}

impl Example {
    /// Loads the program `family/name`, with macros besides those of its header.
    ///
    /// # Panics
    /// If it cannot be loaded: an example that is wrong is a defect.
    pub fn named(name: &str, macros: &[&str]) -> Example {
        Example::load(&directory().join(name).with_extension("tvp"), macros)
    }

    /// Loads a program, with macros besides those of its header.
    ///
    /// # Panics
    /// If it cannot be loaded: an example that is wrong is a defect.
    pub fn load(path: &Path, macros: &[&str]) -> Example {
        let text = std::fs::read_to_string(path).expect("a program");
        let mut preprocessor = Options::default();
        macros.iter().for_each(|name| preprocessor.define(name));
        let options = engine_options(&header(&text, "options").unwrap_or_default(), &mut preprocessor);
        let failed = |failure: Box<Failure>| -> ! { panic!("{}", failure.render(false)) };
        let loaded = load(&path.to_string_lossy(), &Disk, &preprocessor).unwrap_or_else(|f| failed(f));
        let vocabulary = &loaded.specification.vocabulary;
        let layout = Arc::new(Layout::new(vocabulary));
        let input = path.with_file_name(header(&text, "input").expect("a header line `// input: …`"));
        let file = read_structures(&input.to_string_lossy(), &Disk, &preprocessor, vocabulary, &layout)
            .unwrap_or_else(|f| failed(f));
        let mut inputs = file.into_inputs(&loaded.specification).unwrap_or_else(|f| failed(f));
        inputs.iter_mut().for_each(|input| input.structure.forget_names());
        Example { path: path.to_path_buf(), inputs, loaded, options }
    }

    /// The program made ready to run.
    pub fn engine(&self, options: EngineOptions) -> Engine {
        Engine::new(Arc::new(self.loaded.specification.clone()), options)
    }

    /// Analyses the program on one thread, to the end.
    pub fn analyze(&self, engine: &Engine) -> Analysis {
        let analysis = analyze(engine, &self.inputs, &SolverOptions::default(), Limits::default(), &mut ());
        assert!(analysis.solution.stop.is_fixpoint(), "nothing limits the analysis");
        analysis
    }
}

/// The value of a `// key: value` line.
fn header(text: &str, key: &str) -> Option<String> {
    let prefix = format!("// {key}: ");
    text.lines().find_map(|line| line.strip_prefix(&prefix)).map(|value| value.trim().to_string())
}

/// The options of a header line, as far as examples use them.
fn engine_options(line: &str, preprocessor: &mut Options) -> EngineOptions {
    let mut options = EngineOptions::default();
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
        match word {
            "--join" => options.join = join(value()),
            "--order" => options.order = value().parse().expect("an order"),
            "--no-derived-updates" => options.derive = Derive::Marked,
            "-D" => preprocessor.define(value()),
            other => match other.strip_prefix("-D") {
                Some(name) => preprocessor.define(name),
                None => panic!("unknown option {other} in a header"),
            },
        }
    }
    options
}

fn join(name: &str) -> Join {
    match name {
        "relational" => Join::Relational,
        "partial" => Join::Partial,
        "single" => Join::Single,
        "concrete" => Join::Concrete,
        other => panic!("unknown join {other} in a header"),
    }
}

//! The functions under test. Each takes any bytes and must come back, soon, without a panic; a program that it accepts
//! must survive being written and read again. Programs in C are judged, and the judged analyses are counted.

use super::judge;
use super::seeds::SEPARATOR;
use crate::oracle::Tally;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};
use trifold_fixpoint::{Solution, SolverOptions, Statistics, StopReason};
use trifold_structure::{Layout, Structure};
use trifold_tvl::{BlurRule, Engine, EngineOptions, Input, Join, Limits, Watcher};
use trifold_tvp::{
    Failure, Loaded, MemoryFiles, Options, load, print_specification, read_structures, read_structures_alone, render,
    write_structure,
};

/// Loads a program. Printed and loaded again, it is the same.
pub fn tvp(bytes: &[u8]) {
    let Some(loaded) = loaded(bytes) else { return };
    loaded.warnings.iter().for_each(|warning| assert!(!render(warning, &loaded.sources, false).is_empty()));
    let printed = print_specification(&loaded.specification);
    let files = MemoryFiles::default().with("printed.tvp", printed.clone());
    match load("printed.tvp", &files, &Options::default()) {
        Ok(again) => assert_eq!(print_specification(&again.specification), printed),
        Err(failure) => panic!("the printed program cannot be read:\n{}\n{printed}", failure.render(false)),
    }
}

/// Reads structures. Written and read again, they are the same.
pub fn tvs(bytes: &[u8]) {
    let files = MemoryFiles::default().with("a.tvs", bytes);
    let options = Options::default();
    let (vocabulary, file) = match read_structures_alone("a.tvs", &files, &options) {
        Ok(read) => read,
        Err(failure) => return check(&failure),
    };
    let layout = Arc::new(Layout::new(&vocabulary));
    let structures: Vec<Structure> = file.structures.into_iter().map(|named| named.structure).collect();
    let written: String = structures.iter().map(|structure| write_structure(structure, &vocabulary)).collect();
    let files = MemoryFiles::default().with("a.tvs", written.clone());
    match read_structures("a.tvs", &files, &options, &vocabulary, &layout) {
        Ok(again) => {
            let again: Vec<Structure> = again.structures.into_iter().map(|named| named.structure).collect();
            let text = |structures: &[Structure]| -> String {
                structures.iter().map(|structure| write_structure(structure, &vocabulary)).collect()
            };
            assert_eq!(text(&again), written);
        }
        Err(failure) => panic!("the written structures cannot be read:\n{}\n{written}", failure.render(false)),
    }
}

/// Reads a C program, and judges it from `main`, or from each function.
pub fn c(bytes: &[u8]) -> Tally {
    let text = String::from_utf8_lossy(bytes);
    trifold_c::needs_preprocessor(&text);
    let loaded = match trifold_c::load("a.c", &text) {
        Ok(loaded) => loaded,
        Err(failure) => return refused(&failure),
    };
    loaded.warnings.iter().for_each(|w| assert!(!render(w, &loaded.sources, false).is_empty()));
    let whole = trifold_c::translate(&loaded.program, &Default::default()).program;
    if whole.entry.is_some() {
        return judge::program(whole, None, true);
    }
    let library = trifold_c::TranslateOptions { entry: None, ..Default::default() };
    let library = trifold_c::translate(&loaded.program, &library);
    let functions = library.functions.into_iter().filter(|function| function.is_external);
    judge::program(library.program, Some(functions.flat_map(|function| function.procedures).collect()), true)
}

/// Analyses a program: its text, `===`, the structures, `===`, options. The result does not depend on the number of
/// threads, and all its structures can be written and read again.
pub fn analyze(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.splitn(3, SEPARATOR);
    let mut part = || parts.next().unwrap_or_default();
    let (program, structures, words) = (part(), part(), part());
    let Some(loaded) = loaded(program.as_bytes()) else { return };
    let vocabulary = loaded.specification.vocabulary.clone();
    let layout = Arc::new(Layout::new(&vocabulary));
    let files = MemoryFiles::default().with("a.tvs", structures);
    let inputs = match read_structures("a.tvs", &files, &Options::default(), &vocabulary, &layout) {
        Ok(file) => file.structures.into_iter().map(|named| named.structure).collect::<Vec<_>>(),
        Err(failure) => return check(&failure),
    };
    let engine = Engine::new(Arc::new(loaded.specification), engine_options(words));
    let [one, three] = [1, 3].map(|threads| found(&engine, &inputs, threads));
    // A run that was stopped by the clock stops anywhere.
    if let (Some(one), Some(three)) = (one, three) {
        assert_eq!(one, three, "the result depends on the number of threads");
        let files = MemoryFiles::default().with("a.tvs", one.clone());
        if let Err(failure) = read_structures("a.tvs", &files, &Options::default(), &vocabulary, &layout) {
            panic!("the written structures cannot be read:\n{}\n{one}", failure.render(false));
        }
    }
}

fn loaded(bytes: &[u8]) -> Option<Loaded> {
    let files = MemoryFiles::default().with("a.tvp", bytes).with("b.tvp", "%p included(v)");
    match load("a.tvp", &files, &Options::default()) {
        Ok(loaded) => Some(loaded),
        Err(failure) => {
            check(&failure);
            None
        }
    }
}

/// A text that is no program is not judged.
pub(super) fn refused(failure: &Failure) -> Tally {
    check(failure);
    Tally::default()
}

/// A failure says why, with and without colours.
fn check(failure: &Failure) {
    assert!(failure.errors().next().is_some());
    assert!(!failure.render(false).is_empty());
    assert!(!failure.render(true).is_empty());
}

fn engine_options(words: &str) -> EngineOptions {
    let mut options = EngineOptions::default();
    for word in words.split_whitespace() {
        match word {
            "partial" => options.join = Join::Partial,
            "single" => options.join = Join::Single,
            "concrete" => options.join = Join::Concrete,
            "definite" => options.blur = BlurRule::Definite,
            "bare" => options.automatic_constraints = false,
            "debug" => options.trace = true,
            order => options.order = order.parse().unwrap_or(options.order),
        }
    }
    options
}

/// All structures found, as text; nothing if the clock stopped the analysis.
fn found(engine: &Engine, inputs: &[Structure], threads: usize) -> Option<String> {
    let limits = Limits { structures: Some(200), messages: Some(20) };
    let solver = SolverOptions { threads, ..SolverOptions::default() };
    let mut clock = Clock { started: Instant::now(), stopped: false };
    let inputs: Vec<Input> = inputs.iter().cloned().map(Input::from).collect();
    let analysis = trifold_tvl::analyze(engine, &inputs, &solver, limits, &mut clock);
    let stores = analysis.solution.stores.iter().flat_map(|store| store.iter());
    let about = analysis.findings.iter().map(|finding| &finding.structure);
    let write = |structure: &Structure| write_structure(structure, &engine.specification().vocabulary);
    (!clock.stopped).then(|| stores.chain(about).map(write).collect())
}

struct Clock {
    started: Instant,
    stopped: bool,
}

impl Watcher for Clock {
    fn progress(&mut self, _: &Statistics, _: &Solution<Engine>) -> ControlFlow<StopReason> {
        self.stopped = self.started.elapsed() > Duration::from_secs(1);
        if self.stopped { ControlFlow::Break(StopReason::Timeout) } else { ControlFlow::Continue(()) }
    }
}

//! `trifold analyze`: a TVP program on the structures of a TVS file.

use crate::arguments::{AnalyzeOptions, FormatArgument};
use crate::host::Machine;
use crate::meter::Meter;
use crate::progress::Progress;
use crate::{Outcome, Refused, draw, html, properties};
use std::collections::BTreeMap;
use std::io::Write;
use std::iter::once;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use trifold_analyze::diagnostics::{Explanations, MessageRuns};
use trifold_analyze::page::analysis_page;
use trifold_analyze::preparation::{beyond_abstraction, follow_contracts, left_out, nothing_to_analyse};
use trifold_analyze::proofs::{Goal, NoGoal, Proof};
use trifold_analyze::results::{all_structures, dot, with_messages};
use trifold_analyze::trace::Trace;
use trifold_analyze::{AnalysisReport, Time, text};
use trifold_check::json::pretty;
use trifold_check::task::Task;
use trifold_check::{Allowance, Budget, Round};
use trifold_fixpoint::{LocationId, Solution, SolverOptions, StopReason};
use trifold_ir::Verdict;
use trifold_machine::disk::{self, Disk};
use trifold_pictures::{picture, summaries};
use trifold_source::printable;
use trifold_structure::Structure;
use trifold_symbolic::BestSteps;
use trifold_tvl::{Analysis, Engine, Input, Limits, Specification, analyze, confirm, explain_returns};
use trifold_tvp::{Diagnostic, Failure, Loaded, load, read_structures, render, write_locations};

pub fn run(options: &AnalyzeOptions) -> Result<Outcome, Refused> {
    match options.props.is_empty() {
        true => run_and(options, |_| Ok(())),
        false => run_and(&properties::with_properties(options, &options.props)?, |_| Ok(())),
    }
}

/// An analysis that has come to its end.
pub struct Finished<'a> {
    engine: &'a Engine,
    analysis: &'a Analysis,
    report: &'a AnalysisReport,
}

/// Runs the analysis, prints or writes its result, and then does something else with it.
pub fn run_and(
    options: &AnalyzeOptions,
    then: impl FnOnce(&Finished) -> Result<(), Refused>,
) -> Result<Outcome, Refused> {
    if options.summaries == Some(None) && options.format != FormatArgument::Text && options.output.is_none() {
        return Err(Refused::new(
            "--summaries prints text: name a file, as in --summaries=FILE.svg, or use -o for the rest",
        ));
    }
    let budget = budget(options);
    let started = Instant::now();
    let (mut loaded, mut inputs) = read(options)?;
    let asked_for = loaded.properties_files();
    if !options.settled && !asked_for.is_empty() {
        let settled = AnalyzeOptions { settled: true, ..properties::with_properties(options, &asked_for)? };
        return run_and(&settled, then);
    }
    let program = &options.program;
    if let Some(option) = beyond_abstraction(&loaded.specification.cfg, &options.engine(), options.transformer.into()) {
        return Err(Refused::new(format!(
            "{option} goes with canonical abstraction only, and {program} has an `%abstraction` of its own"
        )));
    }
    let promised = follow_contracts(&mut loaded.specification, &mut inputs, &mut || budget.exhausted().is_some());
    let promised = promised.map_err(Refused::new)?;
    let goals = goals(options, &loaded.specification)?;
    let observed: Vec<_> = goals.iter().map(Goal::observed).collect();
    let engine =
        Engine::observed(Arc::new(loaded.specification.clone()), options.engine(), &observed).relying_on(promised);
    let (engine, precise) = BestSteps::where_wanted(engine, options.transformer.into(), options.engine().derive);
    let load_s = started.elapsed().as_secs_f64();

    html::check_target(options.html.as_deref(), options.force)?;
    let mut log = Log::open(options)?;
    if !options.quiet {
        loaded.warnings.iter().for_each(|warning| log.diagnostic(warning, &loaded));
    }
    let target = options.output.as_deref().map(|directory| Target::new(directory, options)).transpose()?;
    let started = Instant::now();
    let (mut analysis, times) = solve(options, &budget, &engine, &inputs, &goals, target.as_ref(), &mut log)?;
    let time = Time { load_s, analysis_s: started.elapsed().as_secs_f64() };

    check_inputs(&engine, &inputs, &analysis, &mut log)?;
    let witnesses = look_for_runs(options, &budget, &engine, &inputs, &mut analysis);
    let explain = Explanations { engine: &engine, loaded: &loaded, analysis: &analysis, witnesses: &witnesses };
    explain.all(options.quiet).iter().for_each(|diagnostic| log.diagnostic(diagnostic, &loaded));
    let precise = precise.map(|precise| precise.cost());
    let proofs: Vec<Proof> = goals.iter().map(|goal| goal.judge(&engine, &analysis.solution)).collect();
    proofs.iter().filter_map(|proof| proof.objection(&engine)).for_each(|text| log.text(&text));
    let report = AnalysisReport::new(&options.program, &options.input, &engine, &analysis, &witnesses, precise, time)
        .with_proofs(proofs)
        .with_times(&times);
    let finished = Finished { engine: &engine, analysis: &analysis, report: &report };
    let mut output = finished.format(options.format, options);
    match &target {
        Some(target) => disk::write_pieces(&target.path("", target.extension), output, target.force)?,
        None => output.try_for_each(|piece| disk::print(&piece))?,
    }
    if let Some(path) = &options.html {
        let (headline, with_names) = (text::headline(&report), options.significant_names);
        let page = analysis_page(&engine, &analysis, &witnesses, &report, &headline, with_names);
        html::write(&page, path, options.force)?;
    }
    if let Some(drawing) = &options.summaries {
        let specification = engine.specification();
        let drawn = |structure: &Structure| picture(structure, &specification.vocabulary, "", false);
        let functions = summaries(specification, &analysis.solution, &drawn);
        draw::summaries(&functions, drawing.as_deref(), options.force)?;
    }
    then(&finished)?;
    Ok(match report.verdict {
        Verdict::Proved | Verdict::Needs => Outcome::Success,
        Verdict::Bug | Verdict::MayFail => Outcome::Findings,
        Verdict::NotAnalysed | Verdict::NotReached => Outcome::Partial,
    })
}

/// The time and the memory for all of it, from now on.
fn budget(options: &AnalyzeOptions) -> Budget {
    let (program, limits) = (options.program.clone(), &options.limits);
    let allowance = Allowance { time: limits.timeout, mebibytes: limits.memory, ..Allowance::default() };
    Budget::new(Round::Whole, Arc::new(Machine::new(program.clone(), true)), program, (1, 1), allowance)
}

fn read(options: &AnalyzeOptions) -> Result<(Loaded, Vec<Input>), Refused> {
    let refused = |failure: Box<Failure>| Refused(failure.render(options.read.color.wanted()));
    let preprocessor = options.read.preprocessor();
    let mut loaded = load(&options.program, &Disk, &preprocessor).map_err(refused)?;
    if options.backward && !loaded.specification.cfg.procedures.is_empty() {
        let program = &options.program;
        return Err(Refused::new(format!("{program} has procedures, which cannot be followed backward")));
    }
    if options.backward {
        loaded.specification.cfg = loaded.specification.cfg.reversed();
    }
    let vocabulary = &loaded.specification.vocabulary;
    let layout = Arc::new(trifold_structure::Layout::new(vocabulary));
    let file = read_structures(&options.input, &Disk, &preprocessor, vocabulary, &layout).map_err(refused)?;
    let mut inputs = file.into_inputs(&loaded.specification).map_err(refused)?;
    if !options.significant_names {
        inputs.iter_mut().for_each(|input| input.structure.forget_names());
    }
    Ok((loaded, inputs))
}

fn solve(
    options: &AnalyzeOptions,
    budget: &Budget,
    engine: &Engine,
    inputs: &[Input],
    goals: &[Goal],
    target: Option<&Target>,
    log: &mut Log,
) -> Result<(Analysis, BTreeMap<usize, Duration>), Refused> {
    let solver = SolverOptions {
        save: options.save.into(),
        traversal: options.traversal.into(),
        threads: options.limits.threads,
        always_saved: goals.iter().map(|goal| goal.location).collect(),
        bytes: budget.bytes(),
        ..SolverOptions::default()
    };
    let limits = Limits { structures: options.limits.max_structures, messages: options.max_messages };
    let dump = |created: usize, solution: &Solution<Engine>| {
        let structures = write_locations(all_structures(engine, solution, &[]), &engine.specification().vocabulary);
        if let Some(target) = target {
            // A dump that fails is no reason to lose the analysis.
            let _ = disk::write_pieces(&target.path(&format!(".{created}"), "tvs"), structures, true);
        }
    };
    let task = Task { what: options.program.clone(), number: (1, 1), time: options.limits.timeout };
    let meter = Meter::new(task, options.quiet || options.log.is_some());
    let name = |location: LocationId| format!("at {}", engine.specification().cfg.locations[location]);
    let trace = options.debug.then(|| Trace::new(engine, log.writer()));
    let mut watcher = Progress::new(budget, meter, Box::new(name), trace).dump_every(options.dump, Box::new(dump));
    let analysis = budget.run_here(|| analyze(engine, inputs, &solver, limits, &mut watcher));
    let early = |why: StopReason| Refused::new(format!("before the analysis began, {}", why.sentence()));
    Ok((analysis.map_err(early)?, watcher.finish()))
}

/// The goals of the command line.
fn goals(options: &AnalyzeOptions, specification: &Specification) -> Result<Vec<Goal>, Refused> {
    let refused = |no: NoGoal| match no {
        NoGoal::Text(failure) => Refused(failure.render(options.read.color.wanted())),
        NoGoal::Because(why) => Refused::new(why),
    };
    options.prove.iter().map(|text| Goal::read(text, specification).map_err(refused)).collect()
}

/// Runs in which messages fire, and runs that show a wrong return. A backward analysis has none, because nothing can be
/// run against the direction of the edges.
fn look_for_runs(
    options: &AnalyzeOptions,
    budget: &Budget,
    engine: &Engine,
    inputs: &[Input],
    analysis: &mut Analysis,
) -> MessageRuns {
    let wanted = analysis.findings.iter().map(|finding| (finding.edge, finding.message)).collect();
    if options.no_confirm || options.backward {
        return MessageRuns::new();
    }
    let mut stop = || budget.exhausted().is_some();
    explain_returns(engine, inputs, analysis, &mut stop);
    confirm(engine, inputs, &wanted, &mut stop)
}

/// Where diagnostics and traces go: standard error, or a log file.
struct Log {
    file: Option<std::fs::File>,
    colour: bool,
}

impl Log {
    fn open(options: &AnalyzeOptions) -> Result<Log, Refused> {
        let create = |path: &PathBuf| {
            let failed = |error| Refused::new(format!("cannot write {}: {error}", path.display()));
            std::fs::File::create(path).map_err(failed)
        };
        let file = options.log.as_ref().map(create).transpose()?;
        Ok(Log { colour: file.is_none() && options.read.color.wanted(), file })
    }

    fn writer(&mut self) -> Box<dyn Write + '_> {
        match &mut self.file {
            Some(file) => Box::new(std::io::BufWriter::new(file)),
            None => Box::new(std::io::BufWriter::new(std::io::stderr())),
        }
    }

    fn text(&mut self, text: &str) {
        let _ = writeln!(self.writer(), "{}", printable(text));
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, loaded: &Loaded) {
        let text = render(diagnostic, &loaded.sources, self.colour);
        let _ = writeln!(self.writer(), "{text}\n");
    }
}

/// Inputs that no store satisfies are dropped with a word; an analysis of nothing proves nothing.
fn check_inputs(engine: &Engine, inputs: &[Input], analysis: &Analysis, log: &mut Log) -> Result<(), Refused> {
    left_out(engine, inputs, analysis).for_each(|warning| log.text(&format!("warning: {warning}\n")));
    nothing_to_analyse(inputs, analysis).map_or(Ok(()), |why| Err(Refused::new(why)))
}

/// The file of a result.
struct Target {
    directory: PathBuf,
    stem: String,
    extension: &'static str,
    force: bool,
}

impl Target {
    fn new(directory: &Path, options: &AnalyzeOptions) -> Result<Target, Refused> {
        disk::create_directory(directory)?;
        let stem =
            Path::new(&options.program).file_stem().map_or("result".into(), |s| s.to_string_lossy().into_owned());
        let extension = options.format.into();
        let target = Target { directory: directory.to_path_buf(), stem, extension, force: options.force };
        let path = target.path("", extension);
        if path.exists() && !options.force {
            // Said now rather than after an hour of analysis.
            return Err(Refused::new(format!("{} exists; --force overwrites it", path.display())));
        }
        Ok(target)
    }

    fn path(&self, suffix: &str, extension: &str) -> PathBuf {
        self.directory.join(format!("{}{suffix}.{extension}", self.stem))
    }
}

impl Finished<'_> {
    /// The result in a format, piece by piece.
    pub fn format<'f>(
        &'f self,
        format: FormatArgument,
        options: &'f AnalyzeOptions,
    ) -> Box<dyn Iterator<Item = String> + 'f> {
        let vocabulary = &self.engine.specification().vocabulary;
        match format {
            FormatArgument::Text => Box::new(once(text::summary(self.report))),
            FormatArgument::Json => Box::new(once(pretty(self.report))),
            FormatArgument::Tvs => Box::new(write_locations(with_messages(self.engine, self.analysis), vocabulary)),
            FormatArgument::Dot => {
                let AnalyzeOptions { program, rotate, significant_names, .. } = options;
                Box::new(dot(self.engine, self.analysis, program, *rotate, *significant_names))
            }
        }
    }
}

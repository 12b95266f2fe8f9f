//! Campaigns: many programs, both ways, compared. What is *proved* must not fail; programs of examples are analysed
//! whatever their size, others only if they are small.

use super::interpreted::{Interpreted, LIMIT, run as interpret};
use super::shrink::shrink;
use super::trace::{Comparison, Ending, Trace};
use super::{Job, Language, Programs};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use trifold_check::source::Source;
use trifold_check::{Alone, Verdict, check};
use trifold_ir::Program;

/// Programs with fewer bytes are small: they are the ones that may be proved.
const SMALL: usize = 4_500;

/// How large a campaign is.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// So many programs.
    pub programs: usize,
    /// The seed of the first one; the others have the seeds that follow.
    pub seed: u64,
    /// So many programs are compiled together.
    pub batch: usize,
    /// Each small program that fails is analysed, and one in so many of the others; none if this is zero.
    pub analysed: usize,
    /// So many disagreements are shrunk and shown.
    pub shown: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { programs: 100, seed: 1, batch: 100, analysed: 10, shown: 5 }
    }
}

/// A program on which the two sides disagree.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// Its seed.
    pub seed: u64,
    /// What is different.
    pub what: String,
    /// The program, shrunk if it is one of the first.
    pub text: String,
}

/// What became of the programs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// All of them.
    pub programs: usize,
    /// Those of which everything was compared.
    pub judged: usize,
    /// Notes that were compared.
    pub notes: usize,
    /// How judged programs ended.
    pub endings: BTreeMap<String, usize>,
    /// Those of which a part was compared, by what prevented the rest.
    pub partial: BTreeMap<String, usize>,
    /// Those that were analysed, and those of them that were proved.
    pub analysed: (usize, usize),
    /// Where the two sides disagree, or where something is proved that fails.
    pub disagreements: Vec<Disagreement>,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { programs, judged, notes, analysed, .. } = self;
        writeln!(f, "{programs} programs, {judged} judged in full, {notes} values compared")?;
        writeln!(f, "{} analysed, {} of them proved", analysed.0, analysed.1)?;
        for (title, counts) in [("ended", &self.endings), ("in part", &self.partial)] {
            for (reason, count) in counts {
                writeln!(f, "{count:6} {title}: {reason}")?;
            }
        }
        for Disagreement { seed, what, text } in &self.disagreements {
            writeln!(f, "\nseed {seed}: {what}\n{text}")?;
        }
        write!(f, "{} disagreements", self.disagreements.len())
    }
}

/// Runs a campaign.
///
/// # Errors
/// The message of a compiler that rejects a program: the generator wrote what is no program.
pub fn run(language: &dyn Language, programs: &Programs, options: &Options) -> Result<Tally, String> {
    let campaign = Campaign { language, programs, options };
    let mut tally = Tally::default();
    let seeds: Vec<u64> = (options.seed..).take(options.programs).collect();
    for batch in seeds.chunks(options.batch.max(1)) {
        campaign.batch(batch, &mut tally)?;
    }
    Ok(tally)
}

/// Compares the runs of one program, in whose text all names that others could see begin with `name`.
///
/// # Errors
/// The message of the compiler or of the front end.
pub fn compare(language: &dyn Language, name: &str, text: &str) -> Result<Comparison, String> {
    let program = language.load(text)?;
    let Interpreted { trace, answers } = interpret(&program, 1, language.leaks());
    let job = Job { name: name.to_string(), text: text.to_string(), answers };
    let machines =
        (0..language.compilers()).map(|compiler| Ok(language.run(compiler, std::slice::from_ref(&job))?.remove(0)));
    let machines: Vec<Trace> = machines.collect::<Result<_, String>>()?;
    Ok(compare_all(&trace, &machines))
}

/// The run of the interpreter against those of all compilers. Only the first one must see a failure: others leave out
/// what has no effect, and what they make of the rest says nothing.
fn compare_all(trace: &Trace, machines: &[Trace]) -> Comparison {
    let Some((first, others)) = machines.split_first() else {
        return Comparison::Partial("it did not run".to_string());
    };
    let fails = |trace: &Trace| matches!(trace.ending, Ending::Failed(_) | Ending::Cut(_) | Ending::DivisionByZero);
    let judged = trace.compare(first);
    if judged != Comparison::Same || fails(first) {
        return judged;
    }
    let differs = |(number, machine)| match trace.compare(machine) {
        Comparison::Differs(what) => Some(Comparison::Differs(format!("compiler {number}: {what}"))),
        _ => None,
    };
    others.iter().enumerate().find_map(differs).unwrap_or(judged)
}

/// Runs programs together. If the compiler breaks down, which is not their fault, those on which it does are left out;
/// so are those that it rejects, if that may happen.
fn run_each(language: &dyn Language, compiler: usize, jobs: &[Job], may_reject: bool) -> Result<Vec<Trace>, String> {
    let left_out = |why: &str| Trace { notes: Vec::new(), ending: Ending::Cut(why.to_string()) };
    let message = match language.run(compiler, jobs) {
        Ok(traces) => return Ok(traces),
        Err(message) => message,
    };
    let breaks_down = BREAKDOWNS.iter().any(|words| message.contains(words));
    match jobs {
        [_] if breaks_down => Ok(vec![left_out("the compiler breaks down")]),
        [_, _, ..] if breaks_down => {
            let (front, back) = jobs.split_at(jobs.len() / 2);
            let front = run_each(language, compiler, front, may_reject)?;
            Ok([front, run_each(language, compiler, back, may_reject)?].concat())
        }
        _ => {
            // The compiler names the file, the linker a function of the program.
            let is_named =
                |job: &Job| ["NAME.", "`NAME_"].iter().any(|at| message.contains(&at.replace("NAME", &job.name)));
            let is_fine = |job: &Job| !is_named(job);
            let fine: Vec<Job> = jobs.iter().filter(|job| is_fine(job)).cloned().collect();
            if !may_reject || fine.len() == jobs.len() {
                return Err(message);
            }
            let mut traces = match fine.is_empty() {
                true => Vec::new(),
                false => run_each(language, compiler, &fine, may_reject)?,
            }
            .into_iter();
            let trace = |job| if is_fine(job) { traces.next() } else { None };
            Ok(jobs
                .iter()
                .map(trace)
                .map(|trace| trace.unwrap_or_else(|| left_out("the compiler rejects it")))
                .collect())
        }
    }
}

/// What compilers say of themselves then. `clang` says the second one, without a place, of a part of a static object
/// that a designator sets again.
const BREAKDOWNS: [&str; 2] =
    ["internal compiler error", "error: initializer element is not a compile-time constant\n"];

/// A program with its run in the interpreter.
struct Candidate {
    seed: u64,
    job: Job,
    trace: Trace,
    source: Source,
}

impl Candidate {
    fn is_given_up(&self) -> bool {
        matches!(&self.trace.ending, Ending::Cut(reason) if reason == LIMIT)
    }
}

struct Campaign<'a> {
    language: &'a dyn Language,
    programs: &'a Programs,
    options: &'a Options,
}

impl Campaign<'_> {
    fn batch(&self, seeds: &[u64], tally: &mut Tally) -> Result<(), String> {
        let mut candidates = Vec::new();
        let named = |seed: &u64| {
            let name = format!("p{seed}");
            let text = self.programs.write(self.language, *seed, &name);
            (name, text)
        };
        let programs: Vec<(String, String)> = seeds.iter().map(named).collect();
        for ((seed, (name, text)), loaded) in seeds.iter().zip(&programs).zip(self.language.load_all(&programs)) {
            tally.programs += 1;
            let (name, text) = (name.clone(), text.clone());
            candidates.push(match loaded {
                Ok((program, source)) => self.candidate(*seed, name, text, &program, source),
                // The compiler must say whether that is right.
                Err(reason) => {
                    let trace = Trace { notes: Vec::new(), ending: Ending::Cut(format!("rejected: {reason}")) };
                    let source = self.language.source(&text);
                    Candidate { seed: *seed, job: Job { name, text, answers: Vec::new() }, trace, source }
                }
            });
        }
        let (endless, candidates): (Vec<_>, Vec<_>) = candidates.into_iter().partition(Candidate::is_given_up);
        *tally.partial.entry(LIMIT.to_string()).or_default() += endless.len();
        let jobs: Vec<Job> = candidates.iter().map(|candidate| candidate.job.clone()).collect();
        let runs = (0..self.language.compilers()).map(|compiler| {
            let rejects = self.programs.may_be_rejected();
            run_each(self.language, compiler, &jobs, rejects)
        });
        let runs: Vec<Vec<Trace>> = runs.collect::<Result<_, String>>()?;
        for (index, candidate) in candidates.iter().enumerate() {
            let machines: Vec<Trace> = runs.iter().map(|traces| traces[index].clone()).collect();
            self.judge(candidate, &machines, tally);
        }
        Ok(())
    }

    fn candidate(&self, seed: u64, name: String, text: String, program: &Program, source: Source) -> Candidate {
        let Interpreted { trace, answers } = interpret(program, seed, self.language.leaks());
        Candidate { seed, job: Job { name, text, answers }, trace, source }
    }

    fn judge(&self, candidate: &Candidate, machines: &[Trace], tally: &mut Tally) {
        let machine = &machines[0];
        tally.notes += candidate.trace.notes.len().min(machine.notes.len());
        let what = match compare_all(&candidate.trace, machines) {
            Comparison::Same => {
                tally.judged += 1;
                *tally.endings.entry(format!("{:?}", machine.ending)).or_default() += 1;
                None
            }
            Comparison::Partial(reason) => {
                let reason = reason.replace(&candidate.job.name, "");
                *tally.partial.entry(reason).or_default() += 1;
                None
            }
            Comparison::Differs(what) => Some(what),
        };
        let what = what.or_else(|| self.wrong_proof(candidate, machine, tally));
        if let Some(what) = what {
            let text = match tally.disagreements.len() < self.options.shown {
                true => self.shrunk(candidate),
                false => candidate.job.text.clone(),
            };
            tally.disagreements.push(Disagreement { seed: candidate.seed, what, text });
        }
    }

    /// Analyses a program, if it is one of those. What fails must not be proved.
    fn wrong_proof(&self, candidate: &Candidate, machine: &Trace, tally: &mut Tally) -> Option<String> {
        let fails = matches!(machine.ending, Ending::Failed(_));
        let is_chosen = candidate.seed.is_multiple_of(self.options.analysed.max(1) as u64);
        let is_small = self.programs.may_be_rejected() || candidate.job.text.len() < SMALL;
        if self.options.analysed == 0 || !is_small || !fails && !is_chosen {
            return None;
        }
        let is_proved = self.is_proved(&candidate.source);
        tally.analysed.0 += 1;
        tally.analysed.1 += usize::from(is_proved);
        (fails && is_proved).then(|| format!("proved, and it fails: {:?}", machine.ending))
    }

    fn is_proved(&self, source: &Source) -> bool {
        let options =
            trifold_check::Options { max_structures: Some(500), confirm: false, ..trifold_check::Options::default() };
        let checked = check(source, &options, &(Arc::new(Alone) as _));
        checked.is_ok_and(|checked| checked.report.verdict == Verdict::Proved)
    }

    /// The smallest program found on which the two sides still disagree.
    fn shrunk(&self, candidate: &Candidate) -> String {
        let Candidate { seed, job: Job { name, text, .. }, trace, .. } = candidate;
        let differs = !matches!(trace.ending, Ending::Cut(_));
        let shows = |text: &str| {
            let named = [(name.clone(), text.to_string())];
            let Some(Ok((program, source))) = self.language.load_all(&named).pop() else { return false };
            let smaller = self.candidate(*seed, name.clone(), text.to_string(), &program, source);
            // A program that is shrunk must not become one that is cut.
            if differs && matches!(smaller.trace.ending, Ending::Cut(_)) {
                return false;
            }
            let runs = (0..self.language.compilers())
                .map(|compiler| self.language.run(compiler, std::slice::from_ref(&smaller.job)));
            let Ok(machines) = runs.collect::<Result<Vec<_>, String>>() else { return false };
            let machines = machines.concat();
            let fails = machines.first().is_some_and(|machine| matches!(machine.ending, Ending::Failed(_)));
            matches!(compare_all(&smaller.trace, &machines), Comparison::Differs(_))
                || fails && self.is_proved(&smaller.source)
        };
        shrink(text, &shows)
    }
}

//! Campaigns: many programs, both ways, compared.

use super::interpreted::{Interpreted, run as interpret};
use super::shrink::shrink;
use super::trace::{Comparison, Ending, Trace};
use super::{Job, Language};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
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
pub fn run(language: &dyn Language, options: &Options) -> Result<Tally, String> {
    let campaign = Campaign { language, options };
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
    let machine = language.run(&[Job { name: name.to_string(), text: text.to_string(), answers }])?;
    machine.first().map(|machine| trace.compare(machine)).ok_or("it did not run".to_string())
}

/// Runs programs together. If the compiler breaks down, which is not their fault, those on which it does are left out.
fn run_each(language: &dyn Language, jobs: &[Job]) -> Result<Vec<Trace>, String> {
    match (language.run(jobs), jobs) {
        (Err(message), [_]) if message.contains(BREAKDOWN) => {
            Ok(vec![Trace { notes: Vec::new(), ending: Ending::Cut("the compiler breaks down".to_string()) }])
        }
        (Err(message), [_, _, ..]) if message.contains(BREAKDOWN) => {
            let (front, back) = jobs.split_at(jobs.len() / 2);
            Ok([run_each(language, front)?, run_each(language, back)?].concat())
        }
        (traces, _) => traces,
    }
}

/// What compilers say of themselves then.
const BREAKDOWN: &str = "internal compiler error";

/// A program with its run in the interpreter.
struct Candidate {
    seed: u64,
    job: Job,
    trace: Trace,
}

struct Campaign<'a> {
    language: &'a dyn Language,
    options: &'a Options,
}

impl Campaign<'_> {
    fn batch(&self, seeds: &[u64], tally: &mut Tally) -> Result<(), String> {
        let mut candidates = Vec::new();
        for seed in seeds {
            tally.programs += 1;
            let name = format!("p{seed}");
            let text = self.language.write(*seed, &name);
            candidates.push(match self.language.load(&text) {
                Ok(program) => self.candidate(*seed, name, text, &program),
                // The compiler must say whether that is right.
                Err(reason) => {
                    let trace = Trace { notes: Vec::new(), ending: Ending::Cut(format!("rejected: {reason}")) };
                    Candidate { seed: *seed, job: Job { name, text, answers: Vec::new() }, trace }
                }
            });
        }
        let jobs: Vec<Job> = candidates.iter().map(|candidate| candidate.job.again()).collect();
        let machine = run_each(self.language, &jobs)?;
        for (candidate, machine) in candidates.iter().zip(machine) {
            self.judge(candidate, &machine, tally);
        }
        Ok(())
    }

    fn candidate(&self, seed: u64, name: String, text: String, program: &Program) -> Candidate {
        let Interpreted { trace, answers } = interpret(program, seed, self.language.leaks());
        Candidate { seed, job: Job { name, text, answers }, trace }
    }

    fn judge(&self, candidate: &Candidate, machine: &Trace, tally: &mut Tally) {
        tally.notes += candidate.trace.notes.len().min(machine.notes.len());
        let what = match candidate.trace.compare(machine) {
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
        let is_small = candidate.job.text.len() < SMALL;
        if self.options.analysed == 0 || !is_small || !fails && !is_chosen {
            return None;
        }
        let is_proved = self.is_proved(&candidate.job.text);
        tally.analysed.0 += 1;
        tally.analysed.1 += usize::from(is_proved);
        (fails && is_proved).then(|| format!("proved, and it fails: {:?}", machine.ending))
    }

    fn is_proved(&self, text: &str) -> bool {
        let options =
            trifold_check::Options { max_structures: Some(500), confirm: false, ..trifold_check::Options::default() };
        let checked = check(&self.language.source(text), &options, &(Arc::new(Alone) as _));
        checked.is_ok_and(|checked| checked.report.verdict == Verdict::Proved)
    }

    /// The smallest program found on which the two sides still disagree.
    fn shrunk(&self, candidate: &Candidate) -> String {
        let Candidate { seed, job: Job { name, text, .. }, trace } = candidate;
        let differs = !matches!(trace.ending, Ending::Cut(_));
        let shows = |text: &str| {
            let Ok(program) = self.language.load(text) else { return false };
            let smaller = self.candidate(*seed, name.clone(), text.to_string(), &program);
            // A program that is shrunk must not become one that is cut.
            if differs && matches!(smaller.trace.ending, Ending::Cut(_)) {
                return false;
            }
            let Ok(machine) = self.language.run(&[smaller.job.again()]) else { return false };
            let fails = machine.first().is_some_and(|machine| matches!(machine.ending, Ending::Failed(_)));
            let differs = |machine: &Trace| matches!(smaller.trace.compare(machine), Comparison::Differs(_));
            machine.first().is_some_and(differs) || fails && self.is_proved(text)
        };
        shrink(text, &shows)
    }
}

impl Job {
    fn again(&self) -> Job {
        Job { name: self.name.clone(), text: self.text.clone(), answers: self.answers.clone() }
    }
}

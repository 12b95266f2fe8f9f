//! The portfolio: domains take turns on a program until one proves it, or until all that one found happens in runs. For
//! example, separation logic looks first; if it leaves a finding open, three-valued logic looks, and then both go
//! further in turn.
//!
//! Each domain has a look before one goes further, and this is the only place where an analysis is repeated with a
//! larger budget. Of programs in C the domain of separation logic is asked first, which is fast. Programs in Java call
//! a lot and free nothing, which suits structures on local heaps.

use crate::budget::{Budget, Host, Round};
use crate::confirm::{Witnesses, is_certain, keys};
use crate::domain::{DomainName, HeapDomain, Outcome};
use crate::options::{Language, Options};
use crate::separation_logic::SeparationLogic;
use crate::shape::Shape;
use crate::source::Translated;
use crate::three_valued::ThreeValued;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use trifold_fixpoint::StopReason;
use trifold_ir::FindingKind::{Leak, NotAnalysed};
use trifold_ir::{Finding, FindingKind, ProcId, Statement, Verdict};

/// Said of a function for which the domain cannot make arguments.
const ARGUMENTS: &str = "not all arguments that the function may be called with are represented precisely enough";

/// One entry of a program, to be analysed by the domains that suit it.
pub struct Portfolio<'a> {
    /// The program.
    pub translated: &'a Translated,
    /// The options.
    pub options: &'a Options,
    /// The surroundings.
    pub host: &'a Arc<dyn Host>,
    /// The procedure to start with.
    pub procedure: ProcId,
    /// The name of the entry, and its number among all.
    pub entry: (&'a str, (usize, usize)),
    /// Do checkers or a contract describe its arguments?
    pub specified: bool,
    /// Is the procedure a made-up caller?
    pub is_made_up: bool,
    /// The time for all of it.
    pub time: Option<Duration>,
    /// The last round that is worth the work.
    pub last: Round,
    /// And from here.
    pub first: Round,
}

/// The result for an entry.
pub struct Analysed {
    /// The best outcome of the domains.
    pub outcome: Outcome,
    /// The findings that runs confirm.
    pub witnesses: Witnesses,
    /// How long the domains were in which procedure.
    pub times: BTreeMap<ProcId, Duration>,
}

impl Portfolio<'_> {
    /// Runs the domains, and has runs confirm the result.
    pub fn analyse(&self, confirm: &dyn Fn(&Outcome) -> Witnesses) -> Analysed {
        let domains = self.domains();
        let turns = turns(&domains, self.first, self.last);
        let started = self.host.clock().unwrap_or_default();
        let mut known: BTreeMap<DomainName, Outcome> = BTreeMap::new();
        let mut times = BTreeMap::new();
        let (mut witnesses, mut sought) = (Witnesses::default(), None);
        for (number, &(domain, round)) in turns.iter().enumerate() {
            // A bug that runs show stays. Another domain need not go to the end then, nor any further if everything was
            // looked at.
            let is_complete = known.values().any(|before| before.stop.is_fixpoint());
            let is_far = round >= Round::Whole || round == Round::Further && is_complete;
            let is_enough = domains.len() > 1 && !witnesses.is_empty() && is_far;
            if is_enough || known.get(&domain.name()).is_some_and(|before| !is_worth(round, before)) {
                continue;
            }
            let passed = self.host.clock().unwrap_or_default().saturating_sub(started);
            let left = self.time.map(|time| time.saturating_sub(passed));
            // Half of the time is left for the turns that follow.
            let time = if number + 1 == turns.len() { left } else { left.map(|left| left / 2) };
            let outcome = self.turn(domain, round, time, &mut times);
            // Runs are looked for once for each set of findings.
            let found = keys(&outcome, self.translated);
            if sought.as_ref().is_none_or(|sought| !found.is_subset(sought)) {
                witnesses.extend(confirm(&outcome));
                sought.get_or_insert_default().extend(found);
            }
            if outcome.verdict() == Verdict::Proved || is_certain(&outcome, &witnesses, self.translated) {
                return Analysed { outcome: self.explained(outcome), witnesses, times };
            }
            known.insert(domain.name(), outcome);
        }
        let best = known.into_values().reduce(Outcome::better_of).expect("there is a turn");
        Analysed { outcome: self.explained(best), witnesses, times }
    }

    /// The domains that are asked, in this order.
    fn domains(&self) -> Vec<Arc<dyn HeapDomain>> {
        use DomainName::*;
        let program = &self.translated.program;
        let names: &[DomainName] = match self.options.domain {
            // Only separation logic knows the meaning of checkers and contracts about memory.
            _ if self.specified => &[SeparationLogic],
            Some(SeparationLogic) => &[SeparationLogic],
            Some(ThreeValued) => &[ThreeValued],
            None if !program.contracts.is_empty() => &[SeparationLogic],
            // Only structures have summaries.
            None if self.options.keep_summaries => &[ThreeValued],
            None if self.translated.language == Language::Java => &[ThreeValued, SeparationLogic],
            None => &[SeparationLogic, ThreeValued],
        };
        names.iter().map(|name| self.domain(*name)).collect()
    }

    fn domain(&self, name: DomainName) -> Arc<dyn HeapDomain> {
        let Options { keep_shapes, keep_summaries, threads, max_structures, precision, .. } = *self.options;
        match name {
            DomainName::SeparationLogic => {
                let (keep_dead, leaks) = (self.options.keep_dead, self.counts(FindingKind::Leak));
                Arc::new(SeparationLogic { keep_dead, keep_shapes, leaks })
            }
            DomainName::ThreeValued => Arc::new(ThreeValued {
                max_structures,
                threads,
                leaks: self.counts(FindingKind::Leak),
                precision,
                roles: self.options.roles.clone(),
                keep_shapes,
                keep_summaries,
            }),
        }
    }

    fn counts(&self, kind: FindingKind) -> bool {
        self.translated.language.counts(kind, self.options.lost_objects)
    }

    /// One run of one domain.
    fn turn(
        &self,
        domain: &Arc<dyn HeapDomain>,
        round: Round,
        time: Option<Duration>,
        times: &mut BTreeMap<ProcId, Duration>,
    ) -> Outcome {
        let (entry, number) = self.entry;
        let budget =
            Arc::new(Budget::new(round, self.host.clone(), entry.to_string(), number, self.options.allowance(time)));
        let (domain, program, procedure, own) =
            (domain.clone(), self.translated.program.clone(), self.procedure, budget.clone());
        let name = domain.name();
        let found = budget.run(move || domain.check(&program, procedure, &own));
        for (procedure, time) in budget.finish() {
            *times.entry(procedure).or_default() += time;
        }
        let mut outcome = found.unwrap_or_else(|why| Outcome::nothing(name, &self.translated.program, why));
        outcome.findings.retain(|found| self.counts(found.kind) && !(self.is_own(found) && found.kind == Leak));
        for found in outcome.findings.iter_mut().filter(|found| self.is_own(found)) {
            (found.kind, found.text, found.goes_on) = (NotAnalysed, ARGUMENTS.to_string(), false);
        }
        outcome
    }

    /// Is it where a made-up caller makes arguments? It makes no mistakes, so the domain does not represent them well.
    fn is_own(&self, found: &Finding<Shape>) -> bool {
        let (procedure, edge) = found.place.at();
        let body = &self.translated.program[procedure];
        let is_call = body.edges.get(edge).is_some_and(|edge| matches!(edge.statement, Statement::Call { .. }));
        self.is_made_up && procedure == self.procedure && !is_call
    }

    /// The outcome with the reason for its domain.
    fn explained(&self, outcome: Outcome) -> Outcome {
        let has_contract = self.translated.program.contracts.contains_key(&self.procedure);
        let how = if has_contract { "in contracts" } else { "with checkers" };
        let why = format!("by the domain of checkers, since functions say {how} what their arguments are");
        match self.specified {
            true => Outcome { why: Some(why), ..outcome },
            false => outcome,
        }
    }
}

/// The turns of all domains: each has a look before one goes further. One domain alone takes the rounds that make a
/// difference to it.
fn turns(domains: &[Arc<dyn HeapDomain>], first: Round, last: Round) -> Vec<(&Arc<dyn HeapDomain>, Round)> {
    if let [only] = domains
        && last == Round::LastResort
    {
        return only.rounds().iter().map(|round| (only, *round)).collect();
    }
    let mut turns = Vec::new();
    let rounds = [Round::Look, Round::Further, Round::Whole].into_iter();
    for round in rounds.filter(|round| (first..=last).contains(round)) {
        for domain in domains {
            turns.push((domain, round));
            let last = round == Round::Whole && domain.rounds().contains(&Round::LastResort);
            turns.extend(last.then_some((domain, Round::LastResort)));
        }
    }
    turns
}

/// Can a round bring more than the domain found before?
fn is_worth(round: Round, before: &Outcome) -> bool {
    match round {
        Round::LastResort => matches!(before.stop, StopReason::WorkLimit | StopReason::PointLimit),
        _ => before.cut_short,
    }
}

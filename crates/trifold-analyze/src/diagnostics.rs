//! The findings of an analysis about the program, as diagnostics at their places.

use crate::trace::explain;
use std::collections::BTreeMap;
use trifold_report::words::counted;
use trifold_structure::Structure;
use trifold_tvl::{
    Analysis, Coercer, Contradiction, EdgeId, Engine, FiredMessage, MessageKind, Origin, Unfocusable, Witness,
};
use trifold_tvp::{Diagnostic, Loaded, Severity, write_structure};

/// Runs in which messages fire, by edge and message.
pub type MessageRuns = BTreeMap<(EdgeId, usize), Witness>;

/// An analysis to be explained.
pub struct Explanations<'a> {
    /// The engine that ran.
    pub engine: &'a Engine,
    /// The program.
    pub loaded: &'a Loaded,
    /// Its findings.
    pub analysis: &'a Analysis,
    /// Runs in which messages fire.
    pub witnesses: &'a MessageRuns,
}

impl Explanations<'_> {
    /// Everything, the worst first; `quiet` leaves out everything that does not bear on the verdict.
    pub fn all(&self, quiet: bool) -> Vec<Diagnostic> {
        let contradictions = self.analysis.contradictions.iter().filter_map(|c| self.contradiction(c));
        let findings = self.analysis.findings.iter().filter_map(|finding| self.finding(finding));
        let too_large = self.analysis.too_large.and_then(|edge| self.too_large(edge));
        let unexplained = self.analysis.unexplained.iter().filter_map(|c| self.unexplained(c));
        let unfocusable = self.analysis.unfocusable.iter().filter_map(|(origin, why)| self.unfocusable(*origin, *why));
        contradictions
            .chain(too_large)
            .chain(findings)
            .chain(unexplained)
            .chain(unfocusable.filter(|_| !quiet))
            .collect()
    }

    fn title(&self, edge: EdgeId) -> &str {
        self.engine.specification().title(edge)
    }

    fn at_edge(&self, edge: EdgeId, severity: Severity, code: &'static str, message: String) -> Option<Diagnostic> {
        let origin = self.engine.specification().cfg.edges[edge].origin;
        self.loaded.origins.diagnostic(origin, severity, code, message)
    }

    fn too_large(&self, edge: EdgeId) -> Option<Diagnostic> {
        let message = format!("`{}` relates too many variables for structures of this size", self.title(edge));
        let diagnostic = self.at_edge(edge, Severity::Error, "too-large", message)?;
        Some(diagnostic.help("use fewer variables at a time, or name what they describe by a predicate"))
    }

    fn contradiction(&self, contradiction: &Contradiction) -> Option<Diagnostic> {
        let message = format!("the updates of `{}` contradict a consistency rule", self.title(contradiction.edge));
        let diagnostic = self.at_edge(contradiction.edge, Severity::Error, "contradiction", message)?;
        Some(self.evidence(diagnostic, contradiction, self.engine.laws()))
    }

    fn unexplained(&self, breach: &Contradiction) -> Option<Diagnostic> {
        let title = self.title(breach.edge);
        let message = format!("`{title}` makes a structure infeasible that seemed feasible; the result is left out");
        let diagnostic = self.at_edge(breach.edge, Severity::Warning, "unexplained-breach", message)?;
        let why =
            "no small store shows that the updates contradict the rule, but none was found that rules it out either";
        Some(self.evidence(diagnostic, breach, self.engine.coercer()).note(why))
    }

    fn evidence(&self, mut diagnostic: Diagnostic, evidence: &Contradiction, rules: &Coercer) -> Diagnostic {
        let rule = &rules.rules()[evidence.infeasible.rule];
        if let Some(span) = self.loaded.origins.span(rule.origin) {
            diagnostic = diagnostic.secondary(span, "the rule comes from here");
        }
        let why = explain(rules, &evidence.infeasible, &evidence.after, self.engine);
        let show = |structure: &Structure| write_structure(structure, &self.engine.specification().vocabulary);
        diagnostic
            .note(format!("breached: {why}"))
            .note(format!("before the action:\n{}", show(&evidence.before)))
            .note(format!("after the action:\n{}", show(&evidence.after)))
    }

    fn finding(&self, finding: &FiredMessage) -> Option<Diagnostic> {
        let specification = self.engine.specification();
        let witness = self.witnesses.get(&(finding.edge, finding.message));
        let severity = if finding.definite || witness.is_some() { Severity::Error } else { Severity::Warning };
        let message = specification.message(finding.edge, finding.message);
        let (code, text) = match message.kind {
            MessageKind::Alarm => ("message", message.text.clone()),
            MessageKind::Property(_) => ("property-failed", format!("property failed: {}", message.text)),
        };
        let diagnostic = self.at_edge(finding.edge, severity, code, text)?;
        let location = &specification.cfg.locations[finding.location];
        let structures = counted(finding.occurrences, "structure");
        let certainty = match witness {
            Some(_) => "and in a run",
            None if finding.definite => "for certain",
            None => "possibly",
        };
        let diagnostic = diagnostic.label(format!("at {location}, on {structures}, {certainty}"));
        let steps: Vec<&str> = finding.trace.iter().map(|step| self.title(step.edge)).collect();
        if let Some(witness) = witness {
            return Some(self.run(diagnostic, witness));
        }
        Some(if steps.is_empty() { diagnostic } else { diagnostic.note(format!("after: {}", steps.join("; "))) })
    }

    /// A run in which it happens.
    fn run(&self, diagnostic: Diagnostic, witness: &Witness) -> Diagnostic {
        let input = write_structure(&witness.input, &self.engine.specification().vocabulary);
        let diagnostic = diagnostic.note(format!("it happens in a run that starts with:\n{}", input.trim_end()));
        let steps: Vec<&str> = witness.edges.iter().map(|edge| self.title(*edge)).collect();
        if steps.is_empty() { diagnostic } else { diagnostic.note(format!("and goes on with: {}", steps.join("; "))) }
    }

    fn unfocusable(&self, origin: Origin, why: Unfocusable) -> Option<Diagnostic> {
        let message = format!("this focus formula stays unknown on some structures: {}", reason(why));
        let diagnostic = self.loaded.origins.diagnostic(origin, Severity::Warning, "unfocusable", message)?;
        Some(diagnostic.note("the analysis goes on, perhaps with less precision"))
    }
}

fn reason(why: Unfocusable) -> &'static str {
    match why {
        Unfocusable::TwoSummaries => "it relates two summary individuals",
        Unfocusable::EndlessMaterialization => "each individual it finds leads to another one of the same summary",
        Unfocusable::SummaryEquality => "it compares a summary individual with itself",
        Unfocusable::Constant => "it contains the constant 1/2",
        Unfocusable::TooManyConjunctions => "its disjunctive normal form is too large",
        Unfocusable::TooManyCases => "there are too many cases",
    }
}

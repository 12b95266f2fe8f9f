//! The debug trace: the constraints with their dependencies, every phase of every step, and each discarded structure
//! with the constraint and the assignment that discarded it [LevAmi00 C.7, -d]. For example, a step over an edge has
//! the heading `n1 -> n2 x = y`.

use std::io::Write;
use trifold_source::{printable, printable_line};
use trifold_structure::Structure;
use trifold_tvl::{Coercer, EdgeId, Engine, Event, Infeasible, Phase};
use trifold_tvp::write_structure;

/// Writes the trace of an analysis.
pub struct Trace<'a> {
    engine: &'a Engine,
    out: Box<dyn Write + 'a>,
}

impl<'a> Trace<'a> {
    /// Starts a trace with the constraints. Write errors end in a shorter trace, not in another result.
    pub fn new(engine: &'a Engine, mut out: Box<dyn Write + 'a>) -> Trace<'a> {
        let vocabulary = &engine.specification().vocabulary;
        let coercer = engine.coercer();
        let _ = writeln!(out, "constraints, in order of evaluation:");
        for (number, rule) in coercer.rules().iter().enumerate() {
            let dependents: Vec<String> = coercer.dependents(number).iter().map(|d| d.to_string()).collect();
            let _ = writeln!(out, "  [{number}] {}", rule.show(vocabulary));
            if !dependents.is_empty() {
                let _ = writeln!(out, "        read by {}", dependents.join(", "));
            }
        }
        Trace { engine, out }
    }

    /// Writes the event of a step over an edge.
    pub fn event(&mut self, edge: EdgeId, event: &Event) {
        let specification = self.engine.specification();
        let flow = &specification.cfg.edges[edge];
        let title = specification.title(edge);
        let (source, target) = (&specification.cfg.locations[flow.source], &specification.cfg.locations[flow.target]);
        let heading = format!("{source} -> {target}  {title}");
        let (what, structure) = match event {
            Event::Phase { phase, structure } => (phase_name(*phase).to_string(), structure.as_ref()),
            Event::Message { message, definite, structure } => {
                let text = &specification.message(edge, *message).text;
                let value = if *definite { "1" } else { "1/2" };
                (format!("message ({value}): {text}"), structure.as_ref())
            }
            Event::Discarded { phase, infeasible, structure } => {
                let why = explain(self.engine.coercer(), infeasible, structure, self.engine);
                (format!("discarded by {}: {why}", phase_name(*phase)), structure.as_ref())
            }
            Event::Contradiction { infeasible, after, .. } => {
                let why = explain(self.engine.laws(), infeasible, after, self.engine);
                (format!("contradiction: {why}"), after.as_ref())
            }
            Event::UnexplainedBreach { infeasible, after, .. } => {
                let why = explain(self.engine.coercer(), infeasible, after, self.engine);
                (format!("unexplained breach: {why}"), after.as_ref())
            }
            Event::Confirmed { message } => {
                let text = &specification.message(edge, *message).text;
                let _ = writeln!(self.out, "\n{}: property holds: {}", printable_line(&heading), printable_line(text));
                return;
            }
            Event::TooLarge => {
                let _ = writeln!(self.out, "\n{}: too large, not taken", printable_line(&heading));
                return;
            }
            Event::Unfocusable { reason, .. } => {
                let _ =
                    writeln!(self.out, "\n{}: a focus formula stays unknown ({reason:?})", printable_line(&heading));
                return;
            }
        };
        let _ = writeln!(self.out, "\n{}: {}", printable_line(&heading), printable_line(&what));
        let _ = write!(self.out, "{}", printable(&write_structure(structure, &specification.vocabulary)));
    }
}

/// A breached constraint with the assignment that breaches it.
pub fn explain(coercer: &Coercer, infeasible: &Infeasible, structure: &Structure, engine: &Engine) -> String {
    let name = |u: usize| structure.names().get(u).map_or_else(|| format!("_{u}"), |name| name.to_string());
    let assignment: Vec<String> =
        coercer.explain(infeasible, structure).iter().map(|(v, u)| format!("{v} = {}", name(*u))).collect();
    let rule = coercer.rules()[infeasible.rule].show(&engine.specification().vocabulary);
    if assignment.is_empty() { rule } else { format!("{rule}, for {}", assignment.join(", ")) }
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Focus => "focus",
        Phase::CoerceEarly => "coerce before the precondition",
        Phase::Precondition => "precondition",
        Phase::Update => "update",
        Phase::CoerceLate => "coerce after the update",
        Phase::Blur => "blur",
    }
}

//! `analyze --prove FORMULA@LOCATION`: does a formula hold of every store that reaches a location?
//!
//! The formula is evaluated on all structures of the location. If it is 1 on each of them, the Embedding Theorem makes
//! it true of all stores they represent. For example, `--prove 'E(v) x(v)@exit'` asks whether `x` points to something
//! at the exit.

use crate::locations::structures_at;
use serde::Serialize;
use std::collections::BTreeSet;
use trifold_fixpoint::{LocationId, Solution};
use trifold_logic::{Formula, PredicateId};
use trifold_pictures::picture;
use trifold_report::words::counted;
use trifold_structure::{Plan, Plane, Structure, Workspace};
use trifold_tvl::{Engine, Specification};
use trifold_tvp::{Failure, read_formula};

/// A text that is no goal.
#[derive(Debug)]
pub enum NoGoal {
    /// Its formula is wrong, for these reasons.
    Text(Box<Failure>),
    /// Something else is wrong.
    Because(String),
}

/// A formula that is to be proved.
pub struct Goal {
    text: String,
    formula: Formula,
    /// The location where it is to hold.
    pub location: LocationId,
}

/// The state of a goal.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It holds of everything that reaches the location.
    Proved,
    /// It may be false of something that reaches the location.
    MayFail,
    /// It is false of all stores of some structure at the location.
    Fails,
    /// Nothing reaches the location, so there is nothing to be proved.
    Unreached,
    /// The analysis has not come to its end, and nothing is wrong so far.
    Partial,
}

/// The result of a goal.
#[derive(Serialize, Debug)]
pub struct Proof {
    /// The formula.
    pub formula: String,
    /// The location.
    pub location: String,
    /// Its verdict.
    pub verdict: Standing,
    /// How many structures are at the location.
    pub structures: usize,
    /// On how many of them the formula is not known to hold.
    pub open: usize,
    /// One of those.
    #[serde(skip)]
    witness: Option<Structure>,
}

impl Goal {
    /// Reads `FORMULA@LOCATION`.
    pub fn read(text: &str, specification: &Specification) -> Result<Goal, NoGoal> {
        let Some((formula, location)) = text.rsplit_once('@') else {
            return Err(NoGoal::Because(format!("--prove wants FORMULA@LOCATION, and `{text}` has no @")));
        };
        let (formula, name) = (formula.trim(), location.trim());
        let locations = &specification.cfg.locations;
        let Some(location) = locations.position(|location| location == name) else {
            let all = locations.as_slice().join(", ");
            return Err(NoGoal::Because(format!("no location is called `{name}`; there are: {all}")));
        };
        let read = read_formula("--prove", formula, &specification.vocabulary).map_err(NoGoal::Text)?;
        if let Some(free) = read.free_vars().first() {
            let why = format!("--prove wants a closed formula, and `{free}` is free in `{formula}`");
            return Err(NoGoal::Because(why));
        }
        Ok(Goal { text: formula.to_string(), formula: read, location })
    }

    /// The predicates that it is about, at its location.
    pub fn observed(&self) -> (LocationId, BTreeSet<PredicateId>) {
        let mut predicates = BTreeSet::new();
        self.formula.visit_predicates(&mut |p| {
            predicates.insert(p);
        });
        (self.location, predicates)
    }

    /// Evaluates the formula on the structures of the analysis.
    pub fn judge(&self, engine: &Engine, solution: &Solution<Engine>) -> Proof {
        let structures = structures_at(solution, self.location);
        let arities = engine.specification().vocabulary.iter().map(|(_, predicate)| predicate.arity).collect();
        let mut plan = Plan::new(arities, Vec::new());
        let [must, may] = [Plane::Must, Plane::May].map(|plane| plan.compile(&self.formula, plane, &[]));
        let mut workspace = Workspace::default();
        let mut holds = |table, structure: &Structure| {
            workspace.begin(&plan, structure);
            workspace.holds(&plan, table)
        };
        let open: Vec<&Structure> = structures.iter().copied().filter(|structure| !holds(must, structure)).collect();
        let refuted = open.iter().find(|structure| !holds(may, structure));
        let verdict = match (refuted, open.len()) {
            (Some(_), _) => Standing::Fails,
            (None, 1..) => Standing::MayFail,
            (None, 0) if !solution.stop.is_fixpoint() => Standing::Partial,
            (None, 0) if structures.is_empty() => Standing::Unreached,
            (None, 0) => Standing::Proved,
        };
        Proof {
            formula: self.text.clone(),
            location: engine.specification().cfg.locations[self.location].clone(),
            verdict,
            structures: structures.len(),
            open: open.len(),
            witness: refuted.or(open.first()).map(|structure| (*structure).clone()),
        }
    }
}

impl Proof {
    /// Does it leave nothing to be desired?
    pub fn is_proved(&self) -> bool {
        self.verdict == Standing::Proved
    }

    /// One line for the summary.
    pub fn shown(&self) -> String {
        let verdict = match self.verdict {
            Standing::Proved => "proved",
            Standing::MayFail => "may fail",
            Standing::Fails => "fails",
            Standing::Unreached => "unreached",
            Standing::Partial => "partial",
        };
        let open = match self.open {
            0 => counted(self.structures, "structure"),
            open => format!("open on {open} of {}", counted(self.structures, "structure")),
        };
        format!("{verdict:<9}  {} @ {}  ({open})", self.formula, self.location)
    }

    /// A structure on which the formula is not known to hold, in words and drawn.
    pub fn objection(&self, engine: &Engine) -> Option<String> {
        let structure = self.witness.as_ref()?;
        let drawn = picture(structure, &engine.specification().vocabulary, "", false).outline();
        let (certainty, Proof { formula, location, .. }) =
            (if self.verdict == Standing::Fails { "is false" } else { "may be false" }, self);
        Some(format!("warning[not-proved]: at {location}, {formula} {certainty} of\n{}\n", drawn.trim_end()))
    }
}

//! Focus: replaces a structure by more definite ones that represent the same stores [LevAmi00 §6].
//!
//! A focus formula is normalised to conjunctions of literals. Within a conjunction, literals become definite one at a
//! time, under the assignments that potentially satisfy the literals before them; only the tuples of the literal at
//! hand matter, so no case is made twice. An unknown tuple splits the structure into three: the value is 0; it is 1;
//! or, when one of its individuals is a summary, that individual is two, of which one has the value 0 and the other 1.
//! For example, if `n` from the node of `x` to a summary node is 1/2, focus on `∃w x(w) ∧ n(w,v)` yields these three
//! structures.
//!
//! `unique`, `function` and `invfunction` remove cases that no store has, and tell that an individual stands for
//! one thing only: the target of a definite function edge, for instance. Literals that are so constrained go first.
//!
//! Where coerce comes next anyway, a case that is to be split further goes through it before. A case that it finds
//! infeasible or definite needs no splitting, and its work is done once for all cases that come of this one. The result
//! is the same: coerce leads to the least definite structure that is consistent and at least as definite as the given
//! one, and a rule that applies to a structure applies to its cases, which are embedded in it.
//!
//! # Soundness
//! The cases of a tuple cover all stores that the structure represents. A tuple that cannot be split (a tuple of two
//! summary individuals, equality on a summary individual, the constant 1/2) would need infinitely many structures; it
//! stays as it is, and is reported.

use crate::changes::Changes;
use crate::specification::Origin;
use std::collections::BTreeSet;
use trifold_logic::{
    DnfTooLarge, Formula, Kleene, Literal, LiteralAtom, PredicateId, Properties, Var, Vocabulary, focus_conjunctions,
};
use trifold_structure::{Individual, Plan, Plane, Structure, Table, Workspace, assignments};
use trifold_work::spend;

/// Why a focus formula is still 1/2 in some of the results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unfocusable {
    /// The literal relates two summary individuals.
    TwoSummaries,
    /// The literal leads from each new individual to the next one out of the same summary.
    EndlessMaterialization,
    /// The literal is an equality on a summary individual.
    SummaryEquality,
    /// The formula contains the constant 1/2.
    Constant,
    /// The formula's normal form has too many conjunctions.
    TooManyConjunctions,
    /// The structure has more cases than the limit.
    TooManyCases,
}

impl Unfocusable {
    /// Would it take infinitely many structures to make the formula definite?
    pub fn is_about_summaries(self) -> bool {
        matches!(self, Self::TwoSummaries | Self::EndlessMaterialization | Self::SummaryEquality)
    }
}

/// A literal to make definite.
#[derive(Debug)]
struct Step {
    atom: LiteralAtom,
    columns: Vec<Var>,
    /// Tuples of `columns` on which the literal is 1/2 while those before it are potentially satisfied.
    undecided: Table,
    /// Tuples on which the literal and those before it are potentially satisfied.
    possible: Table,
    origin: Origin,
}

/// The focus formulas of an action, compiled.
#[derive(Debug, Default)]
pub struct Focus {
    plan: Plan,
    steps: Vec<Step>,
    properties: Vec<Properties>,
    refused: Vec<(Origin, Unfocusable)>,
}

/// A structure on its way through focus.
#[derive(Clone, Debug)]
pub struct Focused {
    /// The structure.
    pub structure: Structure,
    /// The values that focus has made more definite in it.
    pub changes: Changes,
}

/// Makes a case consistent; tells whether it is feasible. Nothing if it is not asked for.
pub type Refine<'a> = Option<&'a mut dyn FnMut(&mut Focused) -> bool>;

/// No structure is split into more cases than this by one action.
const MAX_CASES: usize = 20_000;

impl Focus {
    /// Compiles focus formulas.
    pub fn new(formulas: &[(Formula, Origin)], vocabulary: &Vocabulary) -> Focus {
        let properties: Vec<Properties> = vocabulary.iter().map(|(_, p)| p.properties).collect();
        let arities = vocabulary.iter().map(|(_, p)| p.arity).collect();
        let mut focus = Focus { plan: Plan::new(arities, Vec::new()), properties, ..Focus::default() };
        for (formula, origin) in formulas {
            match focus_conjunctions(formula) {
                Ok(conjunctions) => conjunctions.into_iter().for_each(|c| focus.add(c, *origin)),
                Err(DnfTooLarge { .. }) => focus.refused.push((*origin, Unfocusable::TooManyConjunctions)),
            }
        }
        focus
    }

    fn add(&mut self, conjunction: Vec<Literal>, origin: Origin) {
        let mut prefix: Vec<Formula> = Vec::new();
        for literal in in_focus_order(conjunction, &self.properties) {
            let formula = literal.formula();
            let columns = formula.free_vars();
            let undecided = self.plan.compile_undecided(&prefix, &formula, &columns);
            prefix.push(formula);
            let possible = self.plan.compile_possible(&prefix, &columns);
            self.steps.push(Step { atom: literal.atom, columns, undecided, possible, origin });
        }
    }

    /// The most columns of a table that focus evaluates.
    pub fn width(&self) -> usize {
        self.plan.width()
    }

    /// Is there nothing to focus on?
    pub fn is_trivial(&self) -> bool {
        self.steps.is_empty() && self.refused.is_empty()
    }

    /// The structures that focus on all formulas yields, and the tuples that stayed undecided. Cases are refined before
    /// they are split.
    pub fn apply(
        &self,
        structure: &Structure,
        workspace: &mut Workspace,
        mut refine: Refine,
        unfocusable: &mut BTreeSet<(Origin, Unfocusable)>,
    ) -> Vec<Focused> {
        unfocusable.extend(self.refused.iter().copied());
        let mut results = Vec::new();
        let start = Focused { structure: structure.clone(), changes: Changes::none() };
        let mut open = vec![(start, Progress { step: 0, size: structure.size() })];
        while let Some((focused, progress)) = open.pop() {
            spend(100);
            if results.len() + open.len() > MAX_CASES {
                let origin = self.steps.get(progress.step).map_or(Origin::default(), |s| s.origin);
                unfocusable.insert((origin, Unfocusable::TooManyCases));
                results.push(focused);
                continue;
            }
            match self.advance(focused, progress, workspace, &mut refine, unfocusable) {
                Advance::Done(focused) => results.push(focused),
                Advance::Infeasible => {}
                // The last case is taken up first, so push them in reverse to keep their order.
                Advance::Cases(cases, progress) => open.extend(cases.into_iter().rev().map(|case| (case, progress))),
            }
        }
        results
    }

    /// Goes through the steps until one of them splits the structure.
    fn advance(
        &self,
        mut focused: Focused,
        mut progress: Progress,
        workspace: &mut Workspace,
        refine: &mut Refine,
        unfocusable: &mut BTreeSet<(Origin, Unfocusable)>,
    ) -> Advance {
        workspace.begin(&self.plan, &focused.structure);
        while let Some(step) = self.steps.get(progress.step) {
            if let Some(refine) = refine
                && focused.changes != Changes::none()
                && self.is_open(step, &focused.structure, workspace)
            {
                if !refine(&mut focused) {
                    return Advance::Infeasible;
                }
                workspace.begin(&self.plan, &focused.structure);
            }
            if let Some(u) = self.maybe_active(step, &focused.structure, workspace) {
                return Advance::Cases(activity_cases(&focused, u), progress);
            }
            let undecided = workspace.evaluate(&self.plan, step.undecided);
            for tuple in assignments(undecided, step.columns.len(), focused.structure.size()) {
                match self.cases(step, &tuple, &focused, progress.size) {
                    Ok(cases) => return Advance::Cases(cases, progress),
                    Err(reason) => {
                        unfocusable.insert((step.origin, reason));
                    }
                }
            }
            progress = Progress { step: progress.step + 1, size: focused.structure.size() };
        }
        Advance::Done(focused)
    }

    /// Is there anything to split?
    fn is_open(&self, step: &Step, structure: &Structure, workspace: &mut Workspace) -> bool {
        workspace.evaluate(&self.plan, step.undecided).iter().any(|word| *word != 0)
            || self.maybe_active(step, structure, workspace).is_some()
    }

    /// An individual on which the literal may hold, but which may be absent [LevAmi00 §7.4].
    fn maybe_active(&self, step: &Step, structure: &Structure, workspace: &mut Workspace) -> Option<Individual> {
        if structure.all_active() {
            return None;
        }
        let possible = workspace.evaluate(&self.plan, step.possible);
        let tuples = assignments(possible, step.columns.len(), structure.size());
        tuples.into_iter().flatten().find(|u| !structure.is_active(*u))
    }

    fn cases(
        &self,
        step: &Step,
        assignment: &[Individual],
        focused: &Focused,
        size: usize,
    ) -> Result<Vec<Focused>, Unfocusable> {
        match &step.atom {
            LiteralAtom::Unknown => Err(Unfocusable::Constant),
            LiteralAtom::Equal(..) => Err(Unfocusable::SummaryEquality),
            LiteralAtom::Predicate(predicate, arguments) => {
                let at = |v: &Var| assignment[step.columns.iter().position(|c| c == v).expect("a column")];
                let tuple: Vec<Individual> = arguments.iter().map(at).collect();
                let split = Split { predicate: *predicate, properties: self.properties[predicate.index()], focused };
                split.cases(&tuple, size)
            }
        }
    }
}

enum Advance {
    Done(Focused),
    Infeasible,
    Cases(Vec<Focused>, Progress),
}

/// How far a structure has come.
#[derive(Clone, Copy)]
struct Progress {
    /// The step it is at.
    step: usize,
    /// The number of individuals it had when it came to this step; later ones were split off by it.
    size: usize,
}

/// Either the individual exists, or it is not there.
fn activity_cases(focused: &Focused, u: Individual) -> Vec<Focused> {
    let mut present = focused.structure.clone();
    present.set_unary(PredicateId::AC, u, Kleene::True);
    let others: Vec<Individual> = present.universe().filter(|v| *v != u).collect();
    let absent = focused.structure.select(&others);
    [present, absent].map(|structure| Focused { structure, changes: Changes::Anything }).into()
}

/// The cases of one unknown tuple: 0, 1 and, with one summary individual among its elements, both.
pub(crate) fn split(structure: &Structure, predicate: PredicateId, tuple: &[Individual]) -> Option<Vec<Structure>> {
    let focused = Focused { structure: structure.clone(), changes: Changes::Anything };
    let split = Split { predicate, properties: Properties::default(), focused: &focused };
    split.cases(tuple, usize::MAX).ok().map(|cases| cases.into_iter().map(|case| case.structure).collect())
}

/// The case distinction on one tuple of one predicate.
struct Split<'a> {
    predicate: PredicateId,
    properties: Properties,
    focused: &'a Focused,
}

impl Split<'_> {
    fn cases(&self, tuple: &[Individual], size: usize) -> Result<Vec<Focused>, Unfocusable> {
        let structure = &self.focused.structure;
        let mut summaries: Vec<Individual> = tuple.iter().copied().filter(|u| structure.is_summary(*u)).collect();
        if summaries.len() > 1 {
            return Err(Unfocusable::TwoSummaries);
        }
        // An individual that this step split off must not split off further ones, or it would never end.
        if !summaries.is_empty() && tuple.iter().any(|u| *u >= size && !structure.is_summary(*u)) {
            return Err(Unfocusable::EndlessMaterialization);
        }
        let zero = self.with_false(self.focused.clone(), tuple);
        let one = self.with_true(self.focused.clone(), tuple);
        let both = summaries.pop().and_then(|summary| self.bifurcated(tuple, summary));
        Ok([zero, one, both].into_iter().flatten().collect())
    }

    /// The value is 0: impossible only for a reflexive pair.
    fn with_false(&self, mut case: Focused, tuple: &[Individual]) -> Option<Focused> {
        if let [u, v] = tuple
            && u == v
            && self.properties.reflexive
        {
            return None;
        }
        case.structure.set(self.predicate, tuple, Kleene::False);
        case.changes.sharpen(self.predicate, Plane::May, tuple);
        Some(case)
    }

    /// The value is 1, so the values that the properties exclude are 0; impossible when one of those is 1.
    fn with_true(&self, mut case: Focused, tuple: &[Individual]) -> Option<Focused> {
        let Focused { structure, changes } = &mut case;
        structure.set(self.predicate, tuple, Kleene::True);
        changes.sharpen(self.predicate, Plane::Must, tuple);
        let mut excluded: Vec<[Individual; 2]> = Vec::new();
        let mut singles: Vec<Individual> = Vec::new();
        match *tuple {
            [u] if self.properties.unique => {
                excluded.extend(structure.universe().filter(|w| *w != u).map(|w| [w, w]));
                singles.push(u);
            }
            [u, v] => {
                if self.properties.function {
                    excluded.extend(structure.universe().filter(|w| *w != v).map(|w| [u, w]));
                    singles.push(v);
                }
                if self.properties.invfunction {
                    excluded.extend(structure.universe().filter(|w| *w != u).map(|w| [w, v]));
                    singles.push(u);
                }
            }
            _ => {}
        }
        for other in &excluded {
            let other = &other[..tuple.len()];
            match structure.get(self.predicate, other) {
                Kleene::False => {}
                Kleene::True if other.iter().all(|w| structure.is_active(*w)) => return None,
                Kleene::True => {}
                Kleene::Unknown => {
                    structure.set(self.predicate, other, Kleene::False);
                    changes.sharpen(self.predicate, Plane::May, other);
                }
            }
        }
        for single in singles.into_iter().filter(|_| tuple.iter().all(|w| self.is_active(*w))) {
            if structure.is_summary(single) {
                structure.set_summary(single, false);
                changes.sharpen(PredicateId::SM, Plane::May, &[single]);
            }
        }
        Some(case)
    }

    fn is_active(&self, u: Individual) -> bool {
        // An individual created by the split is as active as the one it came from.
        u >= self.focused.structure.size() || self.focused.structure.is_active(u)
    }

    /// The summary individual is two: `u.0` with the value 0 and `u.1` with the value 1.
    fn bifurcated(&self, tuple: &[Individual], summary: Individual) -> Option<Focused> {
        let structure = &self.focused.structure;
        let copy = structure.size();
        let mut split = structure.with_copy(summary);
        if structure.tracks_names() {
            let mut names = split.names().to_vec();
            names[summary] = format!("{}.0", structure.names()[summary]).into();
            names[copy] = format!("{}.1", structure.names()[summary]).into();
            split.set_names(names);
        }
        let mut changes = self.focused.changes.clone();
        changes.split(summary, copy);
        let image: Vec<Individual> = tuple.iter().map(|u| if *u == summary { copy } else { *u }).collect();
        let rest = self.with_false(Focused { structure: split, changes }, tuple)?;
        self.with_true(rest, &image)
    }
}

/// Puts the literals first that decide most: nullary, unique, other unary; then binary ones as their
/// variables become known to be single individuals.
fn in_focus_order(mut literals: Vec<Literal>, properties: &[Properties]) -> Vec<Literal> {
    let mut single: BTreeSet<Var> = BTreeSet::new();
    let mut ordered: Vec<Literal> = Vec::new();
    while !literals.is_empty() {
        let best = (0..literals.len()).min_by_key(|i| (priority(&literals[*i], properties, &single), *i));
        let literal = literals.remove(best.expect("literals is not empty"));
        if literal.positive {
            single.extend(made_single(&literal, properties, &single));
        }
        ordered.push(literal);
    }
    ordered
}

fn priority(literal: &Literal, properties: &[Properties], single: &BTreeSet<Var>) -> usize {
    match &literal.atom {
        LiteralAtom::Unknown => 0,
        LiteralAtom::Equal(..) => 7,
        LiteralAtom::Predicate(predicate, arguments) => match &arguments[..] {
            [] => 0,
            [_] if properties[predicate.index()].unique && literal.positive => 1,
            [_] if properties[predicate.index()].unique => 2,
            [_] => 3,
            [v, w] => match (single.contains(v), single.contains(w)) {
                (true, true) => 4,
                (true, false) | (false, true) => 5,
                (false, false) => 6,
            },
            _ => unreachable!("predicates have at most two arguments"),
        },
    }
}

/// The variables that a positive literal binds to single individuals.
fn made_single(literal: &Literal, properties: &[Properties], single: &BTreeSet<Var>) -> Vec<Var> {
    let LiteralAtom::Predicate(predicate, arguments) = &literal.atom else { return Vec::new() };
    let properties = properties[predicate.index()];
    match &arguments[..] {
        [v] if properties.unique => vec![v.clone()],
        [v, w] if properties.function && single.contains(v) => vec![w.clone()],
        [v, w] if properties.invfunction && single.contains(w) => vec![v.clone()],
        _ => Vec::new(),
    }
}

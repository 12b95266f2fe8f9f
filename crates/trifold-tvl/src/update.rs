//! Update: the effect of an action on a structure [LevAmi00 §3.2.3, §7.5].
//!
//! `%new` comes first, then all right-hand sides are evaluated on the structure as it then is, then the predicates
//! change all at once, then `%retain` removes individuals. A predicate without a formula keeps its values. For example,
//! `x(v) = y(v)` and `y(v) = x(v)` in one action swap `x` and `y`.
//!
//! # Soundness
//! Formulas are evaluated in Kleene's logic, so the Embedding Theorem makes the new values conservative. A copy of a
//! summary individual stands for the copies of all its members: `instance` between the two is 1/2, because a member's
//! copy is an instance of that member only.
//!
//! `%clone` duplicates a part of the store: the copy of `a` has the unary values of `a`, the copies of `a` and `b` are
//! related as `a` and `b` are, and only `instance` relates copies to individuals that were there before. On structures,
//! the copies of the members of `u` and `w` are represented by the copies of `u` and `w`. The value `p(u, w)` is
//! conservative for every pair of members, so it is for every pair of copies, also when `u` is `w`.

use crate::changes::{Changes, Direction};
use crate::specification::{Action, New};
use trifold_logic::{Formula, Kleene, PredicateId, Var, Vocabulary};
use trifold_structure::{Extent, Individual, Plan, Plane, Structure, Table, Workspace, test};

/// The two planes of a formula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    pub must: Table,
    pub may: Table,
}

impl Planes {
    pub fn compile(plan: &mut Plan, formula: &Formula, columns: &[Var]) -> Planes {
        let [must, may] = plan.compile_planes(formula, columns);
        Planes { must, may }
    }
}

#[derive(Debug)]
enum Creation {
    None,
    Single,
    Copies { plan: Box<Plan>, which: Planes, values: bool },
}

/// A compiled update.
#[derive(Debug)]
pub struct Transformer {
    creation: Creation,
    /// Over the structure after `%new`.
    plan: Plan,
    updates: Vec<(PredicateId, Planes)>,
    retain: Option<Planes>,
}

/// The result of an update.
#[derive(Clone, Debug)]
pub struct Updated {
    /// The new structure.
    pub structure: Structure,
    /// How it differs from the old one.
    pub changes: Changes,
}

impl Transformer {
    /// Compiles an action whose precondition has these free variables.
    pub fn new(action: &Action, arities: &[usize], parameters: &[Var]) -> Transformer {
        let plan = || Plan::new(arities.to_vec(), parameters.to_vec());
        let creation = match &action.new {
            None => Creation::None,
            Some(New::Single) => Creation::Single,
            Some(New::Copies { variable, formula } | New::Clones { variable, formula }) => {
                let mut plan = plan();
                let which = Planes::compile(&mut plan, formula, std::slice::from_ref(variable));
                let values = matches!(action.new, Some(New::Clones { .. }));
                Creation::Copies { plan: Box::new(plan), which, values }
            }
        };
        let mut plan = plan();
        let mut updates = Vec::new();
        for update in &action.updates {
            let planes = Planes::compile(&mut plan, &update.formula, &update.parameters);
            // Derived updates, which come later, may speak of the new value.
            plan.set_updated(update.predicate, Plane::Must, planes.must);
            plan.set_updated(update.predicate, Plane::May, planes.may);
            updates.push((update.predicate, planes));
        }
        let retain = action.retain.as_ref();
        let retain = retain.map(|r| Planes::compile(&mut plan, &r.formula, std::slice::from_ref(&r.variable)));
        Transformer { creation, plan, updates, retain }
    }

    /// The most columns of a table that the update evaluates.
    pub fn width(&self) -> usize {
        let creation = if let Creation::Copies { plan, .. } = &self.creation { plan.width() } else { 0 };
        self.plan.width().max(creation)
    }

    /// The structure after the action.
    pub fn apply(&self, structure: &Structure, parameters: &[Individual], workspace: &mut Workspace) -> Updated {
        let old = self.create(structure, parameters, workspace);
        let old = old.as_ref().unwrap_or(structure);
        workspace.begin(&self.plan, old);
        workspace.set_parameters(&self.plan, parameters);
        let mut new = old.clone();
        for (predicate, planes) in &self.updates {
            for (plane, table) in [(Plane::Must, planes.must), (Plane::May, planes.may)] {
                let value = workspace.evaluate(&self.plan, table);
                if self.plan.arity(table) == 0 {
                    new.set_nullary_plane(*predicate, plane, value[0] != 0);
                } else {
                    new.plane_mut(*predicate, plane).copy_from_slice(value);
                }
            }
        }
        let new = self.retain(new, workspace);
        let universe_changed = new.size() != structure.size() || self.retain.is_some();
        let changes = if universe_changed { Changes::Anything } else { self.changes(old, &new) };
        Updated { structure: new, changes }
    }

    /// The structure with the individuals that `%new` creates, unless there are none.
    fn create(&self, structure: &Structure, parameters: &[Individual], workspace: &mut Workspace) -> Option<Structure> {
        match &self.creation {
            Creation::None => None,
            Creation::Single => Some(with_new(structure, &[None])),
            Creation::Copies { plan, which, values } => {
                workspace.begin(plan, structure);
                workspace.set_parameters(plan, parameters);
                let may = workspace.evaluate(plan, which.may).to_vec();
                let must = workspace.evaluate(plan, which.must);
                let copies: Vec<Option<(Individual, bool)>> = structure
                    .universe()
                    .filter(|u| test(&may, *u))
                    .map(|u| Some((u, test(must, u) && structure.is_active(u))))
                    .collect();
                let mut extended = with_new(structure, &copies);
                if *values {
                    copy_values(&mut extended, structure.size(), &copies);
                }
                Some(extended)
            }
        }
    }

    fn retain(&self, mut new: Structure, workspace: &mut Workspace) -> Structure {
        if !matches!(self.creation, Creation::None) {
            clear_transient(&mut new);
        }
        let Some(retain) = &self.retain else { return new };
        let must = workspace.evaluate(&self.plan, retain.must).to_vec();
        let may = workspace.evaluate(&self.plan, retain.may);
        let kept: Vec<Individual> = new.universe().filter(|u| test(may, *u)).collect();
        let mut result = if kept.len() == new.size() { new } else { new.select(&kept) };
        for (i, u) in kept.iter().enumerate() {
            if !test(&must, *u) {
                result.set_unary(PredicateId::AC, i, Kleene::Unknown);
            }
        }
        result
    }

    /// Compares the planes of the updated predicates.
    fn changes(&self, old: &Structure, new: &Structure) -> Changes {
        let mut changes = Changes::none();
        for (predicate, _) in &self.updates {
            for plane in [Plane::Must, Plane::May] {
                let [gained, lost] = difference(old, new, *predicate, plane);
                // More bits on `must` are more definite, more bits on `may` are less.
                let [sharpened, weakened] = if plane == Plane::Must { [gained, lost] } else { [lost, gained] };
                for (direction, extent) in [(Direction::Sharpened, sharpened), (Direction::Weakened, weakened)] {
                    if extent != Extent::default() {
                        changes.note(*predicate, plane, direction, extent);
                    }
                }
            }
        }
        changes
    }
}

/// The extents of the tuples that are only on the new plane, and only on the old one.
fn difference(old: &Structure, new: &Structure, predicate: PredicateId, plane: Plane) -> [Extent; 2] {
    let arity = old.layout().arity(predicate);
    if arity == 0 {
        let on = |s: &Structure| {
            let value = s.nullary(predicate);
            if plane == Plane::Must { value.must() } else { value.may() }
        };
        let (old, new) = (on(old), on(new));
        return [new && !old, old && !new].map(|on| if on { Extent::ALL } else { Extent::default() });
    }
    let (old, new) = (old.plane(predicate, plane), new.plane(predicate, plane));
    if old == new {
        return [Extent::default(); 2];
    }
    let rows = || old.iter().zip(new);
    let extents =
        [Extent::of_rows(rows().map(|(old, new)| new & !old)), Extent::of_rows(rows().map(|(old, new)| old & !new))];
    extents.map(|extent| if arity == 1 { Extent { first: extent.second, ..extent } } else { extent })
}

/// Adds an individual for each entry: a copy of the given one, surely there or not, or an altogether new one.
fn with_new(structure: &Structure, created: &[Option<(Individual, bool)>]) -> Structure {
    let size = structure.size();
    let mut result = structure.extended(created.len());
    for (i, copy) in created.iter().enumerate() {
        let u = size + i;
        result.set_unary(PredicateId::IS_NEW, u, Kleene::True);
        if let Some((original, surely)) = copy {
            let summary = structure.is_summary(*original);
            result.set_summary(u, summary);
            result.set_binary(
                PredicateId::INSTANCE,
                u,
                *original,
                if summary { Kleene::Unknown } else { Kleene::True },
            );
            if !surely {
                result.set_unary(PredicateId::AC, u, Kleene::Unknown);
            }
        }
    }
    result
}

/// Gives the copies, which come after the first `size` individuals, the values of their originals.
fn copy_values(structure: &mut Structure, size: usize, copies: &[Option<(Individual, bool)>]) {
    let originals: Vec<Individual> = copies.iter().flatten().map(|(original, _)| *original).collect();
    let layout = structure.layout().clone();
    for p in (Vocabulary::BUILT_IN..layout.predicates()).map(|p| PredicateId(p as u32)) {
        for (i, u) in originals.iter().enumerate() {
            match layout.arity(p) {
                0 => {}
                1 => structure.set_unary(p, size + i, structure.unary(p, *u)),
                _ => originals
                    .iter()
                    .enumerate()
                    .for_each(|(j, w)| structure.set_binary(p, size + i, size + j, structure.binary(p, *u, *w))),
            }
        }
    }
}

/// `isNew` and `instance` last only as long as the action.
fn clear_transient(structure: &mut Structure) {
    for predicate in [PredicateId::IS_NEW, PredicateId::INSTANCE] {
        for plane in [Plane::Must, Plane::May] {
            structure.plane_mut(predicate, plane).fill(0);
        }
    }
}

//! Coerce: makes a structure as definite as the consistency rules allow, or finds it infeasible [LevAmi00 §5].
//!
//! For a rule `body ▷ head`, the assignments under which `must(body) ∧ ¬must(head)` are its breaches, and they are
//! found for all assignments in one evaluation. A breach whose head is 1/2 is repaired; one whose head is 0 cannot be,
//! and the structure represents no store.
//!
//! Rules are ordered by the strongly connected components of "the head of one is read by the body of the other", so that
//! most of the time one pass is enough. Only rules that read a plane which has become more definite, or whose head has
//! become less so, are looked at. This gives the same result as looking at all of them: blur and join
//! keep satisfied rules satisfied, because a body that is 1 on a merged structure was 1 on all that went into
//! it, hence so was the head.
//!
//! # Soundness
//! An assignment with an individual that may be absent breaches nothing [LevAmi00 §7.3].

use crate::specification::{Constraint, Head};
use trifold_logic::{Formula, Kleene, PredicateId, Var};
use trifold_structure::naive::{self, Assignment};
use trifold_structure::{Individual, Plan, Plane, Source, Structure, Table, Workspace, row_words, test};

/// A set of planes of predicates.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Planes(Vec<u64>);

impl Planes {
    /// Adds a plane.
    pub fn insert(&mut self, predicate: PredicateId, plane: Plane) {
        let bit = 2 * predicate.index() + plane as usize;
        if self.0.len() <= bit / 64 {
            self.0.resize(bit / 64 + 1, 0);
        }
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn union(&mut self, other: &Planes) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, bits)| *word |= bits);
    }

    fn contains_all(&self, other: &Planes) -> bool {
        other.0.iter().enumerate().all(|(i, bits)| bits & !self.0.get(i).unwrap_or(&0) == 0)
    }

    /// The planes on which a structure has some bit.
    fn set_to_non_empty(&mut self, structure: &Structure) {
        self.0.clear();
        self.0.resize((2 * structure.layout().predicates()).div_ceil(64), 0);
        for predicate in (0..structure.layout().predicates()).map(|p| PredicateId(p as u32)) {
            let [must, may] = if structure.layout().arity(predicate) == 0 {
                let value = structure.nullary(predicate);
                [value.must(), value.may()]
            } else {
                [Plane::Must, Plane::May].map(|plane| structure.plane(predicate, plane).iter().any(|word| *word != 0))
            };
            let bit = 2 * predicate.index();
            self.0[bit / 64] |= (must as u64 | (may as u64) << 1) << (bit % 64);
        }
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        trifold_structure::bits(&self.0)
    }
}

/// What has happened to a structure since it last satisfied all rules.
#[derive(Clone, Debug)]
pub enum Changes {
    /// Anything: all rules must be looked at.
    Anything,
    /// Only these planes.
    Planes {
        /// Planes on which values have become more definite: 1 on `must`, 0 on `may`.
        sharpened: Planes,
        /// Planes on which values have become less definite.
        weakened: Planes,
    },
}

impl Changes {
    /// Nothing has happened.
    pub fn none() -> Changes {
        Changes::Planes { sharpened: Planes::default(), weakened: Planes::default() }
    }

    /// Adds what happened at another time.
    pub fn also(&mut self, other: &Changes) {
        match (&mut *self, other) {
            (Changes::Anything, _) => {}
            (_, Changes::Anything) => *self = Changes::Anything,
            (Changes::Planes { sharpened, weakened }, Changes::Planes { sharpened: s, weakened: w }) => {
                sharpened.union(s);
                weakened.union(w);
            }
        }
    }

    /// Notes that a predicate has been made 1 somewhere (`Must`) or 0 (`May`).
    pub fn sharpen(&mut self, predicate: PredicateId, plane: Plane) {
        if let Changes::Planes { sharpened, .. } = self {
            sharpened.insert(predicate, plane);
        }
    }

    /// Notes that a predicate is no longer 1 somewhere (`Must`) or no longer 0 (`May`).
    pub fn weaken(&mut self, predicate: PredicateId, plane: Plane) {
        if let Changes::Planes { weakened, .. } = self {
            weakened.insert(predicate, plane);
        }
    }
}

/// The structure represents no store: this rule is breached beyond repair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Infeasible {
    /// Index of the rule, see [`Coercer::rules`].
    pub rule: usize,
    /// The individuals at the rule's head (none for the head 0).
    pub tuple: Vec<Individual>,
}

/// A rule ready for evaluation.
#[derive(Debug)]
struct Rule {
    head: Head,
    /// Distinct variables of the head: the columns of `breaches`.
    columns: Vec<Var>,
    /// `must(body) ∧ ¬must(head)`.
    breaches: Table,
    /// Planes of which none is empty when the rule is breached.
    required: Planes,
}

/// The compiled rules of an analysis.
#[derive(Debug)]
pub struct Coercer {
    plan: Plan,
    rules: Vec<Rule>,
    constraints: Vec<Constraint>,
    /// For each plane (two per predicate) the rules whose body reads it.
    readers: Vec<Vec<u32>>,
    /// For each plane the rules whose head demands it.
    demanders: Vec<Vec<u32>>,
}

/// Memory that coerce reuses from call to call.
#[derive(Default, Debug)]
pub struct CoerceScratch {
    workspace: Workspace,
    pending: Vec<u64>,
    /// The planes that are not empty, or have not been at the beginning.
    non_empty: Planes,
}

impl Coercer {
    /// Compiles rules and puts them into the order of their dependencies.
    pub fn new(constraints: Vec<Constraint>, arities: &[usize]) -> Coercer {
        let mut plan = Plan::new(arities.to_vec(), Vec::new());
        let constraints = in_dependency_order(constraints, &mut plan);
        let planes = 2 * arities.len();
        let (mut readers, mut demanders) = (vec![Vec::new(); planes], vec![Vec::new(); planes]);
        let mut rules = Vec::new();
        for (i, constraint) in constraints.iter().enumerate() {
            for plane in reads(constraint, &mut plan) {
                readers[plane].push(i as u32);
            }
            if let Some(plane) = demands(&constraint.head) {
                demanders[plane].push(i as u32);
            }
            rules.push(compile(constraint, &mut plan));
        }
        Coercer { plan, rules, constraints, readers, demanders }
    }

    /// The most columns of a table that coerce evaluates.
    pub fn width(&self) -> usize {
        self.plan.width()
    }

    /// The rules, in the order in which they are evaluated.
    pub fn rules(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The rules that have to be looked at again when this one has repaired something.
    pub fn dependents(&self, rule: usize) -> &[u32] {
        demands(&self.constraints[rule].head).map_or(&[], |plane| &self.readers[plane])
    }

    /// Repairs the structure until no rule is breached.
    pub fn coerce(
        &self,
        structure: &mut Structure,
        changes: &Changes,
        scratch: &mut CoerceScratch,
    ) -> Result<(), Infeasible> {
        let CoerceScratch { workspace, pending, non_empty } = scratch;
        self.first(changes, pending);
        if pending.iter().all(|word| *word == 0) {
            return Ok(());
        }
        workspace.begin(&self.plan, structure);
        non_empty.set_to_non_empty(structure);
        while let Some(rule) = take_first(pending) {
            if !non_empty.contains_all(&self.rules[rule].required) {
                continue;
            }
            let Some(changed) = self.repair(rule, structure, workspace)? else { continue };
            let (predicate, plane) = changed;
            non_empty.insert(predicate, plane);
            workspace.invalidate(&self.plan, Source::Predicate(predicate, plane));
            for reader in &self.readers[index(predicate, plane)] {
                pending[*reader as usize / 64] |= 1 << (reader % 64);
            }
        }
        Ok(())
    }

    fn first(&self, changes: &Changes, pending: &mut Vec<u64>) {
        pending.clear();
        pending.resize(self.rules.len().div_ceil(64), 0);
        let mut add = |rule: u32| pending[rule as usize / 64] |= 1 << (rule % 64);
        match changes {
            Changes::Anything => (0..self.rules.len() as u32).for_each(add),
            Changes::Planes { sharpened, weakened } => {
                sharpened.iter().flat_map(|plane| &self.readers[plane]).for_each(|rule| add(*rule));
                weakened.iter().flat_map(|plane| &self.demanders[plane]).for_each(|rule| add(*rule));
            }
        }
    }

    /// Repairs the breaches of one rule; tells which plane has changed, if any.
    fn repair(
        &self,
        number: usize,
        structure: &mut Structure,
        workspace: &mut Workspace,
    ) -> Result<Option<(PredicateId, Plane)>, Infeasible> {
        let rule = &self.rules[number];
        let breaches = workspace.evaluate(&self.plan, rule.breaches, structure);
        if breaches.iter().all(|word| *word == 0) {
            return Ok(None);
        }
        if let Head::Predicate { predicate, arguments, positive } = &rule.head
            && (1..=2).contains(&arguments.len())
            && arguments.len() == rule.columns.len()
        {
            let breaches = breaches.to_vec();
            let repaired = repair_all(structure, *predicate, *positive, &breaches);
            return match repaired {
                Ok(changed) => Ok(changed.then_some((*predicate, plane_of(*positive)))),
                Err(tuple) => Err(Infeasible { rule: number, tuple }),
            };
        }
        let mut changed = None;
        for assignment in assignments(breaches, rule.columns.len(), structure.size()) {
            if !assignment.iter().all(|u| structure.is_active(*u)) {
                continue;
            }
            let at = |v: &Var| assignment[rule.columns.iter().position(|c| c == v).expect("a column")];
            let infeasible = |tuple: Vec<Individual>| Infeasible { rule: number, tuple };
            match &rule.head {
                Head::False => return Err(infeasible(Vec::new())),
                Head::Predicate { predicate, arguments, positive } => {
                    let tuple: Vec<Individual> = arguments.iter().map(at).collect();
                    let wanted = Kleene::from(*positive);
                    match structure.get(*predicate, &tuple) {
                        Kleene::Unknown => structure.set(*predicate, &tuple, wanted),
                        value if value == wanted => continue,
                        _ => return Err(infeasible(tuple)),
                    }
                    changed = Some((*predicate, plane_of(*positive)));
                }
                Head::Equal { left, right, positive } => {
                    let (u, v) = (at(left), at(right));
                    match (*positive, u == v) {
                        (true, true) => {
                            structure.set_summary(u, false);
                            changed = Some((PredicateId::SM, Plane::May));
                        }
                        (true, false) | (false, true) => return Err(infeasible(vec![u, v])),
                        (false, false) => {}
                    }
                }
            }
        }
        Ok(changed)
    }

    /// The whole assignment behind an infeasibility, found by the definition: for reports.
    pub fn explain(&self, infeasible: &Infeasible, structure: &Structure) -> Assignment {
        let constraint = &self.constraints[infeasible.rule];
        let mut assignment: Assignment =
            head_vars(&constraint.head).into_iter().zip(infeasible.tuple.iter().copied()).collect();
        let mut bound = Vec::new();
        let mut body = &constraint.body;
        while let Formula::Exists(v, inner) = body {
            bound.push(v.clone());
            body = inner;
        }
        let free = constraint.body.free_vars();
        let open: Vec<Var> = free.into_iter().filter(|v| !assignment.contains_key(v)).chain(bound).collect();
        for tuple in all_tuples(open.len(), structure.size()) {
            let mut candidate = assignment.clone();
            candidate.extend(open.iter().cloned().zip(tuple));
            if naive::evaluate(body, structure, &candidate) == Kleene::True {
                assignment = candidate;
                break;
            }
        }
        assignment
    }
}

/// Gives a predicate the wanted value at all breaches, whose columns are its arguments, as far as the individuals surely
/// exist. Tells whether anything changed, or a tuple that has the opposite value.
fn repair_all(
    structure: &mut Structure,
    predicate: PredicateId,
    positive: bool,
    breaches: &[u64],
) -> Result<bool, Vec<Individual>> {
    let row = row_words(structure.size());
    let active = structure.row(PredicateId::AC, Plane::Must).to_vec();
    let binary = structure.layout().arity(predicate) == 2;
    let mut changed = false;
    for (u, bits) in breaches.chunks_exact(row).enumerate() {
        if binary && !test(&active, u) {
            continue;
        }
        for (i, bits) in bits.iter().enumerate() {
            let breached = bits & active[i];
            if breached == 0 {
                continue;
            }
            let word = u * row + i;
            let opposite = if positive {
                breached & !structure.plane(predicate, Plane::May)[word]
            } else {
                breached & structure.plane(predicate, Plane::Must)[word]
            };
            if opposite != 0 {
                let v = i * 64 + opposite.trailing_zeros() as usize;
                return Err(if binary { vec![u, v] } else { vec![v] });
            }
            let plane = &mut structure.plane_mut(predicate, plane_of(positive))[word];
            let repaired = if positive { *plane | breached } else { *plane & !breached };
            changed |= repaired != *plane;
            *plane = repaired;
        }
    }
    Ok(changed)
}

/// Removes and returns the smallest element of a set.
fn take_first(set: &mut [u64]) -> Option<usize> {
    let (word, bits) = set.iter_mut().enumerate().find(|(_, bits)| **bits != 0)?;
    let first = word * 64 + bits.trailing_zeros() as usize;
    *bits &= *bits - 1;
    Some(first)
}

fn all_tuples(arity: usize, size: usize) -> impl Iterator<Item = Vec<Individual>> {
    let count = size.pow(arity as u32);
    (0..count).map(move |number| (0..arity).map(|i| number / size.pow(i as u32) % size).collect())
}

fn index(predicate: PredicateId, plane: Plane) -> usize {
    2 * predicate.index() + plane as usize
}

fn plane_of(positive: bool) -> Plane {
    if positive { Plane::Must } else { Plane::May }
}

/// The plane that a rule changes when it repairs.
fn demands(head: &Head) -> Option<usize> {
    match head {
        Head::Predicate { predicate, positive, .. } => Some(index(*predicate, plane_of(*positive))),
        Head::Equal { positive: true, .. } => Some(index(PredicateId::SM, Plane::May)),
        Head::Equal { positive: false, .. } | Head::False => None,
    }
}

/// The variables of a head, in order of argument, repeated ones once.
fn head_vars(head: &Head) -> Vec<Var> {
    head.formula().free_vars()
}

fn reads(constraint: &Constraint, plan: &mut Plan) -> Vec<usize> {
    let columns = constraint.body.free_vars();
    let body = plan.compile(&constraint.body, Plane::Must, &columns);
    let plane = |source: &Source| match source {
        Source::Predicate(predicate, plane) => Some(index(*predicate, *plane)),
        Source::Parameters => None,
    };
    plan.sources(body).iter().filter_map(plane).collect()
}

fn compile(constraint: &Constraint, plan: &mut Plan) -> Rule {
    let head = constraint.head.clone();
    let columns = head_vars(&head);
    let hidden: Vec<Var> = constraint.body.free_vars().into_iter().filter(|v| !columns.contains(v)).collect();
    let body = Formula::exists(hidden, constraint.body.clone());
    let breaches = plan.compile_breaches(&body, &head.formula(), &columns);
    let mut required = Planes::default();
    plan.required(breaches).iter().for_each(|(predicate, plane)| required.insert(*predicate, *plane));
    Rule { head, columns, breaches, required }
}

/// The assignments whose bits are set in a table.
pub(crate) fn assignments(table: &[u64], columns: usize, size: usize) -> Vec<Vec<Individual>> {
    let row = row_words(size);
    match columns {
        0 => {
            if table[0] != 0 {
                vec![Vec::new()]
            } else {
                Vec::new()
            }
        }
        1 => trifold_structure::bits(table).map(|u| vec![u]).collect(),
        2 => (0..size)
            .flat_map(|u| trifold_structure::bits(&table[u * row..(u + 1) * row]).map(move |v| vec![u, v]))
            .collect(),
        _ => all_tuples(columns, size)
            .filter(|tuple| {
                let (last, rows) = tuple.split_last().expect("at least three columns");
                let number = rows.iter().fold(0, |number, u| number * size + u);
                test(&table[number * row..(number + 1) * row], *last)
            })
            .collect(),
    }
}

/// Sorts rules so that a rule comes after those whose repairs it reads, as far as there is no cycle.
fn in_dependency_order(constraints: Vec<Constraint>, plan: &mut Plan) -> Vec<Constraint> {
    // Rules and planes are the vertices: a rule leads to the plane it changes, a plane to the rules that read it.
    let planes = 1 + constraints
        .iter()
        .flat_map(|c| reads(c, plan))
        .chain(constraints.iter().filter_map(|c| demands(&c.head)))
        .max()
        .unwrap_or(0);
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); constraints.len() + planes];
    for (i, constraint) in constraints.iter().enumerate() {
        for plane in reads(constraint, plan) {
            successors[constraints.len() + plane].push(i);
        }
        successors[i].extend(demands(&constraint.head).map(|plane| constraints.len() + plane));
    }
    let component = trifold_fixpoint::strongly_connected_components(&successors);
    let mut order: Vec<usize> = (0..constraints.len()).collect();
    order.sort_by_key(|i| (component[*i], *i));
    order.into_iter().map(|i| constraints[i].clone()).collect()
}

//! Coerce: makes a structure as definite as the consistency rules allow, or finds it infeasible [LevAmi00 §5].
//!
//! For a rule `body ▷ head`, the assignments under which `must(body) ∧ ¬must(head)` are its breaches, and they are
//! found for all assignments in one evaluation. A breach whose head is 1/2 is repaired; one whose head is 0 cannot be,
//! and the structure represents no store. For example, the rule `x(v) ∧ v ≠ w ▷ ¬x(w)` makes `x(b)` 0 if `x(a)` is 1
//! and `x(b)` is 1/2; if both are 1, the structure is infeasible.
//!
//! Rules are ordered by the strongly connected components of "the head of one is read by the body of the other", so
//! that most of the time one pass is enough. Only rules that read a value which has become more definite, or whose head
//! has become less so, are looked at, and first it is searched for an assignment that makes use of the changed value.
//! This gives the same result as looking at all of them: blur and join keep satisfied rules satisfied, because a body
//! that is 1 on a merged structure was 1 on all that went into it, hence so was the head.
//!
//! # Soundness
//! An assignment with an individual that may be absent breaches nothing [LevAmi00 §7.3].

use crate::changes::{Changes, Direction};
use crate::specification::{Constraint, Head};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use trifold_logic::{Formula, Kleene, PredicateId, Var};
use trifold_structure::naive::{self, Assignment};
use trifold_structure::{
    Cause, Extent, Individual, Plan, Plane, Query, Source, Structure, Table, Workspace, all_tuples, assign,
    assignments, row_words, test,
};
use trifold_work::listen;

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
    /// Its checks, of which the first is about all assignments; none if another rule says the same.
    checks: Range<u32>,
}

/// A question whether a rule is breached.
#[derive(Debug)]
struct Check {
    rule: u32,
    query: Query,
}

/// The meaning of a rule: the table of its breaches, the value that it demands there, and of which columns.
type Meaning = (Table, Option<(PredicateId, Plane)>, Vec<usize>);

/// The compiled rules of an analysis.
#[derive(Debug)]
pub struct Coercer {
    plan: Plan,
    rules: Vec<Rule>,
    constraints: Vec<Constraint>,
    /// The checks of all rules, in the order of the rules.
    checks: Vec<Check>,
    /// For each kind of change the checks that it calls for; see [`kind`].
    called: Vec<Vec<u32>>,
}

/// Memory that coerce reuses from call to call.
#[derive(Default, Debug)]
pub struct CoerceScratch {
    workspace: Workspace,
    agenda: Agenda,
}

/// The checks to be made, in the order of their numbers.
#[derive(Default, Debug)]
struct Agenda {
    pending: Vec<u64>,
    /// No check of a word in front of this one is pending.
    word: usize,
    /// For each check where that has changed which it is about, since it was made last.
    extents: Vec<Extent>,
}

impl Agenda {
    /// Forgets pending checks. Extents of other checks are empty already, because the removal of a check empties its
    /// extent.
    fn clear(&mut self, checks: usize) {
        while self.take().is_some() {}
        self.pending.resize(checks.div_ceil(64), 0);
        self.extents.resize(checks, Extent::default());
        self.word = 0;
    }

    fn add(&mut self, check: u32, extent: Extent) {
        assign(&mut self.pending, check as usize, true);
        self.extents[check as usize].add(extent);
        self.word = self.word.min(check as usize / 64);
    }

    fn remove(&mut self, check: u32) {
        assign(&mut self.pending, check as usize, false);
        self.extents[check as usize] = Extent::default();
    }

    /// Removes the first check.
    fn take(&mut self) -> Option<(usize, Extent)> {
        loop {
            let bits = self.pending.get_mut(self.word)?;
            if *bits == 0 {
                self.word += 1;
                continue;
            }
            let first = self.word * 64 + bits.trailing_zeros() as usize;
            *bits &= *bits - 1;
            return Some((first, std::mem::take(&mut self.extents[first])));
        }
    }
}

impl Coercer {
    /// Compiles rules and puts them into the order of their dependencies.
    pub fn new(constraints: Vec<Constraint>, arities: &[usize]) -> Coercer {
        let mut plan = Plan::new(arities.to_vec(), Vec::new());
        let constraints = in_dependency_order(constraints, arities.len(), &mut plan);
        let mut coercer = Coercer {
            plan,
            rules: Vec::new(),
            constraints: Vec::new(),
            checks: Vec::new(),
            called: vec![Vec::new(); 4 * arities.len()],
        };
        let mut said = BTreeSet::new();
        constraints.iter().for_each(|constraint| coercer.add(constraint, &mut said));
        Coercer { constraints, ..coercer }
    }

    /// Compiles a rule and its checks. One that says the same as a rule before it, in other variables, needs none.
    fn add(&mut self, constraint: &Constraint, said: &mut BTreeSet<Meaning>) {
        listen();
        let head = constraint.head.clone();
        let columns = head_vars(&head);
        let hidden: Vec<Var> = constraint.body.free_vars().into_iter().filter(|v| !columns.contains(v)).collect();
        let body = Formula::exists(hidden, constraint.body.clone());
        let breaches = self.plan.compile_breaches(&body, &head.formula(), &columns);
        let (rule, first) = (self.rules.len() as u32, self.checks.len() as u32);
        if !said.insert((breaches, demands(&head), places(&head, &columns))) {
            self.rules.push(Rule { head, columns, breaches, checks: first..first });
            return;
        }
        let queries = self.plan.query_breaches(&body, &head.formula());
        let kind_of = |cause: Cause| match cause {
            Cause::Read(predicate, plane) => Some(kind(predicate, plane, Direction::Sharpened)),
            Cause::Head => demands(&head).map(|(predicate, plane)| kind(predicate, plane, Direction::Weakened)),
        };
        let (whole, causes) = queries.whole;
        self.checks.push(Check { rule, query: whole });
        causes.into_iter().filter_map(kind_of).for_each(|change| self.called[change].push(first));
        for (query, cause) in queries.after {
            let Some(change) = kind_of(cause) else { continue };
            self.called[change].push(self.checks.len() as u32);
            self.checks.push(Check { rule, query });
        }
        self.rules.push(Rule { head, columns, breaches, checks: first..self.checks.len() as u32 });
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
    pub fn dependents(&self, rule: usize) -> Vec<u32> {
        let Some((predicate, plane)) = demands(&self.constraints[rule].head) else { return Vec::new() };
        let called = &self.called[kind(predicate, plane, Direction::Sharpened)];
        let mut rules: Vec<u32> = called.iter().map(|check| self.checks[*check as usize].rule).collect();
        rules.dedup();
        rules
    }

    /// Repairs the structure until no rule is breached.
    pub fn coerce(
        &self,
        structure: &mut Structure,
        changes: &Changes,
        scratch: &mut CoerceScratch,
    ) -> Result<(), Infeasible> {
        if *changes == Changes::none() {
            return Ok(());
        }
        let CoerceScratch { workspace, agenda } = scratch;
        self.begin(changes, agenda);
        workspace.begin(&self.plan, structure);
        while let Some(rule) = self.first_breached(workspace, agenda) {
            let repaired = self.repair(rule, structure, workspace)?;
            // The other checks of the rule are not needed any more, because it has been repaired for them as well.
            self.rules[rule].checks.clone().for_each(|check| agenda.remove(check));
            if let Some((predicate, plane, extent)) = repaired {
                workspace.reload(&self.plan, structure, predicate, plane);
                self.call(kind(predicate, plane, Direction::Sharpened), extent, agenda);
            }
        }
        Ok(())
    }

    /// The next rule that may be breached.
    fn first_breached(&self, workspace: &mut Workspace, agenda: &mut Agenda) -> Option<usize> {
        let mut search = workspace.search(&self.plan);
        while let Some((number, extent)) = agenda.take() {
            let check = &self.checks[number];
            if search.may_satisfy(&check.query, extent) {
                return Some(check.rule as usize);
            }
        }
        None
    }

    /// The checks with which to begin.
    fn begin(&self, changes: &Changes, agenda: &mut Agenda) {
        agenda.clear(self.checks.len());
        match changes {
            Changes::Anything => {
                let whole = self.rules.iter().filter_map(|rule| rule.checks.clone().next());
                whole.for_each(|check| agenda.add(check, Extent::ALL));
            }
            Changes::Only(changes) => changes.iter().for_each(|change| {
                self.call(kind(change.predicate, change.plane, change.direction), change.extent, agenda);
            }),
        }
    }

    /// A change calls for checks.
    fn call(&self, kind: usize, extent: Extent, agenda: &mut Agenda) {
        self.called[kind].iter().for_each(|check| agenda.add(*check, extent));
    }

    /// Repairs the breaches of one rule; tells which plane has changed, if any, and where.
    fn repair(
        &self,
        number: usize,
        structure: &mut Structure,
        workspace: &mut Workspace,
    ) -> Result<Option<(PredicateId, Plane, Extent)>, Infeasible> {
        let rule = &self.rules[number];
        let breaches = workspace.evaluate(&self.plan, rule.breaches);
        if breaches.iter().all(|word| *word == 0) {
            return Ok(None);
        }
        if let Head::Predicate { predicate, arguments, positive } = &rule.head
            && (1..=2).contains(&arguments.len())
            && arguments.len() == rule.columns.len()
        {
            let repaired = repair_all(structure, *predicate, *positive, breaches);
            return match repaired {
                Ok(extent) if extent == Extent::default() => Ok(None),
                Ok(extent) => Ok(Some((*predicate, plane_of(*positive), extent))),
                Err(tuple) => Err(Infeasible { rule: number, tuple }),
            };
        }
        let mut repaired = Extent::default();
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
                    repaired.add(Extent::of(&tuple));
                }
                Head::Equal { left, right, positive } => {
                    let (u, v) = (at(left), at(right));
                    match (*positive, u == v) {
                        (true, true) => {
                            structure.set_summary(u, false);
                            repaired.add(Extent::of(&[u]));
                        }
                        (true, false) | (false, true) => return Err(infeasible(vec![u, v])),
                        (false, false) => {}
                    }
                }
            }
        }
        let changed = repaired != Extent::default();
        Ok(demands(&rule.head).filter(|_| changed).map(|(predicate, plane)| (predicate, plane, repaired)))
    }

    /// The whole assignment of an infeasibility, found by the definition: for reports.
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

/// Gives a predicate the wanted value at all breaches, whose columns are its arguments, as far as the individuals
/// surely exist. Tells the changes, or a tuple that has the opposite value.
fn repair_all(
    structure: &mut Structure,
    predicate: PredicateId,
    positive: bool,
    breaches: &[u64],
) -> Result<Extent, Vec<Individual>> {
    let row = row_words(structure.size());
    let binary = structure.layout().arity(predicate) == 2;
    let mut changed = Extent::default();
    for (word, bits) in breaches.iter().enumerate().filter(|(_, bits)| **bits != 0) {
        let (u, i) = (word / row, word % row);
        let active = structure.row(PredicateId::AC, Plane::Must);
        let breached = if binary && !test(active, u) { 0 } else { bits & active[i] };
        // A breach is not as wanted, so where it is definite it is the opposite.
        let opposite = if positive {
            breached & !structure.plane(predicate, Plane::May)[word]
        } else {
            breached & structure.plane(predicate, Plane::Must)[word]
        };
        if opposite != 0 {
            let v = i * 64 + opposite.trailing_zeros() as usize;
            return Err(if binary { vec![u, v] } else { vec![v] });
        }
        structure.plane_mut(predicate, plane_of(positive))[word] ^= breached;
        if breached != 0 {
            let first = if binary { Extent::of(&[u]).first } else { breached };
            changed.add(Extent { first, second: breached });
        }
    }
    Ok(changed)
}

/// Changes are numbered: two for each plane of each predicate.
fn kind(predicate: PredicateId, plane: Plane, direction: Direction) -> usize {
    4 * predicate.index() + 2 * plane as usize + direction as usize
}

fn plane_of(positive: bool) -> Plane {
    if positive { Plane::Must } else { Plane::May }
}

/// The plane that a rule changes when it repairs.
fn demands(head: &Head) -> Option<(PredicateId, Plane)> {
    match head {
        Head::Predicate { predicate, positive, .. } => Some((*predicate, plane_of(*positive))),
        Head::Equal { positive: true, .. } => Some((PredicateId::SM, Plane::May)),
        Head::Equal { positive: false, .. } | Head::False => None,
    }
}

/// The columns of a head's arguments.
fn places(head: &Head, columns: &[Var]) -> Vec<usize> {
    let place = |v: &Var| columns.iter().position(|c| c == v).expect("a column");
    match head {
        Head::False => Vec::new(),
        Head::Predicate { arguments, .. } => arguments.iter().map(place).collect(),
        Head::Equal { left, right, .. } => vec![place(left), place(right)],
    }
}

/// The variables of a head, in order of argument, repeated ones once.
fn head_vars(head: &Head) -> Vec<Var> {
    head.formula().free_vars()
}

/// The planes that a rule reads.
fn reads(constraint: &Constraint, plan: &mut Plan) -> Vec<(PredicateId, Plane)> {
    let columns = constraint.body.free_vars();
    let body = plan.compile(&constraint.body, Plane::Must, &columns);
    let plane = |source: &Source| match source {
        Source::Predicate(predicate, plane) => Some((*predicate, *plane)),
        Source::Parameters => None,
    };
    plan.sources(body).iter().filter_map(plane).collect()
}

/// The variables of a body: its free ones, and those that it begins with.
fn variables(body: &Formula) -> usize {
    match body {
        Formula::Exists(_, inner) => variables(inner),
        _ => body.free_vars().len(),
    }
}

/// Sorts rules so that a rule comes after those whose repairs it reads, as far as there is no cycle.
///
/// In a cycle those come first that say that something does not hold, because most others need to know that. A rule
/// about several individuals says more than one about a single one, and a body with few variables is looked at quickly.
fn in_dependency_order(constraints: Vec<Constraint>, predicates: usize, plan: &mut Plan) -> Vec<Constraint> {
    // Rules and planes are the vertices: a rule leads to the plane it changes, a plane to the rules that read it.
    let vertex = |(predicate, plane): (PredicateId, Plane)| constraints.len() + 2 * predicate.index() + plane as usize;
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); constraints.len() + 2 * predicates];
    for (i, constraint) in constraints.iter().enumerate() {
        for plane in reads(constraint, plan) {
            successors[vertex(plane)].push(i);
        }
        successors[i].extend(demands(&constraint.head).map(vertex));
    }
    let component = trifold_fixpoint::strongly_connected_components(&successors);
    let mut order: Vec<usize> = (0..constraints.len()).collect();
    order.sort_by_key(|i| {
        let Constraint { body, head, .. } = &constraints[*i];
        let says_so = matches!(head, Head::Predicate { positive: true, .. });
        let arity = match head {
            Head::False => 0,
            Head::Predicate { arguments, .. } => arguments.len(),
            Head::Equal { .. } => 2,
        };
        (component[*i], says_so, Reverse(arity), variables(body), *i)
    });
    order.into_iter().map(|i| constraints[i].clone()).collect()
}

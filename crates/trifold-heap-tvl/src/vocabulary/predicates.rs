//! The vocabulary: which predicates describe the states of a program.
//!
//! Individuals are the living whole objects that something leads to. The rest of a state is in predicates:
//!
//! | predicate | holds when |
//! | --- | --- |
//! | `x(v)` | variable `x` points to `v`, or into it |
//! | `f(v,w)` | link `f` of `v`, or of a part of it, points to `w`, or into it |
//! | `at[x,p]()`, `at[f,p](v)` | … points to path `p` of an object, if the struct does not decide the path |
//! | `uninit[x]()`, `uninit[f](v)` | the variable, or the link of `v`, has no value |
//! | `freed[x]()`, `freed[f](v)` | … points to an object that was freed |
//! | `dead[x]()`, `dead[f](v)` | … points to an object of the stack whose life is over |
//! | `is[T](v)` | `v` is an object of struct `T`, if there are several |
//! | `stack[p](v)`, `static(v)` | `v` is on the stack, made by procedure `p`, or in static memory |
//! | `outer[p](v)` | `v` is on the stack, made by a call of the recursive procedure `p` around the last one |
//! | `from[p,k]()` | procedure `p` was called from its `k`-th call site |
//! | `value[i,c]()`, `value[d,c](v)` | the scalar variable, or the scalar `d` of `v`, is in cell `c` of its partition |
//!
//! How objects compare by their data is in the predicates of [orders](crate::vocabulary::sortedness).
//!
//! A variable that holds none of these is null. So is, to the analysis, a variable of a procedure that is not under
//! way, and one that is not live: nothing reads it. If calls are made on local heaps, only one call is under way in a
//! state: variables of the same name in different procedures, which can point to the same targets, share their
//! predicates. For example, in a list of two nodes at `x`, `x(v)` holds of the first one, `n(v,w)` of the pair, and no
//! predicate of the link of the last one, which is null.
//!
//! Instrumentation predicates are those of the [families](crate::Families), see `instrumentation`.

use crate::tracked::data_order::Compared;
use crate::tracked::families::Families;
use crate::tracked::scalar_cells::{Holder, Partitions};
use crate::vocabulary::kinds::{Kind, Shape};
use crate::vocabulary::names::{Names, SIDES};
use crate::vocabulary::order::Order;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{ProcId, Program, StructId, VarId};
use trifold_logic::{Definition, Formula, Predicate, PredicateId, Properties, Var, Vocabulary};
use trifold_passes::Liveness;
use trifold_passes::intervals::Interval;
use trifold_passes::links::{LinkId, Links};
use trifold_passes::points_to::{Pointees, PointsTo};
use trifold_passes::targets::{Path, Target};

/// The predicates of a pointer variable.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    pub points: PredicateId,
    /// The targets that it can point to.
    pub targets: BTreeSet<Target>,
    /// Where it points, by the path; empty if the struct of the object decides that.
    pub at: BTreeMap<Path, PredicateId>,
    pub uninit: Option<PredicateId>,
    pub freed: Option<PredicateId>,
    pub dead: Option<PredicateId>,
    /// Reachability from it, one for each relation along which something can be reached; with the relation.
    pub reach: Vec<(PredicateId, PredicateId)>,
}

/// The predicates of a link.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub leads: PredicateId,
    /// Where it leads, likewise.
    pub at: BTreeMap<Path, PredicateId>,
    pub uninit: Option<PredicateId>,
    pub freed: Option<PredicateId>,
    pub dead: Option<PredicateId>,
}

/// A predicate that holds of objects which something leads to.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub predicate: PredicateId,
    /// If it also holds of objects that just lead to themselves, the structs of the others.
    pub only: BTreeSet<StructId>,
}

/// The cells of a tracked scalar, each with its predicate.
pub(crate) type Cells = Vec<(Interval, PredicateId)>;

/// All predicates of an analysis.
#[derive(Clone, Debug)]
pub(crate) struct Predicates {
    pub vocabulary: Vocabulary,
    pub links: Links,
    pub pointers: BTreeMap<VarId, Pointer>,
    /// The variables that share predicates.
    pub sharing: Vec<Vec<VarId>>,
    /// Of the links that hold pointers.
    pub edges: BTreeMap<LinkId, Edge>,
    pub types: BTreeMap<StructId, PredicateId>,
    pub stack: BTreeMap<ProcId, PredicateId>,
    /// Of recursive procedures.
    pub outer: BTreeMap<ProcId, PredicateId>,
    pub fixed: Option<PredicateId>,
    /// The predicates of objects that something other than a variable leads to along a spine: objects that need no
    /// reference, or anchors.
    pub held: Vec<Held>,
    /// The predicates of objects that an anchor leads to, if they are of a level without a spine.
    pub held_by: BTreeMap<LinkId, Held>,
    /// Links that may lead to their own object, with the predicates that say that they do.
    pub own: Vec<(PredicateId, PredicateId)>,
    /// The levels, and their tracked predicates.
    pub levels: Vec<Shape>,
    /// The cells of tracked variables.
    pub cells: BTreeMap<VarId, Cells>,
    /// The cells of tracked links.
    pub contents: BTreeMap<LinkId, Cells>,
    /// The predicates of the order of objects by their data.
    pub orders: Vec<Order>,
    /// By callee and number of the call site.
    pub sites: BTreeMap<(ProcId, usize), PredicateId>,
    /// The kinds of defined predicates.
    pub kinds: BTreeMap<PredicateId, Kind>,
    /// Hold of the objects of the caller, and of those of the callee, where a call returns.
    pub sides: Option<[PredicateId; 2]>,
    /// Where a call returns: the object that the formal at this position was given has been freed.
    pub gone: Vec<PredicateId>,
}

/// The program, and the choices, that a vocabulary is made for.
pub(crate) struct Scope<'a> {
    pub program: &'a Program,
    pub procedures: &'a [ProcId],
    pub liveness: &'a [Liveness],
    pub points_to: &'a PointsTo,
    pub links: &'a Links,
    pub families: &'a Families,
    pub partitions: &'a Partitions,
    pub compared: &'a [Compared],
    /// The number of call sites of each procedure.
    pub sites: &'a BTreeMap<ProcId, usize>,
    /// Are calls made on local heaps?
    pub summaries: bool,
    pub recursive: &'a BTreeSet<ProcId>,
    /// Are objects told apart by which of several links of a spine they have?
    pub apart: bool,
    /// The most formals that a procedure has then.
    pub formals: usize,
}

impl Predicates {
    /// No predicates yet.
    pub fn none(scope: &Scope) -> Predicates {
        Predicates {
            vocabulary: Vocabulary::default(),
            links: scope.links.clone(),
            pointers: BTreeMap::new(),
            sharing: sharing(scope),
            edges: BTreeMap::new(),
            types: BTreeMap::new(),
            stack: BTreeMap::new(),
            outer: BTreeMap::new(),
            fixed: None,
            held: Vec::new(),
            held_by: BTreeMap::new(),
            own: Vec::new(),
            levels: Vec::new(),
            cells: BTreeMap::new(),
            contents: BTreeMap::new(),
            orders: Vec::new(),
            sites: BTreeMap::new(),
            kinds: BTreeMap::new(),
            sides: None,
            gone: Vec::new(),
        }
    }

    pub fn declare(&mut self, predicate: Predicate) -> PredicateId {
        // Names are made distinct by `Names`; a clash would be a mistake there.
        let name = predicate.name.clone();
        self.vocabulary.declare(predicate).unwrap_or_else(|| panic!("two predicates are called `{name}`"))
    }

    fn core(&mut self, name: &str, arity: usize, properties: Properties) -> PredicateId {
        self.declare(Predicate { properties, ..Predicate::core(name, arity) })
    }

    fn flag(&mut self, wanted: bool, kind: &str, of: &str, arity: usize) -> Option<PredicateId> {
        wanted.then(|| self.core(&format!("{kind}[{of}]"), arity, Properties::default()))
    }

    pub fn define(&mut self, name: &str, parameters: &[Var], formula: Formula) -> PredicateId {
        let definition = Some(Definition { parameters: parameters.to_vec(), formula });
        self.declare(Predicate { definition, ..Predicate::core(name, parameters.len()) })
    }

    /// Predicates that say to which path a pointer leads, if the struct of the object does not.
    fn declare_paths(
        &mut self,
        pointees: &Pointees,
        names: &Names,
        of: &str,
        arity: usize,
    ) -> BTreeMap<Path, PredicateId> {
        if pointees.is_decided_by_struct() {
            return BTreeMap::new();
        }
        let paths: BTreeSet<Path> = pointees.targets.iter().map(|target| target.path.clone()).collect();
        let mut declare = |path: Path| {
            let name = format!("at[{of},{}]", names.path(&path));
            (path, self.core(&name, arity, Properties::default()))
        };
        paths.into_iter().map(&mut declare).collect()
    }

    pub fn declare_variables(&mut self, scope: &Scope, names: &Names) {
        for variables in self.sharing.clone() {
            let (name, pointees) = (names.variable(variables[0]), scope.points_to.variable(variables[0]));
            let uninitialised = variables.iter().any(|x| scope.points_to.variable(*x).uninitialised);
            let unique = Properties { unique: true, ..Properties::default() };
            let points = Predicate { properties: unique, pointer: true, ..Predicate::core(name, 1) };
            let pointer = Pointer {
                points: self.declare(points),
                targets: pointees.targets.clone(),
                at: self.declare_paths(pointees, names, name, 0),
                uninit: self.flag(uninitialised, "uninit", name, 0),
                freed: self.flag(scope.points_to.can_be_freed(pointees), "freed", name, 0),
                dead: self.flag(scope.points_to.can_be_dead(pointees), "dead", name, 0),
                reach: Vec::new(),
            };
            self.pointers.extend(variables.into_iter().map(|variable| (variable, pointer.clone())));
        }
    }

    /// The predicates of pointer variables, each with the variables that share them.
    pub fn shared(&self) -> impl Iterator<Item = (&[VarId], &Pointer)> {
        self.sharing.iter().map(|variables| (&variables[..], &self.pointers[&variables[0]]))
    }

    pub fn declare_links(&mut self, scope: &Scope, names: &Names) {
        for (id, link) in scope.links.pointers(scope.program) {
            let (name, pointees) = (names.link(id), &link.pointees);
            let function = Properties { function: true, ..Properties::default() };
            let edge = Edge {
                leads: self.core(name, 2, function),
                at: self.declare_paths(pointees, names, name, 1),
                uninit: self.flag(pointees.uninitialised, "uninit", name, 1),
                freed: self.flag(scope.points_to.can_be_freed(pointees), "freed", name, 1),
                dead: self.flag(scope.points_to.can_be_dead(pointees), "dead", name, 1),
            };
            self.edges.insert(id, edge);
        }
    }

    pub fn declare_objects(&mut self, scope: &Scope, names: &Names) {
        if scope.points_to.allocated.len() > 1 {
            for structure in &scope.points_to.allocated {
                let id = self.core(&format!("is[{}]", names.structure(*structure)), 1, Properties::default());
                self.types.insert(*structure, id);
            }
        }
        for procedure in scope.procedures {
            if scope.points_to.stacked.iter().any(|(owner, _)| owner == procedure) {
                let id = self.core(&format!("stack[{}]", names.procedure(*procedure)), 1, Properties::default());
                self.stack.insert(*procedure, id);
                if scope.recursive.contains(procedure) {
                    let id = self.core(&format!("outer[{}]", names.procedure(*procedure)), 1, Properties::default());
                    self.outer.insert(*procedure, id);
                }
            }
        }
        self.fixed = scope.points_to.has_static.then(|| self.core("static", 1, Properties::default()));
    }

    pub fn declare_cells(&mut self, scope: &Scope, names: &Names) {
        let mut declare = |of: &str, arity: usize, cells: &[Interval]| -> Cells {
            let last = cells.len() - 1;
            let mut declare = |(i, cell): (usize, &Interval)| {
                let name = format!("value[{of},{}]", names.cell(*cell, i == 0, i == last));
                (*cell, self.core(&name, arity, Properties::default()))
            };
            cells.iter().enumerate().map(&mut declare).collect()
        };
        let (mut of_variables, mut of_links) = (BTreeMap::new(), BTreeMap::new());
        for (holder, cells) in &scope.partitions.cells {
            match holder {
                Holder::Variable(variable) => {
                    of_variables.insert(*variable, declare(names.variable(*variable), 0, cells));
                }
                Holder::Field(field) => {
                    for (id, _) in scope.links.iter().filter(|(_, link)| link.field == *field) {
                        of_links.insert(id, declare(names.link(id), 1, cells));
                    }
                }
            }
        }
        (self.cells, self.contents) = (of_variables, of_links);
    }

    /// Where calls return the caller's objects are beside the callee's.
    pub fn declare_sides(&mut self, scope: &Scope) {
        if scope.summaries {
            let side = |name| self.declare(Predicate { abstraction: false, ..Predicate::core(name, 1) });
            self.sides = Some(SIDES.map(side));
            let formals = if scope.points_to.frees() { scope.formals } else { 0 };
            self.gone = (0..formals)
                .map(|number| self.core(&format!("gone[argument_{number}]"), 0, Properties::default()))
                .collect();
        }
    }

    pub fn declare_calls(&mut self, scope: &Scope, names: &Names) {
        for (procedure, count) in scope.sites.iter().filter(|(_, count)| **count > 1) {
            for site in 0..*count {
                let name = format!("from[{},{}]", names.procedure(*procedure), names.site(site));
                let id = self.core(&name, 0, Properties::default());
                self.sites.insert((*procedure, site), id);
            }
        }
    }
}

/// The pointer variables, those together that share predicates; the first of them can point to all that the others can.
fn sharing(scope: &Scope) -> Vec<Vec<VarId>> {
    let mut all: Vec<Vec<VarId>> = Vec::new();
    let mut variables = pointer_variables(scope.program, scope.procedures);
    let targets = |x: VarId| &scope.points_to.variable(x).targets;
    // Variables that never point anywhere come last: they can share with any other one.
    variables.sort_by_key(|x| targets(*x).is_empty());
    for x in variables {
        let can_share = |known: &&mut Vec<VarId>| {
            let is_other = |y: &VarId| match (owner(scope.program, x), owner(scope.program, *y)) {
                (Some(this), Some(other)) => this != other,
                _ => false,
            };
            scope.program[known[0]].name == scope.program[x].name
                && (targets(x).is_empty() || targets(known[0]) == targets(x))
                && known.iter().all(is_other)
        };
        match all.iter_mut().filter(|_| scope.summaries).find(can_share) {
            Some(known) => known.push(x),
            None => all.push(vec![x]),
        }
    }
    all
}

/// The procedure that a variable belongs to.
fn owner(program: &Program, x: VarId) -> Option<ProcId> {
    match program[x].scope {
        trifold_ir::Scope::Global => None,
        trifold_ir::Scope::Parameter(owner) | trifold_ir::Scope::Local(owner) => Some(owner),
    }
}

/// The pointer variables that states of these procedures have.
pub(crate) fn pointer_variables(program: &Program, procedures: &[ProcId]) -> Vec<VarId> {
    let own = procedures.iter().flat_map(|procedure| program[*procedure].variables());
    program.globals().chain(own).filter(|variable| program[*variable].ty.is_pointer()).collect()
}

//! The vocabulary: which predicates describe the states of a program.
//!
//! Individuals are the living objects that something leads to. The rest of a state is in predicates:
//!
//! | predicate | holds when |
//! | --- | --- |
//! | `x(v)` | variable `x` points to `v` |
//! | `f(v,w)` | field `f` of `v` points to `w`; an embedded field leads from a container to its part |
//! | `uninit[x]()`, `uninit[f](v)` | the variable, or the field of `v`, has no value |
//! | `freed[x]()`, `freed[f](v)` | … points to an object that was freed |
//! | `dead[x]()`, `dead[f](v)` | … points to an object of the stack whose life is over |
//! | `outside[f,x](v)` | `x` points to where the container of `v` would be, if `v` were the part `f` of one |
//! | `is[T](v)` | `v` is an object of struct `T`, if there are several |
//! | `stack[p](v)`, `static(v)` | `v` is on the stack, made by procedure `p`, or in static memory |
//! | `at[p,k]()` | procedure `p` was called from its `k`-th call site |
//! | `value[i,c]()`, `value[d,c](v)` | the scalar variable, or the scalar field of `v`, has a value in cell `c` of its partition |
//!
//! A variable that holds none of these is null. So is, to the analysis, a variable of a procedure that is not under way, and one that is
//! not live: nothing reads it.
//!
//! Instrumentation predicates are those of the [families](crate::Families): `r[e,x](v)` (reachable from `x`), `shared[e](v)`, `cyclic[e](v)`,
//! `back[f,g](v)` (where `f` leads from `v`, `g` leads back).

use crate::cells::{Holder, Partitions};
use crate::families::Families;
use crate::holdings::Holdings;
use crate::intervals::Interval;
use crate::names::Names;
use std::collections::BTreeMap;
use trifold_ir::{FieldId, ProcId, Program, StructId, VarId};
use trifold_logic::{Definition, Formula, Predicate, PredicateId, Properties, Var, Vocabulary};

/// The predicates of a pointer variable.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    pub points: PredicateId,
    pub uninit: Option<PredicateId>,
    pub freed: Option<PredicateId>,
    pub dead: Option<PredicateId>,
    pub outside: BTreeMap<FieldId, PredicateId>,
    /// Reachability from it, one for each relation along which something can be reached.
    pub reach: Vec<PredicateId>,
}

/// The predicates of a pointer field.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub edge: PredicateId,
    pub uninit: Option<PredicateId>,
    pub freed: Option<PredicateId>,
    pub dead: Option<PredicateId>,
}

/// All predicates of an analysis.
#[derive(Clone, Debug)]
pub(crate) struct Predicates {
    pub vocabulary: Vocabulary,
    pub pointers: BTreeMap<VarId, Pointer>,
    pub links: BTreeMap<FieldId, Link>,
    pub types: BTreeMap<StructId, PredicateId>,
    pub stack: BTreeMap<ProcId, PredicateId>,
    pub fixed: Option<PredicateId>,
    /// Reachability from objects of the stack and of static memory.
    pub rooted: Vec<PredicateId>,
    /// The cells of tracked scalars.
    pub cells: BTreeMap<Holder, Vec<(Interval, PredicateId)>>,
    /// By callee and number of the call site.
    pub sites: BTreeMap<(ProcId, usize), PredicateId>,
}

/// `v`, `w`, `u`: the logical variables of the formulas here.
pub(crate) fn v() -> Var {
    Var::new("v")
}

/// See [`v`].
pub(crate) fn w() -> Var {
    Var::new("w")
}

/// See [`v`].
pub(crate) fn u() -> Var {
    Var::new("u")
}

/// What a vocabulary is made for.
pub(crate) struct Scope<'a> {
    pub program: &'a Program,
    pub procedures: &'a [ProcId],
    pub holdings: &'a Holdings,
    pub families: &'a Families,
    pub partitions: &'a Partitions,
    /// The number of call sites of each procedure.
    pub sites: &'a BTreeMap<ProcId, usize>,
}

impl Predicates {
    pub fn new(scope: &Scope) -> Predicates {
        let mut predicates = Predicates {
            vocabulary: Vocabulary::default(),
            pointers: BTreeMap::new(),
            links: BTreeMap::new(),
            types: BTreeMap::new(),
            stack: BTreeMap::new(),
            fixed: None,
            rooted: Vec::new(),
            cells: BTreeMap::new(),
            sites: BTreeMap::new(),
        };
        let names = Names::new(scope.program, scope.procedures);
        predicates.declare_variables(scope, &names);
        predicates.declare_objects(scope, &names);
        predicates.declare_cells(scope, &names);
        predicates.declare_calls(scope, &names);
        predicates.declare_families(scope, &names);
        predicates
    }

    fn declare(&mut self, predicate: Predicate) -> PredicateId {
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

    fn define(&mut self, name: &str, parameters: &[Var], formula: Formula) -> PredicateId {
        let definition = Some(Definition { parameters: parameters.to_vec(), formula });
        self.declare(Predicate { definition, ..Predicate::core(name, parameters.len()) })
    }

    fn declare_variables(&mut self, scope: &Scope, names: &Names) {
        for variable in pointer_variables(scope.program, scope.procedures) {
            let (name, holding) = (names.variable(variable), scope.holdings.variable(variable));
            let unique = Properties { unique: true, ..Properties::default() };
            let points = Predicate { properties: unique, pointer: true, ..Predicate::core(name, 1) };
            let pointer = Pointer {
                points: self.declare(points),
                uninit: self.flag(holding.uninitialised, "uninit", name, 0),
                freed: self.flag(scope.holdings.can_be_freed(holding), "freed", name, 0),
                dead: self.flag(scope.holdings.can_be_dead(holding), "dead", name, 0),
                outside: BTreeMap::new(),
                reach: Vec::new(),
            };
            self.pointers.insert(variable, pointer);
            for field in &holding.outside {
                let id = self.core(&format!("outside[{},{name}]", names.field(*field)), 1, unique);
                self.pointers.get_mut(&variable).expect("just declared").outside.insert(*field, id);
            }
        }
    }

    fn declare_objects(&mut self, scope: &Scope, names: &Names) {
        let program = scope.program;
        for field in (0..program.fields.len()).map(FieldId::from_index) {
            if !program[field].ty.is_pointer() {
                continue;
            }
            let (name, holding) = (names.field(field), scope.holdings.field(field));
            let embedded = program[field].embedded;
            let properties = Properties { function: true, invfunction: embedded, ..Properties::default() };
            // Parts die together with their containers.
            let link = Link {
                edge: self.core(name, 2, properties),
                uninit: self.flag(holding.uninitialised, "uninit", name, 1),
                freed: self.flag(!embedded && scope.holdings.can_be_freed(holding), "freed", name, 1),
                dead: self.flag(!embedded && scope.holdings.can_be_dead(holding), "dead", name, 1),
            };
            self.links.insert(field, link);
        }
        let structs: Vec<StructId> = program.struct_ids().collect();
        if structs.len() > 1 {
            for structure in structs {
                let id = self.core(&format!("is[{}]", names.structure(structure)), 1, Properties::default());
                self.types.insert(structure, id);
            }
        }
        for procedure in scope.procedures {
            if scope.holdings.stacked.iter().any(|(owner, _)| owner == procedure) {
                let id = self.core(&format!("stack[{}]", names.procedure(*procedure)), 1, Properties::default());
                self.stack.insert(*procedure, id);
            }
        }
        self.fixed = scope.holdings.has_static.then(|| self.core("static", 1, Properties::default()));
    }

    fn declare_cells(&mut self, scope: &Scope, names: &Names) {
        for (holder, cells) in &scope.partitions.cells {
            let (of, arity) = match holder {
                Holder::Variable(variable) => (names.variable(*variable), 0),
                Holder::Field(field) => (names.field(*field), 1),
            };
            let mut declare = |i: usize| {
                let name = format!("value[{of},{}]", names.cell(cells[i], i == 0, i + 1 == cells.len()));
                (cells[i], self.core(&name, arity, Properties::default()))
            };
            let declared = (0..cells.len()).map(&mut declare).collect();
            self.cells.insert(*holder, declared);
        }
    }

    fn declare_calls(&mut self, scope: &Scope, names: &Names) {
        for (procedure, count) in scope.sites.iter().filter(|(_, count)| **count > 1) {
            for site in 0..*count {
                let name = format!("at[{},{}]", names.procedure(*procedure), names.site(site));
                let id = self.core(&name, 0, Properties::default());
                self.sites.insert((*procedure, site), id);
            }
        }
    }

    fn declare_families(&mut self, scope: &Scope, names: &Names) {
        for relation in &scope.families.relations {
            let edges: Vec<PredicateId> = relation.fields.iter().map(|field| self.links[field].edge).collect();
            let step = match edges[..] {
                [edge] => edge,
                _ => {
                    let name = names.union(&relation.fields);
                    self.define(&name, &[v(), w()], Formula::or(edges.iter().map(|e| Formula::atom(*e, [v(), w()]))))
                }
            };
            let name = self.vocabulary[step].name.to_string();
            self.define(&format!("shared[{name}]"), &[v()], shared(step, &edges));
            self.define(&format!("cyclic[{name}]"), &[v()], Formula::transitive_closure(step, v(), v()));
            let reached = |from: Formula| {
                Formula::exists([w()], Formula::and([from, Formula::reflexive_closure(step, w(), v())]))
            };
            for variable in self.pointers.keys().copied().collect::<Vec<_>>() {
                if scope.holdings.variable(variable).structs.is_disjoint(&relation.structs) {
                    continue;
                }
                let points = self.pointers[&variable].points;
                let name = format!("r[{name},{}]", names.variable(variable));
                let id = self.define(&name, &[v()], reached(Formula::atom(points, [w()])));
                self.pointers.get_mut(&variable).expect("declared").reach.push(id);
            }
            let roots = Formula::or(self.stack.values().chain(&self.fixed).map(|p| Formula::atom(*p, [w()])));
            if roots != Formula::FALSE {
                let id = self.define(&format!("rooted[{name}]"), &[v()], reached(roots));
                self.rooted.push(id);
            }
        }
        for (field, back) in &scope.families.inverse {
            let name = format!("back[{},{}]", names.field(*field), names.field(*back));
            let (field, back) = (self.links[field].edge, self.links[back].edge);
            let leads = Formula::atom(field, [v(), w()]).implies(Formula::atom(back, [w(), v()]));
            self.define(&name, &[v()], Formula::forall([w()], leads));
        }
    }
}

/// Two objects point to `v`, or one does by two fields.
fn shared(step: PredicateId, edges: &[PredicateId]) -> Formula {
    let two = Formula::exists(
        [u(), w()],
        Formula::and([
            Formula::atom(step, [u(), v()]),
            Formula::atom(step, [w(), v()]),
            Formula::equal(u(), w()).negate(),
        ]),
    );
    let mut cases = vec![two];
    for (i, first) in edges.iter().enumerate() {
        for second in &edges[i + 1..] {
            let both = Formula::and([Formula::atom(*first, [u(), v()]), Formula::atom(*second, [u(), v()])]);
            cases.push(Formula::exists([u()], both));
        }
    }
    Formula::or(cases)
}

/// The pointer variables that states of these procedures have.
pub(crate) fn pointer_variables(program: &Program, procedures: &[ProcId]) -> Vec<VarId> {
    let own = procedures.iter().flat_map(|procedure| program[*procedure].variables());
    program.globals().chain(own).filter(|variable| program[*variable].ty.is_pointer()).collect()
}

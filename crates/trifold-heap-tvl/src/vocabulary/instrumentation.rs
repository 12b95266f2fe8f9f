//! Instrumentation predicates: properties of levels and links besides where pointers point.
//!
//! Of a level with a spine `e`, which is a link or the union of several:
//!
//! | predicate | holds of `v` when |
//! | --- | --- |
//! | `r[e,x](v)` | `v` is reached from the object of variable `x`, along `e` |
//! | `r[e,via a](v)` | … from where some anchor `a` leads |
//! | `r[e,roots](v)` | … from an object of the stack, or of static memory |
//! | `below[e](v,w)` | `w` is reached from `v`; not for simple lists (1) |
//! | `under[f](v,w)` | `w` is reached from where link `f` of `v` leads; for ordered trees (2) |
//! | `cyclic[e](v)` | `v` is on a cycle of `e` |
//! | `shared[e](v)` | several spine links lead to `v`; likewise for the anchors |
//! | `back[f,g](v)` | where link `f` of `v` leads, `g` leads back |
//! | `forth[g](v)` | where link `g` of `v` leads, one of the links leads forth over which it leads back |
//! | `in[a](v)` | some `a` leads to `v`; for observers and anchors |
//! | `own[f](v)` | link `f` of `v` leads to `v` itself; for links that lead to parts of their own object |
//! | `to[x](v)` | `x`, a pointer to a pointer, leads to a pointer to `v` |
//! | `has[f](v)` | link `f` of `v` leads somewhere (3) |
//! | `has[f,g](v)` | at least one of these spine links of `v` leads somewhere |
//!
//! (1) These are lists that no anchor leads to, and in which equal elements are not looked for. (2) `f` is one of
//! several links of the spine of an [ordered](crate::vocabulary::sortedness) tree. (3) Objects are told apart by that
//! if the link is an anchor or observer, or if it is asked for.

use crate::tracked::families::Level;
use crate::vocabulary::kinds::{Kind, Shape};
use crate::vocabulary::names::Names;
use crate::vocabulary::predicates::{Held, Predicates, Scope};
use crate::vocabulary::variables::{u, v, w};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{StructId, VarId};
use trifold_logic::{Definition, Formula, Predicate, PredicateId};
use trifold_passes::links::LinkId;
use trifold_passes::targets::Target;

impl Predicates {
    pub fn declare_families(&mut self, scope: &Scope, names: &Names) {
        for level in &scope.families.levels {
            self.declare_level(scope, names, level);
        }
        for (link, back) in &scope.families.inverse {
            let name = format!("back[{},{}]", names.link(*link), names.link(*back));
            let (link, back) = (self.edge(*link).leads, self.edge(*back).leads);
            let leads = Formula::atom(link, [v(), w()]).implies(Formula::atom(back, [w(), v()]));
            let id = self.define(&name, &[v()], Formula::forall([w()], leads));
            self.kinds.insert(id, Kind::Forward);
        }
        // Lists that are linked both ways are reached both ways.
        for link in scope.families.back() {
            let forward = scope.families.inverse.iter().filter(|(_, back)| *back == link);
            let forward = Formula::or(forward.map(|(f, _)| Formula::atom(self.edge(*f).leads, [w(), v()])));
            let leads = Formula::atom(self.edge(link).leads, [v(), w()]).implies(forward);
            self.define(&format!("forth[{}]", names.link(link)), &[v()], Formula::forall([w()], leads));
            let structs = scope.links[link].wholes().union(&scope.links[link].pointees.wholes()).copied().collect();
            let step = self.edge(link).leads;
            self.declare_shared(step, &[step]);
            self.declare_cyclic(names.link(link), step);
            self.declare_reach(scope, names, step, &structs);
        }
        // An object that only observers lead to is lost: they may be its own parts.
        let anchors: BTreeSet<LinkId> =
            scope.families.levels.iter().flat_map(|level| &level.anchors).copied().collect();
        let several = |link: &LinkId| {
            scope.families.levels.iter().any(|level| level.spine.len() > 1 && level.spine.contains(link))
        };
        let mut has = BTreeMap::new();
        for (link, _) in scope.links.pointers(scope.program) {
            let told = anchors.contains(&link) || scope.families.observers.contains(&link);
            let apart = told || scope.apart && several(&link);
            let formula = Formula::exists([w()], Formula::atom(self.edge(link).leads, [v(), w()]));
            has.insert(link, self.define_unary(&format!("has[{}]", names.link(link)), formula, apart));
        }
        for level in scope.families.levels.iter().filter(|level| level.spine.len() > 1) {
            let formula = Formula::or(level.spine.iter().map(|link| Formula::atom(has[link], [v()])));
            self.define_unary(&format!("has[{}]", names.links(&level.spine)), formula, false);
        }
        for link in &scope.families.own {
            let leads = self.edge(*link).leads;
            let itself = Formula::and([Formula::atom(leads, [v(), w()]), Formula::equal(v(), w())]);
            let id = self.define(&format!("own[{}]", names.link(*link)), &[v()], Formula::exists([w()], itself));
            self.kinds.insert(id, Kind::Forward);
            self.own.push((leads, id));
        }
        for link in &scope.families.observers {
            self.declare_in(names, *link);
        }
        for variables in self.sharing.clone() {
            self.declare_behind(scope, names, &variables);
        }
    }

    /// The object that a pointer to a pointer leads to in the end. A loop that goes along a list by such a pointer
    /// looks at that.
    fn declare_behind(&mut self, scope: &Scope, names: &Names, variables: &[VarId]) {
        let (program, x) = (scope.program, variables[0]);
        let only_pointer = |target: &Target| {
            let fields = target.structure(program).map(|structure| &program[structure].fields[..]).unwrap_or_default();
            let only = if let [field] = fields { Some(*field) } else { None };
            let field = only.filter(|field| program[*field].ty.is_pointer() && !program[*field].embedded)?;
            self.links.of_slot(&target.slot(program, field)?)
        };
        let links: BTreeSet<LinkId> = self.pointer(x).targets.iter().filter_map(only_pointer).collect();
        if links.is_empty() || !variables.iter().any(|x| is_live_in_loop(scope, *x)) {
            return;
        }
        let step = |link: &LinkId| {
            let here = self.points_to_target(x, w(), &|target| only_pointer(target) == Some(*link));
            Formula::and([here, self.leads(*link, w(), v())])
        };
        let formula = Formula::exists([w()], Formula::or(links.iter().map(step)));
        self.define(&format!("to[{}]", names.variable(x)), &[v()], formula);
    }

    fn declare_level(&mut self, scope: &Scope, names: &Names, level: &Level) {
        let edges: Vec<PredicateId> = level.spine.iter().map(|link| self.edge(*link).leads).collect();
        let step = match edges[..] {
            [] => None,
            [edge] => Some(edge),
            _ => Some(self.declare_union(&format!("down[{}]", names.links(&level.spine)), &edges)),
        };
        let anchors: Vec<PredicateId> = level.anchors.iter().map(|link| self.edge(*link).leads).collect();
        let mut shape = Shape { step, shared: None, below: None, cyclic: None, via: Vec::new(), under: Vec::new() };
        // An object that the spine leads to may be held by an anchor, too, and is not shared for that.
        shape.shared = step.map(|step| self.declare_shared(step, &edges));
        if let Some(into) = match anchors[..] {
            [] => None,
            [only] => Some(only),
            _ => Some(self.declare_union(&format!("into[{}]", names.links(&level.anchors)), &anchors)),
        } {
            self.declare_shared(into, &anchors);
        }
        if let Some(step) = step {
            let name = self.vocabulary[step].name.to_string();
            shape.cyclic = Some(self.declare_cyclic(&name, step));
            self.declare_reach(scope, names, step, &level.structs);
            // Equal elements of a list are looked for in all of it.
            let is_compared = scope
                .compared
                .iter()
                .any(|class| class.only_equal && level.spine.iter().any(|link| class.spines.contains(link)));
            if level.spine.len() > 1 || !level.anchors.is_empty() || is_compared {
                let star = Formula::reflexive_closure(step, v(), w());
                let id = self.define(&format!("below[{name}]"), &[v(), w()], star);
                self.kinds.insert(id, Kind::Below(step));
                shape.below = Some(id);
                let is_ordered = |link: &LinkId| scope.compared.iter().any(|class| class.branches.contains(link));
                if level.spine.iter().any(is_ordered) {
                    shape.under = level.spine.iter().map(|link| self.declare_under(names, *link, step, id)).collect();
                }
            }
        }
        for link in &level.anchors {
            // An anchor that leads to other levels may lead to parts of its own object there.
            let is_clean = scope.links[*link].pointees.wholes().is_subset(&level.structs);
            let only = if is_clean { BTreeSet::new() } else { level.structs.clone() };
            let Some(step) = step else {
                if let Some(known) = self.held_by.get_mut(link) {
                    known.only.extend(only);
                } else {
                    let predicate = self.declare_in(names, *link);
                    self.held_by.insert(*link, Held { predicate, only });
                }
                continue;
            };
            let source = Formula::exists([u()], Formula::atom(self.edge(*link).leads, [u(), w()]));
            let name = format!("r[{},via_{}]", self.vocabulary[step].name, names.link(*link));
            let via = self.define(&name, &[v()], reached(step, source));
            self.kinds.insert(via, Kind::Via(step, self.edge(*link).leads));
            self.held.push(Held { predicate: via, only });
            let into = self.declare_in(names, *link);
            shape.via.push((via, into));
        }
        self.levels.push(shape);
    }

    /// A property of `v`, by which objects are told apart or not.
    fn define_unary(&mut self, name: &str, formula: Formula, abstraction: bool) -> PredicateId {
        let definition = Some(Definition { parameters: vec![v()], formula });
        let id = self.declare(Predicate { definition, abstraction, ..Predicate::core(name, 1) });
        self.kinds.insert(id, Kind::Forward);
        id
    }

    /// Whether several of these links, whose union the first predicate is, lead here.
    fn declare_shared(&mut self, into: PredicateId, links: &[PredicateId]) -> PredicateId {
        let name = format!("shared[{}]", self.vocabulary[into].name);
        // Anchors can lead to several levels.
        if let Some(known) = self.vocabulary.lookup(&name) {
            return known;
        }
        let id = self.define(&name, &[v()], shared(into, links));
        self.kinds.insert(id, Kind::Shared(into, links.to_vec()));
        id
    }

    fn declare_cyclic(&mut self, name: &str, step: PredicateId) -> PredicateId {
        let id = self.define(&format!("cyclic[{name}]"), &[v()], Formula::transitive_closure(step, v(), v()));
        self.kinds.insert(id, Kind::Forward);
        id
    }

    fn declare_union(&mut self, name: &str, edges: &[PredicateId]) -> PredicateId {
        if let Some(known) = self.vocabulary.lookup(name) {
            return known;
        }
        let union = Formula::or(edges.iter().map(|e| Formula::atom(*e, [v(), w()])));
        let id = self.define(name, &[v(), w()], union);
        self.kinds.insert(id, Kind::Union);
        id
    }

    /// Reachability along a relation between objects of these structs.
    fn declare_reach(&mut self, scope: &Scope, names: &Names, step: PredicateId, structs: &BTreeSet<StructId>) {
        let along = self.vocabulary[step].name.to_string();
        for variables in self.sharing.clone() {
            if scope.points_to.variable(variables[0]).wholes().is_disjoint(structs) {
                continue;
            }
            let (points, name) = (self.points(variables[0], w()), names.variable(variables[0]));
            let id = self.define(&format!("r[{along},{name}]"), &[v()], reached(step, points));
            for variable in variables {
                self.pointers.get_mut(&variable).expect("declared").reach.push((step, id));
            }
        }
        let on_stack =
            scope.points_to.stacked.iter().filter(|(_, structure)| !scope.summaries && structs.contains(structure));
        let stacks: BTreeSet<PredicateId> = on_stack.map(|(procedure, _)| self.stack[procedure]).collect();
        let roots = Formula::or(stacks.iter().chain(&self.fixed).map(|p| Formula::atom(*p, [w()])));
        if roots != Formula::FALSE {
            let id = self.define(&format!("r[{along},roots]"), &[v()], reached(step, roots));
            self.kinds.insert(id, Kind::Rooted);
            self.held.push(Held { predicate: id, only: BTreeSet::new() });
        }
    }

    /// Whether some link leads here.
    fn declare_in(&mut self, names: &Names, link: LinkId) -> PredicateId {
        let name = format!("in[{}]", names.link(link));
        if let Some(known) = self.vocabulary.lookup(&name) {
            return known;
        }
        let into = Formula::exists([w()], Formula::atom(self.edge(link).leads, [w(), v()]));
        let id = self.define(&name, &[v()], into);
        self.kinds.insert(id, Kind::In(self.edge(link).leads));
        id
    }
}

/// Is the variable read after a round of some loop?
fn is_live_in_loop(scope: &Scope, x: VarId) -> bool {
    let (trifold_ir::Scope::Parameter(owner) | trifold_ir::Scope::Local(owner)) = scope.program[x].scope else {
        return true;
    };
    let nodes = scope.program[owner].node_ids();
    let mut heads = nodes.filter(|node| scope.program[owner].nodes[node.index()].loop_head);
    heads.any(|node| scope.liveness[owner.index()].at(node).contains(&x))
}

/// "`v` is reached from some `w` for which the formula holds."
fn reached(step: PredicateId, from: Formula) -> Formula {
    Formula::exists([w()], Formula::and([from, Formula::reflexive_closure(step, w(), v())]))
}

/// Two objects point to `v`, or one does by two links.
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

//! Rules that states obey beyond the properties of predicates: a value is of one kind only, and leads to one target.
//! For example, `freed[x]() ▷ ¬x(v)`.

use crate::vocabulary::kinds::Shape;
use crate::vocabulary::predicates::Predicates;
use crate::vocabulary::variables::{v, w};
use std::collections::{BTreeMap, BTreeSet};
use trifold_logic::{Formula, PredicateId, Var};
use trifold_passes::targets::{Path, Target};
use trifold_tvl::{Constraint, Head, Origin};

/// An atom of which at most one of several holds.
type Atom = (PredicateId, Vec<Var>);

impl Predicates {
    /// The rules.
    pub fn rules(&self) -> Vec<Constraint> {
        let mut rules = Rules::default();
        for (_, pointer) in self.shared() {
            let flags = [pointer.uninit, pointer.freed, pointer.dead].into_iter().flatten().map(|p| (p, vec![]));
            let points: Atom = (pointer.points, vec![w()]);
            rules.one_of(&flags.chain([points.clone()]).collect::<Vec<_>>());
            self.target_rules(&mut rules, &points, &pointer.at, &pointer.targets, &[]);
        }
        for (id, edge) in &self.edges {
            let flags = [edge.uninit, edge.freed, edge.dead].into_iter().flatten().map(|p| (p, vec![v()]));
            let leads: Atom = (edge.leads, vec![v(), w()]);
            rules.one_of(&flags.chain([leads.clone()]).collect::<Vec<_>>());
            self.target_rules(&mut rules, &leads, &edge.at, &self.links[*id].pointees.targets, &[v()]);
        }
        for (arguments, cells) in self
            .cells
            .values()
            .map(|cells| (vec![], cells))
            .chain(self.contents.values().map(|cells| (vec![v()], cells)))
        {
            let cells: Vec<Atom> = cells.iter().map(|(_, p)| (*p, arguments.clone())).collect();
            rules.one_of(&cells);
            // An object that is not of the struct has no value, but a variable has one.
            if arguments.is_empty() {
                rules.some_of(&cells, Formula::TRUE);
            }
        }
        // A link that leads to its own object leads to no other one.
        for (leads, own) in &self.own {
            let (own, same) = (Formula::atom(*own, [v()]), Formula::equal(v(), w()));
            rules.add(Formula::and([own.clone(), same.clone().negate()]), &(*leads, vec![v(), w()]), false);
            rules.add(Formula::and([own, same]), &(*leads, vec![v(), w()]), true);
        }
        for shape in &self.levels {
            self.level_rules(&mut rules, shape);
            self.branch_rules(&mut rules, shape);
        }
        rules.0
    }

    /// The consequences of the definitions of reachability that do not follow from their form: where something can be
    /// reached in several ways, or from several objects, values are settled by case, and the cases must fit together.
    fn level_rules(&self, rules: &mut Rules, shape: &Shape) {
        let (Some(step), Some(below), Some(shared)) = (shape.step, shape.below, shape.shared) else { return };
        let binary = |p: PredicateId, from: Var, to: Var| Formula::atom(p, [from, to]);
        let is = |p: PredicateId, of: Var| Formula::atom(p, [of]);
        let edge: Atom = (step, vec![v(), w()]);
        // No edge where nothing is below; and objects below an object are below the one before.
        rules.add(binary(below, v(), w()).negate(), &edge, false);
        let of_variables = self.shared().flat_map(|(_, pointer)| {
            let along = pointer.reach.iter().filter(|(along, _)| *along == step);
            along.map(|(_, reach)| (*reach, pointer.points, true))
        });
        let of_anchors = shape.via.iter().map(|(via, into)| (*via, *into, false));
        for (reach, source, is_one) in of_variables.chain(of_anchors) {
            // A reached object leads only to reached ones.
            rules.add(Formula::and([is(reach, v()), binary(step, v(), w())]), &(reach, vec![w()]), true);
            rules.add(Formula::and([is(reach, v()), is(reach, w()).negate()]), &edge, false);
            // The one way to an object that is not shared comes from something that is reached, too.
            let behind = Formula::and([is(reach, w()), is(shared, w()).negate(), is(source, w()).negate()]);
            rules.add(Formula::and([behind.clone(), binary(step, v(), w())]), &(reach, vec![v()]), true);
            rules.add(Formula::and([behind, is(reach, v()).negate()]), &edge, false);
            // The objects below the source are the reached ones; each of them may be known better than the other.
            if is_one {
                let leads: Atom = (below, vec![v(), w()]);
                let is_below = binary(below, v(), w());
                rules.add(Formula::and([is(source, v()), is(reach, w())]), &leads, true);
                rules.add(Formula::and([is(source, v()), is(reach, w()).negate()]), &leads, false);
                rules.add(Formula::and([is(source, v()), is_below.clone()]), &(reach, vec![w()]), true);
                let apart = Formula::exists([v()], Formula::and([is(source, v()), is_below.negate()]));
                rules.add(apart, &(reach, vec![w()]), false);
            }
        }
    }

    /// A value that points to `w` has one path, and one that the struct of `w` allows; a value that points nowhere has
    /// none.
    fn target_rules(
        &self,
        rules: &mut Rules,
        (leads, arguments): &Atom,
        at: &BTreeMap<Path, PredicateId>,
        targets: &BTreeSet<Target>,
        of: &[Var],
    ) {
        let atoms: Vec<Atom> = at.values().map(|p| (*p, of.to_vec())).collect();
        rules.one_of(&atoms);
        let leads = Formula::atom(*leads, arguments.iter().cloned());
        rules.some_of(&atoms, Formula::exists([w()], leads.clone()));
        for atom in &atoms {
            rules.add(Formula::exists([w()], leads.clone()).negate(), atom, false);
        }
        for (whole, is_a) in &self.types {
            for (path, predicate) in at {
                if !targets.contains(&Target { whole: *whole, path: path.clone() }) {
                    let there = Formula::and([leads.clone(), Formula::atom(*is_a, [w()])]);
                    rules.add(there, &(*predicate, of.to_vec()), false);
                }
            }
        }
    }
}

#[derive(Default)]
pub(crate) struct Rules(Vec<Constraint>);

impl Rules {
    /// Where the body holds, the atom does, or does not.
    pub fn add(&mut self, body: Formula, (predicate, arguments): &Atom, positive: bool) {
        let bound: Vec<Var> = body.free_vars().into_iter().filter(|variable| !arguments.contains(variable)).collect();
        let head = Head::Predicate { predicate: *predicate, arguments: arguments.clone(), positive };
        self.0.push(Constraint { body: Formula::exists(bound, body), head, origin: Origin::default() });
    }

    /// At most one of them holds.
    fn one_of(&mut self, atoms: &[Atom]) {
        for (i, atom) in atoms.iter().enumerate() {
            for (j, (predicate, arguments)) in atoms.iter().enumerate() {
                if i != j {
                    self.add(Formula::atom(*predicate, arguments.iter().cloned()), atom, false);
                }
            }
        }
    }

    /// One of these atoms holds where the condition does.
    fn some_of(&mut self, atoms: &[Atom], condition: Formula) {
        for (i, atom) in atoms.iter().enumerate() {
            let others = atoms.iter().enumerate().filter(|(j, _)| *j != i);
            let others = others.map(|(_, (p, arguments))| Formula::atom(*p, arguments.iter().cloned()).negate());
            self.add(Formula::and(others.chain([condition.clone()])), atom, true);
        }
    }
}

//! The objects below each child of the nodes of a tree, for trees that are [in order](crate::vocabulary::sortedness).
//!
//! For a spine `e`, which is a union with the link `f` in it, `under[f](v,w)` says that `f` of `v` leads to something
//! from which `e` leads to `w`. Where several objects are represented as one, the definition says little; rules say its
//! consequences, and those of sharing and cycles. For example, in the tree `2(1,3)` the node 1 is `under[left]` the
//! node 2, and 3 is not.

use crate::vocabulary::kinds::{Kind, Shape};
use crate::vocabulary::names::Names;
use crate::vocabulary::predicates::Predicates;
use crate::vocabulary::rules::Rules;
use crate::vocabulary::variables::{u, v, w};
use trifold_logic::{Formula, PredicateId, Var};
use trifold_passes::links::LinkId;

impl Predicates {
    /// Declares `under` for a link of the spine `step`, whose closure `below` is; with the link.
    pub fn declare_under(
        &mut self,
        names: &Names,
        link: LinkId,
        step: PredicateId,
        below: PredicateId,
    ) -> (PredicateId, PredicateId) {
        let leads = self.edge(link).leads;
        let way = Formula::and([Formula::atom(leads, [v(), u()]), Formula::atom(below, [u(), w()])]);
        let id = self.define(&format!("under[{}]", names.link(link)), &[v(), w()], Formula::exists([u()], way));
        self.kinds.insert(id, Kind::Under(leads, step));
        (leads, id)
    }

    /// "`w` is reached by way of this link of `v`", if that is tracked.
    pub fn under(&self, leads: PredicateId) -> Option<PredicateId> {
        let mut all = self.levels.iter().flat_map(|shape| &shape.under);
        all.find(|(link, _)| *link == leads).map(|(_, under)| *under)
    }

    /// The consequences of the definitions that do not follow from their form.
    pub(crate) fn branch_rules(&self, rules: &mut Rules, shape: &Shape) {
        let (Some(below), Some(cyclic), false) = (shape.below, shape.cyclic, shape.under.is_empty()) else { return };
        let holds = |p: PredicateId, from: Var, to: Var| Formula::atom(p, [from, to]);
        let is_below = |from: Var, to: Var| holds(below, from, to);
        let leads_there = (below, vec![v(), w()]);
        let acyclic = |at: Var| Formula::atom(cyclic, [at]).negate();
        let different = || Formula::equal(v(), w()).negate();
        // An object below something below is below; and nothing is above and below something else, but for cycles.
        rules.add(Formula::and([is_below(v(), u()), is_below(u(), w())]), &leads_there, true);
        rules.add(Formula::and([is_below(u(), v()), is_below(u(), w()).negate()]), &leads_there, false);
        rules.add(Formula::and([is_below(w(), u()), is_below(v(), u()).negate()]), &leads_there, false);
        rules.add(Formula::and([is_below(w(), v()), acyclic(v()), different()]), &leads_there, false);
        for (leads, under) in &shape.under {
            let is_under = |from: Var, to: Var| holds(*under, from, to);
            let this = (*under, vec![v(), w()]);
            // The link leads to one object only, from which everything is reached.
            rules.add(Formula::and([is_under(u(), w()), holds(*leads, u(), v())]), &leads_there, true);
            rules.add(is_under(v(), w()).negate(), &(*leads, vec![v(), w()]), false);
            rules.add(is_under(v(), w()), &leads_there, true);
            rules.add(is_below(v(), w()).negate(), &this, false);
            // An object below something under it is under it.
            rules.add(Formula::and([is_under(v(), u()), is_below(u(), w())]), &this, true);
            rules.add(Formula::and([is_below(w(), u()), is_under(v(), u()).negate()]), &this, false);
            rules.add(Formula::and([is_under(u(), v()), is_under(u(), w()).negate()]), &leads_there, false);
            // A way back would close a cycle.
            rules.add(Formula::and([is_below(w(), v()), acyclic(v())]), &this, false);
            rules.add(Formula::and([is_under(w(), v()), acyclic(w())]), &leads_there, false);
            // A way begins with one of the links.
            let others = shape.under.iter().filter(|(other, _)| other != leads);
            let no_other = others.map(|(_, other)| holds(*other, v(), w()).negate());
            let begins = [is_below(v(), w()), different()].into_iter().chain(no_other);
            rules.add(Formula::and(begins), &this, true);
        }
    }
}

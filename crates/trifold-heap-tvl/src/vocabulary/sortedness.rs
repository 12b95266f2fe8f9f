//! The order of objects by their data, as predicates and rules.
//!
//! For each class of numbers that the program [compares](crate::tracked::data_order), with `d(v)` for the number of
//! `v`:
//!
//! | predicate | holds when |
//! | --- | --- |
//! | `dle[d](v,w)` | `d(v) ≤ d(w)` |
//! | `le[x,d](v)`, `ge[x,d](v)` | `x ≤ d(v)`, `d(v) ≤ x`, for a variable `x` |
//! | `le[x,y]()` | `x ≤ y`, for variables that are compared |
//! | `inOrder[d,n](v)` | `d(v) ≤ d(w)` if `n` of `v` leads to `w` |
//! | `inROrder[d,n](v)` | `d(w) ≤ d(v)` if `n` of `v` leads to `w` |
//! | `less[d,f](v)` | `d(w) < d(v)` for all `w` [under](crate::vocabulary::subtrees) link `f` of `v`, in a tree |
//! | `greater[d,f](v)` | `d(w) > d(v)` for all `w` under link `f` of `v` |
//! | `eq[x,d](v)` | `x = d(v)`, for a variable that steers a walk through a tree, or is remembered while others do |
//!
//! All this is one order, that of the numbers: reflexive, transitive and total. Of numbers that are never compared but
//! for equality only that is tracked, by predicates that stand for both `≤` and `≥`:
//!
//! | predicate | holds when |
//! | --- | --- |
//! | `deq[d](v,w)` | `d(v) = d(w)` |
//! | `eq[x,d](v)` | `x = d(v)`, for a variable `x`. Objects are told apart by that |
//! | `eq[x,y]()` | `x = y`, for variables that are compared |
//! | `noeq[d,n](v)` | `d(v) ≠ d(w)` for all other `w` of the list |
//!
//! For example, all objects of the list 1, 2, 2 have `inOrder[d,n]`, and that of the last 2 is true because `n` leads
//! nowhere.
//!
//! A number without value is any number. So is that of an object which has none:
//! nothing is ever known about it.

use crate::tracked::data_order::Compared;
use crate::vocabulary::kinds::Kind;
use crate::vocabulary::names::Names;
use crate::vocabulary::order::{Fits, Order, Sorted, Term, UNKNOWN};
use crate::vocabulary::predicates::{Predicates, Scope};
use crate::vocabulary::variables::{v, w};
use std::collections::BTreeMap;
use trifold_ir::VarId;
use trifold_logic::{Definition, DisplaySet, Formula, Kleene, Predicate, PredicateId, Properties, Var};
use trifold_passes::links::LinkId;
use trifold_tvl::{Constraint, Head, Origin};

/// Where a number comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    Variable(VarId),
    /// The data of the object that this variable points to.
    Of(VarId, LinkId),
    Any,
}

impl Predicates {
    pub fn declare_orders(&mut self, scope: &Scope, names: &Names) {
        for class in scope.compared {
            let Some(of) = class.data.first().map(|link| names.link(*link)) else { continue };
            if class.only_equal {
                self.declare_equality(names, class, of);
            } else {
                self.declare_order(names, class, of);
            }
        }
    }

    fn declare_order(&mut self, names: &Names, class: &Compared, of: &str) {
        let properties = Properties { reflexive: true, transitive: true, ..Properties::default() };
        let dle = self.declare_comparison(&format!("dle[{of}]"), 2, properties, false);
        let mut declare = |variable: &VarId| {
            let (name, apart) = (names.variable(*variable), class.steering.contains(variable));
            let mut unary = |name: String| self.declare_comparison(&name, 1, Properties::default(), apart);
            (*variable, [unary(format!("le[{name},{of}]")), unary(format!("ge[{name},{of}]"))])
        };
        let variables: BTreeMap<VarId, [PredicateId; 2]> = class.variables.iter().map(&mut declare).collect();
        let mut declare = |(a, b): &(VarId, VarId)| {
            let name = format!("le[{},{}]", names.variable(*a), names.variable(*b));
            ((*a, *b), self.declare(Predicate::core(&name, 0)))
        };
        let pairs = class.known_pairs().map(&mut declare).collect();
        let mut declare = |x: &VarId| {
            let both = Formula::and(variables[x].map(|p| Formula::atom(p, [v()])));
            (*x, self.define(&format!("eq[{},{of}]", names.variable(*x)), &[v()], both))
        };
        let equal = class.steering.union(&class.remembered).map(&mut declare).collect();
        let mut sorted = Vec::new();
        for spine in &class.spines {
            let step = self.edge(*spine).leads;
            for (name, fits) in [("inOrder", Fits::Rising), ("inROrder", Fits::Falling)] {
                let name = format!("{name}[{of},{}]", names.link(*spine));
                sorted.push(self.declare_sorted(&name, dle, step, fits, Kind::InOrder(step)));
            }
        }
        for link in &class.branches {
            let Some(under) = self.under(self.edge(*link).leads) else { continue };
            for (name, fits) in [("less", Fits::Less), ("greater", Fits::Greater)] {
                let name = format!("{name}[{of},{}]", names.link(*link));
                sorted.push(self.declare_sorted(&name, dle, under, fits, Kind::Sorted(under)));
            }
        }
        self.orders.push(Order { data: class.data.clone(), dle, variables, pairs, sorted, equal, only_equal: false });
    }

    fn declare_sorted(&mut self, name: &str, dle: PredicateId, along: PredicateId, fits: Fits, kind: Kind) -> Sorted {
        let mut sorted = Sorted { predicate: dle, along, fits };
        let formula = sorted.all(Formula::TRUE, &Formula::atom(dle, [v(), w()]));
        let definition = Some(Definition { parameters: vec![v()], formula });
        sorted.predicate = self.declare(Predicate { definition, abstraction: false, ..Predicate::core(name, 1) });
        self.kinds.insert(sorted.predicate, kind);
        sorted
    }

    fn declare_equality(&mut self, names: &Names, class: &Compared, of: &str) {
        let properties = Properties { reflexive: true, symmetric: true, transitive: true, ..Properties::default() };
        let deq = self.declare_comparison(&format!("deq[{of}]"), 2, properties, false);
        let mut declare = |variable: &VarId| {
            let name = format!("eq[{},{of}]", names.variable(*variable));
            let eq = self.declare_comparison(&name, 1, Properties::default(), true);
            (*variable, [eq, eq])
        };
        let variables: BTreeMap<_, _> = class.variables.iter().map(&mut declare).collect();
        let mut pairs = BTreeMap::new();
        for (a, b) in class.known_pairs().filter(|(a, b)| a < b) {
            let name = format!("eq[{},{}]", names.variable(*a), names.variable(*b));
            let eq = self.declare(Predicate::core(&name, 0));
            pairs.extend([((*a, *b), eq), ((*b, *a), eq)]);
        }
        for spine in &class.spines {
            let step = self.edge(*spine).leads;
            let Some(below) = self.levels.iter().find(|level| level.step == Some(step)).and_then(|level| level.below)
            else {
                continue;
            };
            let same_list = Formula::or([Formula::atom(below, [v(), w()]), Formula::atom(below, [w(), v()])]);
            let other = Formula::and([same_list, Formula::equal(v(), w()).negate()]);
            let formula = Formula::forall([w()], other.implies(Formula::atom(deq, [v(), w()]).negate()));
            let definition = Some(Definition { parameters: vec![v()], formula });
            let name = format!("noeq[{of},{}]", names.link(*spine));
            let id = self.declare(Predicate { definition, abstraction: false, ..Predicate::core(&name, 1) });
            self.kinds.insert(id, Kind::Distinct(step));
        }
        let (data, sorted, equal) = (class.data.clone(), Vec::new(), BTreeMap::new());
        self.orders.push(Order { data, dle: deq, variables, pairs, sorted, equal, only_equal: true });
    }

    fn declare_comparison(
        &mut self,
        name: &str,
        arity: usize,
        properties: Properties,
        abstraction: bool,
    ) -> PredicateId {
        // An unknown order is not worth a drawing.
        let display = DisplaySet::of(&[Kleene::True]);
        self.declare(Predicate { properties, display, abstraction, ..Predicate::core(name, arity) })
    }

    /// The rules of orders.
    pub fn order_rules(&self) -> Vec<Constraint> {
        let mut rules = Vec::new();
        for order in &self.orders {
            // Of two numbers one is not greater than the other.
            let objects = (Term::Object(v()), Term::Object(w()));
            let with_object = order
                .variables
                .keys()
                .flat_map(|x| [(Term::Number(*x), Term::Object(v())), (Term::Object(v()), Term::Number(*x))]);
            let pairs = order.pairs.keys().map(|(x, y)| (Term::Number(*x), Term::Number(*y)));
            for (a, b) in with_object.chain(pairs).chain([objects]).filter(|_| !order.only_equal) {
                rules.extend(order.rule(&[(&a, &b, false)], (&b, &a, true)));
            }
            for x in order.variables.keys().copied() {
                for [a, b, c] in [
                    [Term::Number(x), Term::Object(v()), Term::Object(w())],
                    [Term::Object(v()), Term::Number(x), Term::Object(w())],
                    [Term::Object(v()), Term::Object(w()), Term::Number(x)],
                ] {
                    rules.extend(order.transitive(&a, &b, &c));
                }
            }
            rules.extend(self.sorted_rules(order));
            rules.extend(order.equality_rules());
            // In trees it matters that the order is transitive; of lists only the first of this follows from elsewhere.
            if order.sorted.iter().any(|sorted| sorted.fits == Fits::Less) {
                rules.extend(order.transitive(&Term::Object(v()), &Term::Object(w()), &Term::Object(Var::new("u"))));
            }
            rules.extend(order.sorted.iter().flat_map(|sorted| sorted.rules(order.dle)));
            for (x, y) in order.pairs.keys().copied() {
                for [a, b, c] in [
                    [Term::Number(x), Term::Number(y), Term::Object(v())],
                    [Term::Number(x), Term::Object(v()), Term::Number(y)],
                    [Term::Object(v()), Term::Number(x), Term::Number(y)],
                ] {
                    rules.extend(order.transitive(&a, &b, &c));
                }
            }
        }
        rules
    }

    /// If all that a variable reaches is in order, the first one of them is not greater than the others.
    fn sorted_rules(&self, order: &Order) -> Vec<Constraint> {
        let mut rules = Vec::new();
        for sorted in &order.sorted {
            for (_, pointer) in self.shared() {
                for (_, reach) in pointer.reach.iter().filter(|(along, _)| *along == sorted.along) {
                    let u = Var::new("u");
                    let fits = Formula::atom(*reach, [u.clone()]).implies(Formula::atom(sorted.predicate, [u.clone()]));
                    let first = Formula::atom(pointer.points, [v()]);
                    let body = Formula::and([first, Formula::atom(*reach, [w()]), Formula::forall([u], fits)]);
                    let arguments = if sorted.fits == Fits::Falling { vec![w(), v()] } else { vec![v(), w()] };
                    let head = Head::Predicate { predicate: order.dle, arguments, positive: true };
                    rules.push(Constraint { body, head, origin: Origin::default() });
                }
            }
        }
        rules
    }

    /// "The number is not greater than that of `at`."
    fn number_below(&self, order: &Order, number: Number, at: Var) -> Formula {
        match number {
            Number::Variable(x) => order.variables.get(&x).map_or(UNKNOWN, |[le, _]| Formula::atom(*le, [at])),
            Number::Of(object, link) => {
                self.of_object(order, object, link, &|from| Formula::atom(order.dle, [from, at.clone()]))
            }
            Number::Any => UNKNOWN,
        }
    }

    /// "The number is not less than that of `at`."
    fn number_above(&self, order: &Order, number: Number, at: Var) -> Formula {
        match number {
            Number::Variable(x) => order.variables.get(&x).map_or(UNKNOWN, |[_, ge]| Formula::atom(*ge, [at])),
            Number::Of(object, link) => {
                self.of_object(order, object, link, &|from| Formula::atom(order.dle, [at.clone(), from]))
            }
            Number::Any => UNKNOWN,
        }
    }

    /// "The claim holds of the object that the variable points to."
    fn of_object(&self, order: &Order, object: VarId, link: LinkId, claim: &dyn Fn(Var) -> Formula) -> Formula {
        if !order.data.contains(&link) {
            return UNKNOWN;
        }
        let o = Var::new("o");
        Formula::exists([o.clone()], Formula::and([self.points(object, o.clone()), claim(o)]))
    }

    /// "The first number is not greater than the second."
    fn not_greater(&self, order: &Order, first: Number, second: Number) -> Formula {
        match (first, second) {
            (Number::Variable(x), Number::Variable(y)) if x == y => Formula::TRUE,
            (Number::Variable(x), Number::Variable(y)) => {
                order.pairs.get(&(x, y)).map_or(UNKNOWN, |pair| Formula::atom(*pair, []))
            }
            (Number::Of(object, link), Number::Variable(_)) => {
                self.of_object(order, object, link, &|at| self.number_above(order, second, at))
            }
            (Number::Variable(_), Number::Of(object, link)) => {
                self.of_object(order, object, link, &|at| self.number_below(order, first, at))
            }
            _ => UNKNOWN,
        }
    }

    /// The updates of an order when variables get numbers, all at once.
    pub fn numbers_assigned(&self, assigned: &BTreeMap<VarId, Number>) -> Vec<(PredicateId, Vec<Var>, Formula)> {
        let mut updates = Vec::new();
        for order in &self.orders {
            let number = |x: VarId| assigned.get(&x).copied().unwrap_or(Number::Variable(x));
            for (x, [le, ge]) in order.variables.iter().filter(|(x, _)| assigned.contains_key(x)) {
                updates.push((*le, vec![v()], self.number_below(order, number(*x), v())));
                updates.push((*ge, vec![v()], self.number_above(order, number(*x), v())));
            }
            let changed = |x: &VarId| assigned.contains_key(x);
            for ((x, y), pair) in order.pairs.iter().filter(|((x, y), _)| changed(x) || changed(y)) {
                updates.push((*pair, Vec::new(), self.not_greater(order, number(*x), number(*y))));
            }
        }
        updates
    }

    /// The updates of the order when the object for which the formula, about `v`, holds gets a number.
    pub fn number_stored(
        &self,
        order: &Order,
        object: &Formula,
        number: Number,
    ) -> Vec<(PredicateId, Vec<Var>, Formula)> {
        let to = |at: Var| object.substitute(&BTreeMap::from([(v(), at)]));
        let first = Formula::or([Formula::equal(v(), w()), self.number_below(order, number, w())]);
        let second = self.number_above(order, number, v());
        let kept = Formula::if_then_else(to(w()), second, Formula::atom(order.dle, [v(), w()]));
        let dle = Formula::if_then_else(to(v()), first, kept);
        let mut updates = Vec::new();
        for sorted in &order.sorted {
            // An object that was in order with all others only has to be so with the object.
            let here = Formula::atom(sorted.predicate, [v()]);
            let leads = Formula::exists([w()], Formula::and([Formula::atom(sorted.along, [v(), w()]), to(w())]));
            let anew = sorted.all(Formula::TRUE, &dle);
            let other = Formula::if_then_else(here, sorted.all(to(w()), &dle), Formula::and([leads, anew.clone()]));
            updates.push((sorted.predicate, vec![v()], Formula::if_then_else(object.clone(), anew, other)));
        }
        updates.push((order.dle, vec![v(), w()], dle));
        for (x, [le, ge]) in &order.variables {
            let x = Number::Variable(*x);
            for (predicate, value) in
                [(*le, self.not_greater(order, x, number)), (*ge, self.not_greater(order, number, x))]
            {
                let kept = Formula::atom(predicate, [v()]);
                updates.push((predicate, vec![v()], Formula::if_then_else(object.clone(), value, kept)));
            }
        }
        updates
    }
}

//! Rules that states obey beyond what is declared of predicates: a value is of one kind only.

use crate::cells::Holder;
use crate::predicates::{Predicates, v, w};
use trifold_logic::{Formula, PredicateId, Var};
use trifold_tvl::{Constraint, Head, Origin};

/// An atom of which at most one of several holds.
type Atom = (PredicateId, Vec<Var>);

impl Predicates {
    /// The rules.
    pub fn rules(&self) -> Vec<Constraint> {
        let mut rules = Rules::default();
        for pointer in self.pointers.values() {
            let flags = [pointer.uninit, pointer.freed, pointer.dead].into_iter().flatten().map(|p| (p, vec![]));
            let outside = pointer.outside.values().map(|p| (*p, vec![w()]));
            rules.one_of(&flags.chain(outside).chain([(pointer.points, vec![v()])]).collect::<Vec<_>>());
        }
        for link in self.links.values() {
            let flags = [link.uninit, link.freed, link.dead].into_iter().flatten().map(|p| (p, vec![v()]));
            rules.one_of(&flags.chain([(link.edge, vec![v(), w()])]).collect::<Vec<_>>());
        }
        for (holder, cells) in &self.cells {
            let arguments = match holder {
                Holder::Variable(_) => vec![],
                Holder::Field(_) => vec![v()],
            };
            let cells: Vec<Atom> = cells.iter().map(|(_, p)| (*p, arguments.clone())).collect();
            rules.one_of(&cells);
            // What is no object of the struct has no value, but a variable has one.
            if arguments.is_empty() {
                rules.some_of(&cells);
            }
        }
        rules.0
    }
}

#[derive(Default)]
struct Rules(Vec<Constraint>);

impl Rules {
    fn add(&mut self, body: Formula, (predicate, arguments): &Atom, positive: bool) {
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

    /// One of these nullary atoms holds.
    fn some_of(&mut self, atoms: &[Atom]) {
        for (i, atom) in atoms.iter().enumerate() {
            let others = atoms.iter().enumerate().filter(|(j, _)| *j != i);
            self.add(Formula::and(others.map(|(_, (p, _))| Formula::atom(*p, []).negate())), atom, true);
        }
    }
}

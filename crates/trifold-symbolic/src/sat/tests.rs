//! The solver against truth tables.

use super::{Clauses, Lit, Sat, Satisfiability};
use proptest::prelude::*;

const VARIABLES: usize = 9;

fn clauses() -> impl Strategy<Value = Vec<Vec<(usize, bool)>>> {
    prop::collection::vec(prop::collection::vec((0..VARIABLES, any::<bool>()), 1..4), 0..50)
}

/// Some assignment that satisfies the clauses and the assumptions, by trying all.
fn by_table(clauses: &[Vec<(usize, bool)>], assumptions: &[(usize, bool)]) -> bool {
    let holds = |bits: u32, &(variable, positive): &(usize, bool)| (bits >> variable & 1 == 1) == positive;
    (0..1 << VARIABLES).any(|bits| {
        clauses.iter().all(|clause| clause.iter().any(|lit| holds(bits, lit)))
            && assumptions.iter().all(|lit| holds(bits, lit))
    })
}

struct Built {
    sat: Sat,
    variables: Vec<Lit>,
}

impl Built {
    fn new() -> Built {
        let mut sat = Sat::default();
        let variables = (0..VARIABLES).map(|_| sat.new_var()).collect();
        Built { sat, variables }
    }

    fn lit(&self, (variable, positive): (usize, bool)) -> Lit {
        if positive { self.variables[variable] } else { !self.variables[variable] }
    }

    fn add(&mut self, clause: &[(usize, bool)]) {
        let clause: Vec<Lit> = clause.iter().map(|lit| self.lit(*lit)).collect();
        self.sat.add_clause(&clause);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// One solver answers several calls, with clauses added in between, as truth tables do.
    #[test]
    fn answers_are_those_of_truth_tables(
        rounds in prop::collection::vec((clauses(), prop::collection::vec((0..VARIABLES, any::<bool>()), 0..5)), 1..4),
    ) {
        let mut built = Built::new();
        let mut all = Vec::new();
        for (clauses, assumptions) in rounds {
            clauses.iter().for_each(|clause| built.add(clause));
            all.extend(clauses);
            let assumed: Vec<Lit> = assumptions.iter().map(|lit| built.lit(*lit)).collect();
            match built.sat.solve(&assumed, &mut { u64::MAX }) {
                Satisfiability::Sat => {
                    let holds = |lit: &(usize, bool)| built.sat.value(built.lit(*lit));
                    prop_assert!(all.iter().all(|clause| clause.iter().any(holds)));
                    prop_assert!(assumptions.iter().all(holds));
                    prop_assert!(built.sat.value(Lit::TRUE) && !built.sat.value(Lit::FALSE));
                }
                Satisfiability::Unsat => {
                    let core: Vec<(usize, bool)> =
                        assumptions.iter().copied().filter(|lit| built.sat.core().contains(&built.lit(*lit))).collect();
                    prop_assert_eq!(
                        core.iter().map(|lit| built.lit(*lit)).collect::<std::collections::BTreeSet<_>>().len(),
                        built.sat.core().len()
                    );
                    prop_assert!(!by_table(&all, &core));
                }
                Satisfiability::Stopped => prop_assert!(false, "there was no limit"),
            }
        }
    }
}

/// Seven pigeons do not fit into six holes: needs learning and restarts.
#[test]
fn pigeons_and_holes() {
    let mut sat = Sat::default();
    let (pigeons, holes) = (7, 6);
    let sits: Vec<Vec<Lit>> = (0..pigeons).map(|_| (0..holes).map(|_| sat.new_var()).collect()).collect();
    let open = sat.new_var();
    for pigeon in &sits {
        sat.add_clause(&[&pigeon[..], &[open]].concat());
    }
    for (number, one) in sits.iter().enumerate() {
        for other in &sits[..number] {
            one.iter().zip(other).for_each(|(a, b)| sat.add_clause(&[!*a, !*b]));
        }
    }
    assert_eq!(sat.solve(&[!open], &mut { 3 }), Satisfiability::Stopped);
    assert_eq!(sat.solve(&[!open], &mut { u64::MAX }), Satisfiability::Unsat);
    assert_eq!(sat.core(), [!open]);
    assert_eq!(sat.solve(&[], &mut { u64::MAX }), Satisfiability::Sat);
    assert!(sat.conflicts > 64);
}

#[test]
fn contradictory_clauses_blame_nobody() {
    let mut sat = Sat::default();
    let [a, b] = [sat.new_var(), sat.new_var()];
    sat.add_clause(&[a]);
    sat.add_clause(&[!a, b]);
    assert_eq!(sat.solve(&[b, !b], &mut { u64::MAX }), Satisfiability::Unsat);
    assert_eq!(sat.core(), [!b]);
    sat.add_clause(&[!b]);
    assert_eq!(sat.solve(&[b], &mut { u64::MAX }), Satisfiability::Unsat);
    assert!(sat.core().is_empty());
}

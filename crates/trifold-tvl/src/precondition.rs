//! Preconditions: the assignments of their free variables under which an action applies [LevAmi00 §3.2.2, C.3.2].
//!
//! Each conjunct becomes a table over its own variables. Assignments are then found variable by variable: the
//! candidates for the next variable are the bits that remain when the rows of all conjuncts whose other variables are
//! already assigned are intersected. So a precondition over five variables costs as many steps as it has partial
//! assignments, not the fifth power of the universe. For example, `x(v) & n(v,w)` first assigns to `v` the individuals
//! of `x`, and then to `w` those in the row of `v`.

use trifold_logic::{Formula, Var, negation_normal_form};
use trifold_structure::{Individual, Plan, Plane, Structure, Table, Workspace, row_words, test};

/// A compiled precondition.
#[derive(Debug)]
pub struct Precondition {
    plan: Plan,
    /// The free variables, in the order in which they are assigned.
    variables: Vec<Var>,
    /// Conjuncts without variables.
    closed: Vec<Table>,
    /// For each variable, the conjuncts that are decided once it is assigned: its other columns come before it.
    deciding: Vec<Vec<Conjunct>>,
}

/// A precondition with more assignments than this on one structure is of no use.
const MAX_ASSIGNMENTS: usize = 1 << 18;

/// More assignments satisfy the precondition than can be followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyAssignments;

#[derive(Debug)]
struct Conjunct {
    table: Table,
    /// For each column but the last, the position of its variable. The last column is the variable being assigned.
    columns: Vec<usize>,
}

impl Precondition {
    /// Compiles a precondition over predicates of these arities.
    pub fn new(formula: &Formula, arities: &[usize]) -> Precondition {
        let mut plan = Plan::new(arities.to_vec(), Vec::new());
        let conjuncts = match negation_normal_form(formula) {
            Formula::And(parts) => parts.to_vec(),
            other => vec![other],
        };
        let variables = assignment_order(&conjuncts);
        let mut closed = Vec::new();
        let mut deciding: Vec<Vec<Conjunct>> = variables.iter().map(|_| Vec::new()).collect();
        for conjunct in &conjuncts {
            let position = |v: &Var| variables.iter().position(|w| w == v).expect("a free variable");
            let mut columns = conjunct.free_vars();
            columns.sort_by_key(position);
            let table = plan.compile(conjunct, Plane::May, &columns);
            match columns.split_last() {
                None => closed.push(table),
                Some((last, others)) => {
                    deciding[position(last)].push(Conjunct { table, columns: others.iter().map(position).collect() });
                }
            }
        }
        Precondition { plan, variables, closed, deciding }
    }

    /// The free variables; assignments list their individuals in this order.
    pub fn variables(&self) -> &[Var] {
        &self.variables
    }

    /// The most columns of a table that the precondition evaluates.
    pub fn width(&self) -> usize {
        self.plan.width()
    }

    /// All assignments that potentially satisfy the formula: for a closed one the empty assignment, or none.
    pub fn assignments(
        &self,
        structure: &Structure,
        workspace: &mut Workspace,
    ) -> Result<Vec<Vec<Individual>>, TooManyAssignments> {
        workspace.begin(&self.plan, structure);
        let mut found = Vec::new();
        if self.closed.iter().all(|table| workspace.holds(&self.plan, *table)) {
            self.extend(structure, workspace, &mut Vec::new(), &mut found)?;
        }
        Ok(found)
    }

    fn extend(
        &self,
        structure: &Structure,
        workspace: &mut Workspace,
        assigned: &mut Vec<Individual>,
        found: &mut Vec<Vec<Individual>>,
    ) -> Result<(), TooManyAssignments> {
        let Some(conjuncts) = self.deciding.get(assigned.len()) else {
            if found.len() >= MAX_ASSIGNMENTS {
                return Err(TooManyAssignments);
            }
            found.push(assigned.clone());
            return Ok(());
        };
        let row = row_words(structure.size());
        let mut candidates = vec![u64::MAX; row];
        for conjunct in conjuncts {
            let table = workspace.evaluate(&self.plan, conjunct.table);
            let number = conjunct.columns.iter().fold(0, |number, c| number * structure.size() + assigned[*c]);
            let bits = &table[number * row..(number + 1) * row];
            candidates.iter_mut().zip(bits).for_each(|(word, bits)| *word &= bits);
        }
        for u in structure.universe().filter(|u| test(&candidates, *u)) {
            assigned.push(u);
            self.extend(structure, workspace, assigned, found)?;
            assigned.pop();
        }
        Ok(())
    }
}

/// Assigns next the variable that most conjuncts then decide, so that candidates are few.
fn assignment_order(conjuncts: &[Formula]) -> Vec<Var> {
    let free: Vec<Vec<Var>> = conjuncts.iter().map(Formula::free_vars).collect();
    let mut left: Vec<Var> = Vec::new();
    for v in free.iter().flatten() {
        if !left.contains(v) {
            left.push(v.clone());
        }
    }
    let mut order: Vec<Var> = Vec::new();
    while !left.is_empty() {
        let decided =
            |v: &Var| free.iter().filter(|f| f.contains(v) && f.iter().all(|w| w == v || order.contains(w))).count();
        let best = (0..left.len()).max_by_key(|i| (decided(&left[*i]), left.len() - i)).expect("left is not empty");
        order.push(left.remove(best));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use trifold_logic::Kleene;
    use trifold_structure::naive;
    use trifold_structure::testing::{formula, structure, tuples, vocabulary};

    proptest! {
        #[test]
        fn assignments_are_those_that_potentially_satisfy(
            f in formula(&vocabulary()),
            g in formula(&vocabulary()),
            s in structure(&vocabulary(), 0..=4),
        ) {
            let f = Formula::and([f, g]);
            let arities: Vec<usize> = vocabulary().iter().map(|(_, p)| p.arity).collect();
            let precondition = Precondition::new(&f, &arities);
            let mut found = precondition.assignments(&s, &mut Workspace::default()).unwrap();
            found.sort();
            let expected: Vec<Vec<usize>> = tuples(precondition.variables().len(), s.size())
                .into_iter()
                .filter(|tuple| {
                    let z = precondition.variables().iter().cloned().zip(tuple.iter().copied()).collect();
                    naive::evaluate(&f, &s, &z) != Kleene::False
                })
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}

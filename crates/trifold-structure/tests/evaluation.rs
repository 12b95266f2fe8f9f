//! The bit-parallel evaluation agrees with the meaning of formulas as the papers write it down.

use proptest::prelude::*;
use trifold_logic::{Formula, Kleene, Var, Vocabulary};
use trifold_structure::naive::{self, Assignment};
use trifold_structure::testing::{formula, structure, tuples, vocabulary};
use trifold_structure::{Extent, Plan, Plane, Structure, Workspace, row_words, test};

fn arities(vocabulary: &Vocabulary) -> Vec<usize> {
    vocabulary.iter().map(|(_, p)| p.arity).collect()
}

fn bit(table: &[u64], tuple: &[usize], size: usize) -> bool {
    match tuple.split_last() {
        None => table[0] != 0,
        Some((last, rows)) => {
            let number = rows.iter().fold(0, |number, u| number * size + u);
            let row = row_words(size);
            test(&table[number * row..(number + 1) * row], *last)
        }
    }
}

fn assign(columns: &[Var], tuple: &[usize]) -> Assignment {
    columns.iter().cloned().zip(tuple.iter().copied()).collect()
}

fn agree(formula: &Formula, structure: &Structure, parameters: &[Var]) -> Result<(), TestCaseError> {
    let vocabulary = vocabulary();
    let all = ["v0", "v1", "v2"].map(Var::new);
    let columns: Vec<Var> = all.iter().filter(|v| !parameters.contains(v)).cloned().collect();
    let mut plan = Plan::new(arities(&vocabulary), parameters.to_vec());
    let must = plan.compile(formula, Plane::Must, &columns);
    let may = plan.compile(formula, Plane::May, &columns);
    let unknown = plan.compile_unknown(formula, &columns);
    let mut workspace = Workspace::default();
    workspace.begin(&plan, structure);
    for given in tuples(parameters.len(), structure.size()) {
        workspace.set_parameters(&plan, &given);
        for tuple in tuples(columns.len(), structure.size()) {
            let mut assignment = assign(&columns, &tuple);
            assignment.extend(assign(parameters, &given));
            let expected = naive::evaluate(formula, structure, &assignment);
            let mut at = |table| bit(workspace.evaluate(&plan, table), &tuple, structure.size());
            prop_assert_eq!(Kleene::from_planes(at(must), at(may)), expected);
            prop_assert_eq!(at(unknown), expected == Kleene::Unknown);
            prop_assert!(at(may) || !at(must));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn bitwise_agrees_with_naive(f in formula(&vocabulary()), s in structure(&vocabulary(), 0..=4)) {
        agree(&f, &s, &[])?;
    }

    #[test]
    fn parameters_agree_with_naive(f in formula(&vocabulary()), s in structure(&vocabulary(), 1..=3)) {
        agree(&f, &s, &[Var::new("v1")])?;
        agree(&f, &s, &[Var::new("v2"), Var::new("v0")])?;
    }
}

/// Is the formula 1 and the literal not, under some assignment of individuals that surely exist?
fn is_breached(body: &Formula, head: &Formula, s: &Structure) -> bool {
    let mut variables = body.free_vars();
    variables.extend(head.free_vars());
    variables.sort();
    variables.dedup();
    tuples(variables.len(), s.size()).iter().filter(|tuple| tuple.iter().all(|u| s.is_active(*u))).any(|tuple| {
        let at = |formula| naive::evaluate(formula, s, &assign(&variables, tuple));
        at(body) == Kleene::True && at(head) != Kleene::True
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_breach_is_found_just_where_there_is_one(
        body in prop::collection::vec(formula(&vocabulary()), 1..4),
        head in formula(&vocabulary()),
        s in structure(&vocabulary(), 0..=4),
    ) {
        let body = Formula::and(body);
        let hidden: Vec<Var> = body.free_vars().into_iter().filter(|v| !head.free_vars().contains(v)).collect();
        let mut plan = Plan::new(arities(&vocabulary()), Vec::new());
        let (query, _) = plan.query_breaches(&Formula::exists(hidden, body.clone()), &head).whole;
        let mut workspace = Workspace::default();
        workspace.begin(&plan, &s);
        let found = workspace.search(&plan).may_satisfy(&query, Extent::ALL);
        prop_assert_eq!(found, is_breached(&body, &head, &s) || !query.is_certain());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn rows_of_several_words_agree_with_naive(s in structure(&vocabulary(), 63..=67)) {
        let vocabulary = vocabulary();
        let n = vocabulary.lookup("n").unwrap();
        let x = vocabulary.lookup("x").unwrap();
        let [v0, v1] = ["v0", "v1"].map(Var::new);
        let columns = [v0.clone()];
        let f = Formula::exists([v1.clone()], Formula::and([
            Formula::atom(x, [v1.clone()]),
            Formula::equal(v0.clone(), v1.clone()).negate(),
            Formula::atom(n, [v1, v0]).negate(),
        ]));
        let mut plan = Plan::new(arities(&vocabulary), vec![]);
        let [must, may] = [Plane::Must, Plane::May].map(|plane| plan.compile(&f, plane, &columns));
        let mut workspace = Workspace::default();
        workspace.begin(&plan, &s);
        for u in s.universe() {
            let expected = naive::evaluate(&f, &s, &assign(&columns, &[u]));
            let mut at = |table| bit(workspace.evaluate(&plan, table), &[u], s.size());
            prop_assert_eq!(Kleene::from_planes(at(must), at(may)), expected);
        }
    }
}

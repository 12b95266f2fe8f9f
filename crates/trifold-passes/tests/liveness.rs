//! Liveness on random programs: a program that forgets dead variables does the same.

use proptest::prelude::*;
use trifold_ir::*;
use trifold_oracle::random::random_program;
use trifold_passes::Liveness;

const OPTIONS: Options = Options { max_steps: 300, max_objects: 200, leaks_at_end: false };

fn parsed(decisions: &[u8]) -> Program {
    trifold_oracle::parse(&random_program(decisions))
}

fn run(program: &Program, choices: &mut dyn Choices, options: &Options) -> (Run, Vec<(Point, State)>) {
    let mut visited = Vec::new();
    let mut visit = |point, state: &State| visited.push((point, state.clone()));
    let run = interpret(program, program.entry.expect("an entry"), options, choices, &mut visit);
    (run, visited)
}

/// The program in which variables lose their value where they die, except on the way to the exit.
fn with_dead_variables_forgotten(program: &Program) -> Program {
    let mut forgetful = program.clone();
    for (id, procedure) in program.procedure_ids().zip(&program.procedures) {
        let liveness = Liveness::of(procedure);
        for (index, edge) in procedure.edges.iter().enumerate().filter(|(_, edge)| edge.to != procedure.exit) {
            let changed = &mut forgetful[id];
            let mut from = changed.add_node(Node::default());
            changed.edges[index].to = from;
            for dead in procedure.variables().filter(|variable| !liveness.at(edge.to).contains(variable)) {
                let next = changed.add_node(Node::default());
                let forget = Statement::Set { to: dead, value: Operand::Uninitialised };
                changed.add_edge(from, next, forget, edge.span);
                from = next;
            }
            changed.add_edge(from, edge.to, Statement::Skip, edge.span);
        }
    }
    forgetful
}

/// A state as the current procedure sees it: objects, globals and live variables.
fn live_part(program: &Program, point: Point, state: &State) -> (Point, Vec<Object>, Vec<(VarId, Value)>) {
    let objects = state.objects.iter().map(|object| Object { leaked: false, ..object.clone() });
    let live = Liveness::of(&program[point.procedure]).at(point.node).clone();
    let values = live.into_iter().chain(program.globals()).map(|variable| (variable, state.value(variable)));
    (point, objects.collect(), values.collect())
}

/// The findings that do not speak of reachability.
fn local_findings(run: &Run) -> Vec<(FindingKind, String, Point)> {
    let others = run.findings.iter().filter(|finding| finding.kind != FindingKind::Leak);
    others.map(|finding| (finding.kind, finding.text.clone(), finding.point)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn dead_variables_do_not_matter(
        decisions in proptest::collection::vec(any::<u8>(), 0..150),
        seed in any::<u64>(),
    ) {
        let program = parsed(&decisions);
        let forgetful = with_dead_variables_forgotten(&program);
        prop_assert_eq!(validate(&forgetful), Ok(()));
        let (original, visited) = run(&program, &mut Seeded::new(seed), &OPTIONS);
        prop_assume!(original.outcome != RunEnd::StepLimit);
        let more = Options { max_steps: 100 * OPTIONS.max_steps, ..OPTIONS };
        let (changed, mut visited_forgetfully) = run(&forgetful, &mut Seeded::new(seed), &more);
        prop_assert_eq!(original.outcome, changed.outcome);
        prop_assert_eq!(local_findings(&original), local_findings(&changed));
        visited_forgetfully.retain(|(point, _)| point.node.index() < program[point.procedure].nodes.len());
        let live_part = |visited: &[(Point, State)]| -> Vec<_> {
            visited.iter().map(|(point, state)| live_part(&program, *point, state)).collect()
        };
        prop_assert_eq!(live_part(&visited), live_part(&visited_forgetfully));
    }
}

//! Properties of the interpreter on random programs.

use proptest::prelude::*;
use std::collections::BTreeSet;
use trifold_ir::*;
use trifold_oracle::random::random_program;

const OPTIONS: Options = Options { max_steps: 300, max_objects: 200, leaks_at_end: false };

fn parsed(decisions: &[u8]) -> Program {
    trifold_oracle::parse(&random_program(decisions))
}

/// Lets statements lead elsewhere, so that control flow is no longer structured. The result may be invalid.
fn tangled(mut program: Program, decisions: &[(u8, u8)]) -> Program {
    let procedure = &mut program.procedures[0];
    for (edge, node) in decisions {
        let (edges, nodes) = (procedure.edges.len(), procedure.nodes.len());
        let edge = &mut procedure.edges[usize::from(*edge) % edges];
        let to = NodeId::from_index(usize::from(*node) % nodes);
        if edge.to != procedure.exit && to != procedure.exit {
            edge.to = to;
        }
    }
    program
}

fn run(program: &Program, choices: &mut dyn Choices, options: &Options) -> (Run, Vec<(Point, State)>) {
    let mut visited = Vec::new();
    let mut visit = |point, state: &State| visited.push((point, state.clone()));
    let run = interpret(program, program.entry.expect("an entry"), options, choices, &mut visit);
    (run, visited)
}

/// The invariants of every state.
fn check_state(program: &Program, point: Point, state: &State) {
    assert_eq!(state.point(), point);
    let reachable = state.reachable(&[]);
    for (index, object) in state.objects.iter().enumerate() {
        let fields = &program[object.structure].fields;
        assert_eq!(object.fields.len(), fields.len());
        for (field, value) in fields.iter().map(|field| (&program[*field], object.fields[program[*field].position])) {
            if object.status != Status::Alive {
                assert_eq!(value, Value::Uninitialised);
            } else if field.embedded {
                let part = state.object(value.referent().expect("a part"));
                assert_eq!(part.part_of.map(|(container, _)| container.index()), Some(index));
                assert_eq!((part.status, part.region), (object.status, object.region));
            } else {
                check_value(state, field.ty, value);
            }
        }
        // Between statements everything that is lost has been reported.
        let lives = object.region == Region::Heap && object.status == Status::Alive && object.part_of.is_none();
        assert!(!lives || reachable[index] != object.leaked, "object {index} at {point:?}");
    }
    let frames = state.frames.iter().flat_map(|frame| &frame.values);
    frames.chain(&state.globals).for_each(|(variable, value)| check_value(state, program[*variable].ty, *value));
}

fn check_value(state: &State, ty: Type, value: Value) {
    match (ty, value) {
        (_, Value::Uninitialised) => {}
        (Type::Scalar(scalar), Value::Scalar(value) | Value::Inexact(value, _)) => assert!(scalar.contains(value)),
        (Type::Pointer(_), Value::Null) => {}
        (Type::Pointer(_), Value::Object(object) | Value::Outside { part: object, .. }) => {
            assert!(object.index() < state.objects.len());
        }
        _ => panic!("{value:?} for {ty:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn runs_keep_their_invariants_and_repeat(
        decisions in proptest::collection::vec(any::<u8>(), 0..150),
        tangle in proptest::collection::vec(any::<(u8, u8)>(), 0..4),
        seed in any::<u64>(),
    ) {
        let program = tangled(parsed(&decisions), &tangle);
        prop_assume!(validate(&program).is_ok());
        let mut choices = Recorded::new(Seeded::new(seed));
        let first = run(&program, &mut choices, &OPTIONS);
        for (point, state) in &first.1 {
            check_state(&program, *point, state);
        }
        prop_assert_eq!(&first, &run(&program, &mut Seeded::new(seed), &OPTIONS));
        prop_assert_eq!(&first, &run(&program, &mut Replay::new(choices.made), &OPTIONS));
    }

    #[test]
    fn random_programs_read_back(decisions in proptest::collection::vec(any::<u8>(), 0..150)) {
        let text = print(&parsed(&decisions));
        let (program, _) = parse("printed", &text).map_err(|failure| TestCaseError::fail(format!("{:?}", failure.diagnostics)))?;
        prop_assert_eq!(print(&program), text);
    }
}

/// The programs are not all alike: every kind of finding that a run can have occurs, and every way to end.
#[test]
fn random_programs_do_everything() {
    let (mut kinds, mut outcomes) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..20_000 {
        let mut choices = Seeded::new(seed);
        let mut digit = || choices.choose(0, 15).map_or(0, |digit| digit as u8);
        let decisions: Vec<u8> = (0..100).map(|_| 16 * digit() + digit()).collect();
        let (run, _) = run(&parsed(&decisions), &mut choices, &OPTIONS);
        kinds.extend(run.findings.iter().map(|finding| finding.kind));
        outcomes.insert(format!("{:?}", run.outcome));
    }
    let missing: Vec<_> = FindingKind::ALL.iter().filter(|kind| !kinds.contains(kind)).collect();
    // Exceptions are errors that front ends write, and only analyses have cutpoints.
    assert_eq!(missing, [&FindingKind::UncaughtException, &FindingKind::Cutpoint]);
    let expected = ["Blocked", "DivisionByZero", "Ended", "Failed", "StepLimit", "Stopped"];
    assert_eq!(outcomes, expected.map(str::to_string).into());
}

//! The callers that are made for procedures without one: an analysis knows the shape of their arguments.

use trifold_heap_tvl::{Options, StructureReport, Verdict, check};
use trifold_ir::{FindingKind, parse};
use trifold_passes::Callers;

fn checked(body: &str) -> StructureReport {
    let text = format!("struct list {{ list *next; }} proc target(list *l) {{ {body} }}");
    let (mut program, _) = parse("test", &text).map_err(|failure| failure.diagnostics).unwrap();
    let target = program.procedure_named("target").unwrap();
    let caller = Callers::of(&program)
        .add(&mut program, target, None, &trifold_passes::Demands { apart: true, ..Default::default() })
        .unwrap();
    check(&program, caller, &Options::default(), &mut ())
}

#[test]
fn an_analysis_knows_the_shape_of_arguments() {
    let free = "list *m; while (l != null) { m = l->next; free(l); l = m; }";
    assert_eq!(checked(free).overall(), Verdict::Proved);
    let report = checked(&free.replace("l != null", "*"));
    assert_eq!(report.verdict(FindingKind::NullDereference), Verdict::MayFail);
}

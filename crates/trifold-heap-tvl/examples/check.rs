//! Checks heap programs given as text: `cargo run -p trifold-heap-tvl --example check -- program.hp`.

use std::time::Instant;
use trifold_heap_tvl::{Options, check};
use trifold_tvl::Limits;

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a file");
        let (program, _) =
            trifold_ir::parse(&path, &text).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
        let start = Instant::now();
        let limits = Limits { structures: Some(200_000), messages: None };
        let options = Options { limits, ..Options::default() };
        let entry = program.entry.expect("an entry");
        let report = match std::env::var("DEAD_FIELDS") {
            Ok(_) => {
                let precision = trifold_heap_tvl::Precision { dead_fields: true, ..Default::default() };
                trifold_heap_tvl::check_with(&program, entry, precision, &options, &mut ())
            }
            Err(_) => check(&program, entry, &options, &mut ()),
        };
        let statistics = report.analysis.solution.statistics;
        println!(
            "{path}: {:?}, {:?}, {} structures, {} steps, {:.2?}; {} contradictions, {} unexplained",
            report.overall(),
            report.stop,
            statistics.created,
            statistics.steps,
            start.elapsed(),
            report.analysis.contradictions.len(),
            report.analysis.unexplained.len(),
        );
        for (id, procedure) in report.engine.specification().cfg.procedures.enumerate() {
            let contexts = report.analysis.solution.contexts.iter().filter(|context| context.procedure == id);
            println!("  {} is analysed for {} inputs", procedure.name, contexts.clone().count());
            if std::env::var("SUMMARIES").is_err() {
                continue;
            }
            for context in contexts {
                for (what, point) in [("in ", Some(context.entry)), ("out", context.exit)] {
                    let store = point.map(|point| &report.analysis.solution.stores[point]);
                    for structure in store.iter().flat_map(|store| store.iter()) {
                        println!("    {what} {}", show(report.engine.specification(), structure));
                    }
                }
            }
        }
        for finding in &report.findings {
            let program = &report.lowered.program;
            let statement = &program[finding.place.procedure].edges[finding.place.edge].statement;
            println!("  {}: `{}`: {}", finding.kind, trifold_ir::show_statement(program, statement), finding.text);
            println!("     {}", show(report.engine.specification(), &finding.state));
            for step in finding.trace.iter().filter(|_| std::env::var("TRACE").is_ok()) {
                let statement = &program[step.place.procedure].edges[step.place.edge].statement;
                println!("       {}", trifold_ir::show_statement(program, statement));
                println!("         {}", show(report.engine.specification(), step.state.as_ref().expect("kept")));
            }
        }
    }
}

fn show(specification: &trifold_tvl::Specification, structure: &trifold_structure::Structure) -> String {
    let mut text = format!("{} individuals:", structure.size());
    for (id, predicate) in specification.vocabulary.iter().skip(4) {
        let mut note = |tuple: &[usize]| {
            let value = structure.get(id, tuple);
            if value.may() {
                text += &format!(" {}{tuple:?}{}", predicate.name, if value.must() { "" } else { "=1/2" });
            }
        };
        match predicate.arity {
            0 => note(&[]),
            1 => structure.universe().for_each(|u| note(&[u])),
            _ => structure.universe().for_each(|u| structure.universe().for_each(|v| note(&[u, v]))),
        }
    }
    let summaries: Vec<usize> = structure.universe().filter(|u| structure.is_summary(*u)).collect();
    format!("{text} sm{summaries:?}")
}

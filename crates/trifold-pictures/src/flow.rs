//! Control-flow graphs of programs. For example, `x = y;` is an edge with this label between two nodes, `entry` and
//! `exit`.

use trifold_ir::{Procedure, Program, show_statement};
use trifold_report::Cfg;
use trifold_tvl::Specification;

/// The control-flow graph of a procedure.
pub fn procedure_flow(program: &Program, procedure: &Procedure) -> Cfg {
    let mut cfg = Cfg { title: Some(procedure.name.clone()), ..Cfg::default() };
    // The entry comes first, because the drawing begins there.
    let mut numbers = vec![procedure.entry.index()];
    numbers.extend((0..procedure.nodes.len()).filter(|number| *number != procedure.entry.index()));
    let mut places = vec![0; numbers.len()];
    for number in numbers {
        let node = &procedure.nodes[number];
        let name = match &node.label {
            Some(label) => label.clone(),
            None if number == procedure.entry.index() => "entry".to_string(),
            None if number == procedure.exit.index() => "exit".to_string(),
            None => number.to_string(),
        };
        places[number] = cfg.location(name);
        cfg.locations[places[number]].note = node.loop_head.then(|| "loop".to_string());
    }
    for edge in &procedure.edges {
        let (from, to) = (places[edge.from.index()], places[edge.to.index()]);
        cfg.edge(from, to, show_statement(program, &edge.statement));
    }
    cfg
}

/// The program.
pub fn program_flow(specification: &Specification, title: &str) -> Cfg {
    let mut cfg = Cfg { title: Some(title.to_string()), ..Cfg::default() };
    for name in &specification.cfg.locations {
        cfg.location(name.as_str());
    }
    for (id, edge) in specification.cfg.edges.enumerate() {
        cfg.edge(edge.source.index(), edge.target.index(), specification.title(id));
    }
    cfg
}

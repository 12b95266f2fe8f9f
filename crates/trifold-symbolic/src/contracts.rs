//! Contracts of procedures, made ready for an analysis: the structures in which they hold.
//!
//! For example, `%requires E(v) p(v)` gives the body of its procedure all structures in which `p` points to an
//! individual, as most-precise abstraction computes them.

use crate::ground::BuiltIn;
use crate::operations::Symbolic;
use crate::session::{QueryCost, Session};
use std::collections::BTreeMap;
use trifold_logic::{Formula, PredicateId, Var};
use trifold_structure::Structure;
use trifold_tvl::{Input, ProcedureId, Specification, check_contracts};

/// A program whose contracts are relied on, and the structures that this takes.
#[derive(Debug)]
pub struct Contracts {
    /// The inputs of bodies: all structures that satisfy their preconditions, and no others.
    pub inputs: Vec<Input>,
    /// With what calls return, by procedure: all that contracts ensure, and no more.
    pub promised: BTreeMap<ProcedureId, Vec<Structure>>,
    /// Contracts that require what no store satisfies, by procedure: nothing is checked of their bodies.
    pub idle: Vec<ProcedureId>,
    /// What it took to find out.
    pub report: QueryCost,
}

impl Contracts {
    /// Adds the checks of contracts to a program. There is nothing to do for one that has none.
    pub fn prepare(specification: &mut Specification, stop: &mut dyn FnMut() -> bool) -> Option<Contracts> {
        if specification.cfg.procedures.iter().all(|procedure| procedure.contract.is_none()) {
            return None;
        }
        let symbolic = Symbolic::new(specification);
        let mut solver = BuiltIn::default();
        let mut session = Session::new(&mut solver, stop);
        // On which side of a call individuals are matters only where it returns.
        let sides: Vec<PredicateId> = specification.cfg.calls.iter().flat_map(|call| call.sides).collect();
        let (mut inputs, mut promised, mut idle) = (Vec::new(), BTreeMap::new(), Vec::new());
        for (id, procedure) in specification.cfg.procedures.enumerate() {
            let Some(contract) = &procedure.contract else { continue };
            let mut all = |formula: &Formula| -> Vec<Structure> {
                let v = Var::new("v");
                let beside = sides.iter().map(|side| Formula::atom(*side, [v.clone()]));
                let none = Formula::exists([v.clone()], Formula::or(beside)).negate();
                let found = symbolic.abstract_formula(&Formula::and([formula.clone(), none]), &mut session);
                found.into_iter().map(|found| found.structure).collect()
            };
            let starts = all(&contract.requires);
            idle.extend(starts.is_empty().then_some(id));
            inputs.extend(starts.into_iter().map(|structure| Input { location: procedure.entry, structure }));
            promised.insert(id, all(&contract.ensures));
        }
        let report = session.report;
        check_contracts(specification);
        Some(Contracts { inputs, promised, idle, report })
    }
}

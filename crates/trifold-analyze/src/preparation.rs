//! What goes before an analysis: contracts are followed, options are compared with the abstraction of the program, and
//! inputs that represent no store are left out.

use crate::trace::explain;
use std::collections::BTreeMap;
use trifold_fixpoint::ProcedureId;
use trifold_structure::Structure;
use trifold_symbolic::Contracts;
use trifold_tvl::{Analysis, BlurRule, Cfg, Engine, EngineOptions, Expression, Input, Join, Specification, When};

/// Prepares the contracts of procedures: their bodies are analysed from their preconditions, and calls return with
/// their postconditions, which are the result.
pub fn follow_contracts(
    specification: &mut Specification,
    inputs: &mut Vec<Input>,
    stop: &mut dyn FnMut() -> bool,
) -> Result<BTreeMap<ProcedureId, Vec<Structure>>, String> {
    let Some(contracts) = Contracts::prepare(specification, stop) else { return Ok(BTreeMap::new()) };
    if let Some(idle) = contracts.idle.first() {
        let name = &specification.cfg.procedures[*idle].name;
        return Err(format!("no store satisfies the precondition of `{name}`, so there is nothing to analyse"));
    }
    inputs.extend(contracts.inputs);
    Ok(contracts.promised)
}

/// An option that is defined for canonical abstraction only, if the program wants another abstraction.
pub fn beyond_abstraction(cfg: &Cfg, engine: &EngineOptions, transformer: Option<When>) -> Option<&'static str> {
    let is_refined = cfg.expressions().any(|expression| !matches!(expression, Expression::Unary(_)));
    match () {
        _ if is_refined && engine.join == Join::Single => Some("--join single"),
        _ if is_refined && engine.blur == BlurRule::Definite => Some("--blur definite"),
        _ if cfg.expressions().next().is_some() && transformer == Some(When::Always) => Some("--transformer best"),
        _ => None,
    }
}

/// The inputs that no store satisfies, which are left out.
pub fn left_out<'a>(
    engine: &'a Engine,
    inputs: &'a [Input],
    analysis: &'a Analysis,
) -> impl Iterator<Item = String> + 'a {
    analysis.infeasible_inputs.iter().map(|(number, infeasible)| {
        let why = explain(engine.coercer(), infeasible, &inputs[*number].structure, engine);
        format!("input structure {} represents no store and is left out: {why}", number + 1)
    })
}

/// Why there is nothing to analyse, if all inputs are left out.
pub fn nothing_to_analyse(inputs: &[Input], analysis: &Analysis) -> Option<String> {
    let what = if inputs.is_empty() { "there is no input structure" } else { "no input structure represents a store" };
    let is_nothing = analysis.infeasible_inputs.len() == inputs.len();
    is_nothing.then(|| format!("{what}, so there is nothing to analyse"))
}

//! Contracts of procedures: checked on both sides, so that calls and bodies can rely on them [YorshRS04 §1].
//!
//! A call of a procedure with a contract does not enter it. A last action of [`Call::enter`] checks the precondition;
//! the caller goes on with every structure in which the postcondition holds. The body is analysed by itself, from every
//! structure in which the precondition holds; a last edge checks the postcondition.
//!
//! For example, `reverse` requires that its parameter is a list and ensures that its result is one: its callers go on
//! with any list.
//!
//! # Soundness
//! By induction on the steps of a run: as long as no check has fired, a procedure is entered where its precondition
//! holds, and left where its postcondition holds.

use crate::specification::{Action, Edge, Label, Message, MessageKind, Moment, Origin, Specification};
use trifold_logic::Formula;

/// Adds the checks of contracts to a program.
pub fn check_contracts(specification: &mut Specification) {
    let Specification { actions, cfg, .. } = specification;
    for id in cfg.procedures.ids() {
        let procedure = &mut cfg.procedures[id];
        let Some(contract) = &procedure.contract else { continue };
        let name = &procedure.name;
        let text = format!("the precondition of `{name}` may not hold");
        let required = actions.push(check(format!("{name} requires"), &contract.requires, text, contract.origin));
        cfg.calls.iter_mut().filter(|call| call.callee == id).for_each(|call| call.enter.push(required));
        let text = format!("the postcondition of `{name}` may not hold at its exit");
        let action = actions.push(check(format!("{name} ensures"), &contract.ensures, text, contract.origin));
        let target = cfg.locations.push(format!("{} (checked)", cfg.locations[procedure.exit]));
        cfg.edges.push(Edge { source: procedure.exit, label: Label::Action(action), target, origin: contract.origin });
        procedure.exit = target;
    }
}

fn check(title: String, condition: &Formula, text: String, origin: Origin) -> Action {
    let (moment, kind) = (Moment::BeforeUpdate, MessageKind::Alarm);
    let message = Message { condition: condition.clone().negate(), moment, kind, code: Message::CODE, text, origin };
    Action { title, messages: vec![message], ..Action::default() }
}

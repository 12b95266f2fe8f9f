//! Procedures, and calls between them.
//!
//! A program with procedures has all its edges in them, and starts with the first one. An action that ends a call gets
//! the updates that its author need not write: no individual is on either side afterwards. For example,
//! `inCaller(v) = 0` and `inCallee(v) = 0` are added to it.

use super::formula::{Context, Free};
use super::predicates::SIDES;
use super::program::{Graph, Use};
use super::{Expander, Scope};
use crate::ast::{CallDefinition, EdgeDefinition, Ident, Name, ProcedureDefinition, Program};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use trifold_logic::{Formula, PredicateId, Var};
use trifold_source::{Diagnostic, Span, suggest};
use trifold_tvl::{Action, ActionId, Call, Contract, EdgeId, Label, Procedure, ProcedureId, Update};

impl Expander<'_> {
    pub(super) fn procedures<'p>(&mut self, program: &'p Program, graph: &mut Graph<'p>) {
        for procedure in &program.procedures {
            self.procedure(procedure, &program.procedures, graph);
        }
        if let (Some(edge), Some(procedure)) = (program.edges.first(), program.procedures.first()) {
            let message = "an edge outside of all procedures";
            let error = Diagnostic::error("outside-procedures", edge.source.span, message);
            let error = error.secondary(procedure.name.span, "the program has procedures");
            let help = "a program with procedures has all its edges in them, and starts with the first one";
            self.report(error.help(help), &Scope::default());
        }
        self.check_locations(&program.procedures);
        for (edge, call) in std::mem::take(&mut graph.calls) {
            self.call(edge, call, &program.procedures, graph);
        }
    }

    fn procedure<'p>(
        &mut self,
        procedure: &'p ProcedureDefinition,
        all: &[ProcedureDefinition],
        graph: &mut Graph<'p>,
    ) {
        let name = &procedure.name;
        let first = all.iter().find(|known| known.name.text == name.text).unwrap_or(procedure);
        if first.name.span != name.span {
            let error = Diagnostic::error("redeclared", name.span, format!("a second procedure `{}`", name.text));
            self.report(error.secondary(first.name.span, "the first one"), &Scope::default());
        }
        let entry = graph.location(&procedure.entry);
        procedure.edges.iter().for_each(|edge| self.edge(edge, graph));
        let exit = graph.location(&procedure.exit);
        let contract = self.contract(procedure);
        graph.cfg.procedures.push(Procedure { name: name.text.to_string(), entry, exit, contract });
    }

    fn contract(&mut self, procedure: &ProcedureDefinition) -> Option<Contract> {
        let ProcedureDefinition { name, requires, ensures, .. } = procedure;
        requires.as_ref().or(ensures.as_ref())?;
        let scope = Scope::default();
        let context = Context { scope: &scope, free: Free::Only(&[]), in_action: false };
        let [requires, ensures] =
            [requires, ensures].map(|text| text.as_ref().map_or(Formula::TRUE, |text| self.formula(text, &context)));
        Some(Contract { requires, ensures, origin: self.origin(name.span, &scope) })
    }

    /// No edge leads from one procedure into another, because calls do that. A location where nothing goes on may be
    /// common.
    fn check_locations(&mut self, procedures: &[ProcedureDefinition]) {
        let mut owners: FxHashMap<Arc<str>, &Ident> = FxHashMap::default();
        for ProcedureDefinition { name, entry, exit, edges, .. } in procedures {
            for location in edges.iter().map(|edge| &edge.source).chain([entry, exit]) {
                let owner = *owners.entry(location.text.clone()).or_insert(name);
                self.check_owner(location, owner, name);
            }
        }
        for ProcedureDefinition { name, edges, .. } in procedures {
            for EdgeDefinition { target, .. } in edges {
                let owner = owners.get(&target.text).copied().unwrap_or(name);
                self.check_owner(target, owner, name);
            }
        }
    }

    fn check_owner(&mut self, location: &Ident, owner: &Ident, here: &Ident) {
        if owner.text != here.text {
            let message =
                format!("location `{}` belongs to procedure `{}`, not to `{}`", location.text, owner.text, here.text);
            let error = Diagnostic::error("foreign-location", location.span, message);
            self.report(error.secondary(owner.span, "the procedure that it belongs to"), &Scope::default());
        }
    }

    fn call(&mut self, edge: EdgeId, call: &CallDefinition, procedures: &[ProcedureDefinition], graph: &mut Graph) {
        let callee = procedures.iter().position(|procedure| procedure.name.text == call.callee.text);
        let enter: Vec<ActionId> =
            call.enter.iter().filter_map(|action| self.used(action, Use::Alone, graph)).collect();
        let combine = self.used(&call.back, Use::Combining, graph);
        let sides = SIDES.map(|name| self.side(name, call.span));
        let from_exit = call.from_exit.iter().filter_map(|names| self.taken(names)).collect();
        match (callee, combine, sides) {
            (None, ..) => self.unknown_procedure(&call.callee, procedures),
            (Some(callee), Some(combine), [Some(caller), Some(inside)]) => {
                let (callee, sides) = (ProcedureId::from_index(callee), [caller, inside]);
                let made = graph.cfg.calls.push(Call { callee, enter, combine, sides, from_exit });
                graph.cfg.edges[edge].label = Label::Call(made);
            }
            // A missing part has been reported.
            _ => {}
        }
    }

    fn unknown_procedure(&mut self, name: &Ident, procedures: &[ProcedureDefinition]) {
        let help = suggest::help(&name.text, procedures.iter().map(|procedure| procedure.name.text.as_ref()));
        let message = format!("there is no procedure `{}`", name.text);
        self.report(Diagnostic::error("unknown-procedure", name.span, message).maybe_help(help), &Scope::default());
    }

    /// One of the predicates that tell the caller's individuals from the callee's.
    fn side(&mut self, name: &str, span: Span) -> Option<PredicateId> {
        let scope = Scope::default();
        let known = self.vocabulary.lookup(name).or_else(|| self.declare_on_use(name, span, &scope))?;
        if self.vocabulary[known].arity == 1 && self.vocabulary[known].definition.is_none() {
            return Some(known);
        }
        let at = self.declaration_place(known).map_or(span, |place| place.span);
        if self.sink.wants("call-sides", at) {
            let message = format!("`{name}` says of individuals on which side of a call they are");
            let error = Diagnostic::error("call-sides", at, message).help("use another name here");
            self.report(error.secondary(span, "this call needs it"), &scope);
        }
        None
    }

    /// A nullary predicate, and the one whose value at the exit it gets.
    fn taken(&mut self, [to, from]: &[Name; 2]) -> Option<(PredicateId, PredicateId)> {
        let mut predicate = |name: &Name| self.predicate(name, 0, name.span, &Scope::default(), true);
        let (to, from) = (predicate(to)?, predicate(from)?);
        Some((to, from))
    }

    /// Makes an action one that ends a call.
    pub(super) fn combining(&mut self, action: &mut Action, used: Span) {
        action.combines = true;
        for side in SIDES.map(|name| self.side(name, used)).into_iter().flatten() {
            if !action.updates.iter().any(|update| update.predicate == side) {
                let origin = self.origin(used, &Scope::default());
                let parameters = vec![Var::new("v")];
                action.updates.push(Update { predicate: side, parameters, formula: Formula::FALSE, origin });
            }
        }
        // The common focus formulas and messages are for actions that see one structure.
        action.messages.truncate(action.messages.len() - self.common_messages.len());
        action.focus.truncate(action.focus.len() - self.common_focus.len());
        if let Some((_, focus)) = action.focus.first() {
            let place = self.origins.span(*focus).unwrap_or(used);
            let message = "an action that ends a call sees two structures side by side and does not focus";
            let warning = Diagnostic::warning("focus-on-return", place, message);
            self.report(warning.secondary(used, "it ends this call"), &Scope::default());
        }
        action.focus.clear();
    }
}

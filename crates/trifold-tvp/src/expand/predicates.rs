//! From names to predicates, with help for names that are not known.

use super::{Expander, Scope};
use crate::ast::Name;
use crate::diagnostic::Diagnostic;
use crate::origin::Place;
use crate::source::Span;
use crate::suggest;
use std::sync::Arc;
use trifold_logic::PredicateId;

/// Predicates that are built in where the dialect has threads and decomposition.
const THREAD_PREDICATES: [&str; 4] = ["isthread", "ready", "runnable", "outside"];

impl Expander<'_> {
    /// The predicate of a name, which must be known and have that many arguments.
    pub(super) fn predicate(
        &mut self,
        name: &Name,
        arguments: usize,
        span: Span,
        scope: &Scope,
        in_action: bool,
    ) -> Option<PredicateId> {
        let resolved = self.resolve(name, scope);
        let Some(predicate) = self.vocabulary.lookup(&resolved) else {
            self.unknown_predicate(&resolved, name, scope);
            return None;
        };
        if !in_action && matches!(predicate, PredicateId::IS_NEW | PredicateId::INSTANCE) {
            let message = format!("`{resolved}` has a meaning only in an action");
            self.report(Diagnostic::error("only-in-actions", name.span, message), scope);
            return None;
        }
        let arity = self.vocabulary[predicate].arity;
        if arity != arguments {
            let message = format!("`{resolved}` takes {}, {arguments} given", count(arity, "argument"));
            let error = Diagnostic::error("arity", span, message);
            let error = match self.declaration_place(predicate) {
                Some(place) => error.secondary(place.span, "declared here"),
                None => error,
            };
            self.report(error, scope);
            return None;
        }
        Some(predicate)
    }

    fn unknown_predicate(&mut self, name: &Arc<str>, written: &Name, scope: &Scope) {
        let span = written.span;
        // Once for each action is enough.
        let action = self.sources.steps(scope.during).last().map(|step| step.at);
        let new = self.unknown.insert((name.clone(), action));
        if !new || self.is_broken(name) || !self.sink.wants("unknown-predicate", span) {
            return;
        }
        let help = match self.sets.contains(name) {
            true => Some(format!("`{name}` is a set; use `foreach`, `|/{{…}}` or `&/{{…}}` for its members")),
            false => suggest::help(name, self.vocabulary.iter().map(|(_, predicate)| predicate.name.as_ref())),
        };
        let mut error = Diagnostic::error("unknown-predicate", span, format!("there is no predicate `{name}`"));
        if THREAD_PREDICATES.contains(&name.as_ref()) {
            error = error.note("it is built in where threads are supported, which is not yet the case here");
        }
        if written.parameters.is_empty() && written.head != *name {
            error = error.label(format!("`{}` is `{name}` here", written.head));
        }
        self.report(error.maybe_help(help), scope);
    }

    /// Where a predicate is declared, unless it is built in.
    pub(super) fn declaration_place(&self, predicate: PredicateId) -> Option<Place> {
        self.declared_at.get(predicate.index()).and_then(|origin| self.origins.place(*origin))
    }
}

/// `1 argument`, `2 arguments`.
pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

//! From names to predicates, with help for names that are not known.
//!
//! For example, `lnk` where only `link` is declared is an error with the help "did you mean `link`?".

use super::{Expander, Scope};
use crate::ast::Name;
use crate::origin::Place;
use std::sync::Arc;
use trifold_logic::{Predicate, PredicateId};
use trifold_source::suggest;
use trifold_source::{Diagnostic, Span};

/// Unary predicates that need no declaration, and whether they are abstraction predicates. They are part of the
/// vocabulary only where they are used; apart from their names nothing is special about them.
pub(crate) const UNDECLARED: [(&str, bool); 6] =
    [("isthread", true), ("ready", true), ("runnable", false), ("outside", true), (SIDES[0], false), (SIDES[1], false)];

/// When a call returns: the individuals of the caller, and those of the callee.
pub(super) const SIDES: [&str; 2] = ["inCaller", "inCallee"];

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
        let known = self.vocabulary.lookup(&resolved).or_else(|| self.declare_on_use(&resolved, span, scope));
        let Some(predicate) = known else {
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

    /// Declares one of the predicates that need no declaration.
    pub(super) fn declare_on_use(&mut self, name: &str, span: Span, scope: &Scope) -> Option<PredicateId> {
        let (_, abstraction) = UNDECLARED.into_iter().find(|(known, _)| *known == name)?;
        let origin = self.origin(span, scope);
        self.declared_at.push(origin);
        self.vocabulary.declare(Predicate { abstraction, ..Predicate::core(name, 1) })
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

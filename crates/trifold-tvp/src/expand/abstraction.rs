//! Abstraction expressions. For example, `{x, y} |> {n}` tells individuals apart by `x` and `y`, and further by the
//! edges of `n`.

use super::predicates::count;
use super::{Expander, Scope};
use crate::ast::{AbstractionExpression, Declaration, SetExpression};
use trifold_logic::PredicateId;
use trifold_source::{Diagnostic, Span, suggest};
use trifold_tvl::{Cfg, Expression, LocationId};

impl Expander<'_> {
    /// Notes the predicates that tell individuals apart. All predicates and locations are known by now.
    pub(super) fn abstractions(&mut self, declarations: &[Declaration], cfg: &mut Cfg) {
        let mut everywhere: Option<Span> = None;
        let mut somewhere: Vec<(LocationId, Span)> = Vec::new();
        for declaration in declarations {
            let Declaration::Abstraction { expression, locations, span } = declaration else { continue };
            let expression = self.expression(expression);
            if locations.is_empty() {
                match everywhere {
                    Some(first) => self.second_abstraction("of all locations", *span, first),
                    None => everywhere = Some(*span),
                }
                cfg.abstraction = Some(expression.clone());
            }
            for name in locations {
                let Some(location) = cfg.locations.position(|known| **known == *name.text) else {
                    self.unknown_location(name, cfg);
                    continue;
                };
                if let Some((_, first)) = somewhere.iter().find(|(known, _)| *known == location) {
                    self.second_abstraction(&format!("of location `{}`", name.text), name.span, *first);
                }
                somewhere.push((location, name.span));
                cfg.abstractions.insert(location, expression.clone());
            }
        }
    }

    fn second_abstraction(&mut self, what: &str, span: Span, first: Span) {
        let error = Diagnostic::error("abstraction", span, format!("a second abstraction {what}"));
        self.report(error.secondary(first, "the first one"), &Scope::default());
    }

    fn expression(&mut self, expression: &AbstractionExpression) -> Expression {
        match expression {
            AbstractionExpression::Canonical => Expression::canonical(&self.vocabulary),
            AbstractionExpression::Unary(set) => Expression::Unary(self.of_arity(set, 1)),
            AbstractionExpression::Both(parts) => {
                Expression::Both(Box::new(parts.each_ref().map(|part| self.expression(part))))
            }
            AbstractionExpression::Refined(inner, set) => {
                Expression::Refined(Box::new(self.expression(inner)), self.of_arity(set, 2))
            }
        }
    }

    /// The predicates of a set, which must have this many arguments.
    fn of_arity(&mut self, set: &SetExpression, arity: usize) -> Vec<PredicateId> {
        let scope = Scope::default();
        let mut predicates = Vec::new();
        for name in self.members(set, &scope) {
            match self.vocabulary.lookup(&name) {
                Some(p) if self.vocabulary[p].arity == arity => predicates.push(p),
                Some(p) => {
                    let given = count(self.vocabulary[p].arity, "argument");
                    let message = format!("`{name}` takes {given}; here it must be {arity}");
                    let error = Diagnostic::error("arity", set.span, message);
                    let note = "unary predicates stand before `|>`, binary ones after it";
                    self.report(error.note(note), &scope);
                }
                None if self.is_broken(&name) => {}
                None => {
                    let help = suggest::help(&name, self.vocabulary.iter().map(|(_, p)| p.name.as_ref()));
                    let message = format!("there is no predicate `{name}`");
                    let error = Diagnostic::error("unknown-predicate", set.span, message).maybe_help(help);
                    self.report(error, &scope);
                }
            }
        }
        predicates
    }
}

//! Sets of names, in order of insertion. For example, `{x, y} - {x} + {z}` is `{y, z}`.

use super::{Expander, Scope};
use crate::ast::{Ident, Name, SetExpression, SetKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use trifold_source::Diagnostic;
use trifold_source::suggest;

/// A set as the list of its members.
type Members = Vec<Arc<str>>;

/// The sets declared so far.
#[derive(Default)]
pub(super) struct Sets {
    by_name: FxHashMap<Arc<str>, Members>,
    /// In order of declaration, for suggestions.
    names: Vec<Arc<str>>,
}

impl Sets {
    pub fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }
}

impl Expander<'_> {
    /// Declares a set. Members given to a known set are added to it.
    pub(super) fn declare_set(&mut self, name: &Ident, set: &SetExpression, scope: &Scope) {
        let members = self.members(set, scope);
        match self.sets.by_name.get_mut(&name.text) {
            Some(known) => *known = distinct(std::mem::take(known).into_iter().chain(members)),
            None => {
                self.sets.names.push(name.text.clone());
                self.sets.by_name.insert(name.text.clone(), members);
            }
        }
    }

    /// The members of a set; none after an error.
    pub(super) fn members(&mut self, set: &SetExpression, scope: &Scope) -> Members {
        let members = match &set.kind {
            SetKind::Named(name) => self.named(name, set, scope),
            SetKind::Literal(names) => distinct(names.iter().map(|name| self.resolve(name, scope))),
            SetKind::Comprehension(foreach) => {
                let mut all = Vec::new();
                self.for_each(&foreach.variable, &foreach.set, scope, |expander, scope| {
                    all.extend(foreach.body.iter().map(|name| expander.resolve(name, scope)));
                });
                distinct(all)
            }
            SetKind::Union(parts) => {
                let [left, right] = parts.each_ref().map(|part| self.members(part, scope));
                distinct(left.into_iter().chain(right))
            }
            SetKind::Difference(parts) => self.filtered(parts, false, scope),
            SetKind::Intersection(parts) => self.filtered(parts, true, scope),
        };
        if self.afford(members.len() as u64, set.span, scope) { members } else { Vec::new() }
    }

    /// The members of the left set that are, or are not, in the right one.
    fn filtered(&mut self, parts: &[SetExpression; 2], wanted: bool, scope: &Scope) -> Members {
        let [left, right] = parts.each_ref().map(|part| self.members(part, scope));
        let right: FxHashSet<Arc<str>> = right.into_iter().collect();
        left.into_iter().filter(|member| right.contains(member) == wanted).collect()
    }

    fn named(&mut self, name: &Name, set: &SetExpression, scope: &Scope) -> Members {
        let name = self.resolve(name, scope);
        if let Some(members) = self.sets.by_name.get(&name) {
            return members.clone();
        }
        if !self.is_broken(&name) && self.sink.wants("unknown-set", set.span) {
            let help = suggest::help(&name, self.sets.names.iter().map(Arc::as_ref)).or_else(|| {
                let is_predicate = self.vocabulary.lookup(&name).is_some();
                is_predicate.then(|| format!("the set whose only member is `{name}` is written `{{{name}}}`"))
            });
            let error = Diagnostic::error("unknown-set", set.span, format!("there is no set `{name}`"));
            self.report(error.maybe_help(help), scope);
        }
        Vec::new()
    }
}

/// The members without repetitions.
fn distinct(members: impl IntoIterator<Item = Arc<str>>) -> Members {
    let mut seen = FxHashSet::default();
    members.into_iter().filter(|member| seen.insert(member.clone())).collect()
}

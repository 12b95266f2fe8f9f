//! Actions: a definition with its arguments filled in.
//!
//! For example, `Copy(x1, x2) { x1(v) = x2(v) }` used as `Copy(a, b)` has the update `a(v) = b(v)`.

use super::formula::{Context, Free};
use super::{Expander, Scope};
use crate::ast::{ActionDefinition, FocusItem, Ident, MessageClause, MessagePart, Name, UpdateItem};
use crate::ast::{Clauses, Formula as FormulaText, NewClause};
use std::collections::BTreeMap;
use trifold_logic::{Formula, PredicateId, Var};
use trifold_source::Diagnostic;
use trifold_tvl::{Action, Message, MessageKind, Moment, New, Origin, Retain, Update};

impl Expander<'_> {
    /// The action of a definition in the scope of its arguments.
    pub(super) fn action(&mut self, definition: &ActionDefinition, scope: &Scope, title: &str) -> Action {
        let clauses = &definition.clauses;
        let open = Context { scope, free: Free::Any(&[]), in_action: true };
        let precondition = clauses.precondition.as_ref().map(|text| self.formula(text, &open));
        let assigned = precondition.as_ref().map(Formula::free_vars).unwrap_or_default();
        let mut focus = self.focus(&clauses.focus, scope, true);
        focus.extend(self.common_focus.iter().cloned());
        let mut messages = self.messages(clauses, scope, &assigned);
        messages.extend(self.common_messages.iter().cloned());
        let Updates { list: updates, auto, .. } = self.updates(&clauses.updates, &assigned, scope);
        Action {
            title: clauses.title.as_ref().map_or_else(|| title.to_string(), |parts| self.text(parts, scope)),
            focus,
            precondition,
            messages,
            new: self.new_clause(clauses, &assigned, scope),
            updates,
            auto,
            retain: self.retain_clause(clauses, &assigned, scope),
            combines: false,
        }
    }

    pub(super) fn focus(&mut self, items: &[FocusItem], scope: &Scope, in_action: bool) -> Vec<(Formula, Origin)> {
        let mut result = Vec::new();
        for item in items {
            match item {
                FocusItem::Formula(text) => {
                    let formula = self.formula(text, &Context { scope, free: Free::Any(&[]), in_action });
                    result.push((formula, self.origin(text.span, scope)));
                }
                FocusItem::Foreach(foreach) => {
                    self.for_each(&foreach.variable, &foreach.set, scope, |expander, scope| {
                        result.extend(expander.focus(&foreach.body, scope, in_action));
                    });
                }
            }
        }
        result
    }

    /// The messages of an action. The individuals that the precondition assigned may be gone after the update, so
    /// messages after it cannot mention them.
    fn messages(&mut self, clauses: &Clauses, scope: &Scope, assigned: &[Var]) -> Vec<Message> {
        let message = |(moment, clause): &(Moment, MessageClause)| {
            let before = *moment == Moment::BeforeUpdate;
            let message = self.message(clause, scope, if before { assigned } else { &[] }, before);
            Message { moment: *moment, ..message }
        };
        clauses.messages.iter().map(message).collect()
    }

    /// A message; its condition may mention the variables that the precondition assigns.
    pub(super) fn message(
        &mut self,
        clause: &MessageClause,
        scope: &Scope,
        assigned: &[Var],
        in_action: bool,
    ) -> Message {
        let free = Free::Only(assigned);
        let condition = self.formula(&clause.condition, &Context { scope, free, in_action });
        let text = self.text(&clause.text, scope);
        let (kind, text) = match (text.strip_prefix("1:"), text.strip_prefix("0:")) {
            (Some(rest), _) => (MessageKind::Property(true), rest.trim_start().to_string()),
            (_, Some(rest)) => (MessageKind::Property(false), rest.trim_start().to_string()),
            (None, None) => (MessageKind::Alarm, text),
        };
        let (moment, origin) = (Moment::BeforeUpdate, self.origin(clause.span, scope));
        Message { condition, moment, kind, code: Message::CODE, text, origin }
    }

    /// The text of a message with names replaced.
    fn text(&mut self, parts: &[MessagePart], scope: &Scope) -> String {
        let mut text = String::new();
        for part in parts {
            match part {
                MessagePart::Text(piece) => text.push_str(piece),
                MessagePart::Name(name) => text.push_str(&self.resolve(name, scope)),
            }
        }
        text
    }

    fn new_clause(&mut self, clauses: &Clauses, assigned: &[Var], scope: &Scope) -> Option<New> {
        let (text, cloned) = match clauses.new.as_ref()? {
            NewClause::Single => return Some(New::Single),
            NewClause::Copies(text) => (text, false),
            NewClause::Clones(text) => (text, true),
        };
        let (variable, formula) = self.unary(text, assigned, scope);
        Some(if cloned { New::Clones { variable, formula } } else { New::Copies { variable, formula } })
    }

    fn retain_clause(&mut self, clauses: &Clauses, assigned: &[Var], scope: &Scope) -> Option<Retain> {
        let text = clauses.retain.as_ref()?;
        let (variable, formula) = self.unary(text, assigned, scope);
        Some(Retain { variable, formula })
    }

    /// A formula with one free variable besides those that the precondition assigns.
    fn unary(&mut self, text: &FormulaText, assigned: &[Var], scope: &Scope) -> (Var, Formula) {
        let formula = self.formula(text, &Context { scope, free: Free::Any(assigned), in_action: true });
        let free = formula.free_vars();
        let mut open = free.iter().filter(|v| !assigned.contains(v));
        let (first, second) = (open.next().cloned(), open.next().cloned());
        if let (Some(v), Some(w)) = (&first, &second) {
            let message = format!("this formula must have one free variable, but both `{v}` and `{w}` are free");
            self.report(Diagnostic::error("not-unary", text.span, message), scope);
        }
        if first.is_none() && !free.is_empty() {
            let message =
                "the precondition assigns every variable of this formula, so it holds for all individuals or none";
            self.report(Diagnostic::warning("not-unary", text.span, message), scope);
        }
        let any = || Var::new("v").fresh(&assigned.iter().cloned().collect());
        (first.unwrap_or_else(any), formula)
    }

    fn updates(&mut self, items: &[UpdateItem], assigned: &[Var], scope: &Scope) -> Updates {
        let mut updates = Updates::default();
        self.collect_updates(items, assigned, scope, &mut updates);
        let auto = &updates.auto;
        updates.list.retain(|update| !auto.contains(&update.predicate));
        updates
    }

    fn collect_updates(&mut self, items: &[UpdateItem], assigned: &[Var], scope: &Scope, updates: &mut Updates) {
        for item in items {
            match item {
                UpdateItem::Update { predicate, parameters, formula, auto } => {
                    match self.update(predicate, parameters, formula, assigned, scope) {
                        Some(update) if *auto => self.add_auto(update.predicate, predicate, scope, updates),
                        Some(update) => self.add_update(update, predicate, scope, updates),
                        None => {}
                    }
                }
                UpdateItem::Foreach(foreach) => {
                    self.for_each(&foreach.variable, &foreach.set, scope, |expander, scope| {
                        expander.collect_updates(&foreach.body, assigned, scope, updates);
                    });
                }
            }
        }
    }

    fn update(
        &mut self,
        name: &Name,
        words: &[Ident],
        formula: &FormulaText,
        assigned: &[Var],
        scope: &Scope,
    ) -> Option<Update> {
        let predicate = self.predicate(name, words.len(), name.span, scope, true);
        if words.len() > super::declaration::MAX_ARITY {
            return None;
        }
        let parameters = self.parameters(words, scope);
        let mut free = parameters.clone();
        free.extend(assigned.iter().cloned());
        let formula = self.formula(formula, &Context { scope, free: Free::Only(&free), in_action: true });
        let predicate = predicate?;
        if predicate.index() < trifold_logic::Vocabulary::BUILT_IN {
            let message = format!("the built-in predicate `{}` cannot be updated", self.vocabulary[predicate].name);
            self.report(Diagnostic::error("built-in-update", name.span, message), scope);
            return None;
        }
        let origin = self.origin(name.span, scope);
        let hides = words.iter().find(|word| assigned.iter().any(|v| v.name() == word.text.as_ref()));
        let update = Update { predicate, parameters, formula, origin };
        Some(match hides {
            None => update,
            Some(word) => self.rename_parameters(update, word, assigned, scope),
        })
    }

    /// Parameters that hide a variable of the precondition get other names.
    fn rename_parameters(&mut self, update: Update, word: &Ident, assigned: &[Var], scope: &Scope) -> Update {
        let message = format!("parameter `{}` hides the variable that the precondition assigns", word.text);
        self.report(Diagnostic::warning("hidden-variable", word.span, message).help("use another name"), scope);
        let mut taken: std::collections::BTreeSet<Var> = assigned.iter().chain(&update.parameters).cloned().collect();
        let mut renaming = BTreeMap::new();
        for parameter in update.parameters.iter().filter(|parameter| assigned.contains(parameter)) {
            let fresh = parameter.fresh(&taken);
            taken.insert(fresh.clone());
            renaming.insert(parameter.clone(), fresh);
        }
        let look = |v: &Var| renaming.get(v).unwrap_or(v).clone();
        let parameters = update.parameters.iter().map(look).collect();
        Update { parameters, formula: update.formula.substitute(&renaming), ..update }
    }

    /// The update of the predicate is to be derived; only a definition tells how.
    fn add_auto(&mut self, predicate: PredicateId, name: &Name, scope: &Scope, updates: &mut Updates) {
        if self.vocabulary[predicate].definition.is_none() {
            let message = format!("`{}` has no definition to derive its update from", self.vocabulary[predicate].name);
            let error = Diagnostic::error("auto-without-definition", name.span, message);
            return self.report(error.help("`auto` is for instrumentation predicates, declared with `%i`"), scope);
        }
        if !updates.auto.contains(&predicate) {
            updates.auto.push(predicate);
        }
    }

    /// Adds an update; the last one of a predicate counts.
    fn add_update(&mut self, update: Update, name: &Name, scope: &Scope, updates: &mut Updates) {
        updates.auto.retain(|predicate| *predicate != update.predicate);
        let next = updates.list.len();
        let at = *updates.index.entry(update.predicate).or_insert(next);
        if at == next {
            return updates.list.push(update);
        }
        let message = format!("`{}` is updated twice; the last update counts", self.vocabulary[update.predicate].name);
        let mut warning = Diagnostic::warning("updated-twice", name.span, message);
        if let Some(first) = self.origins.span(updates.list[at].origin).filter(|first| *first != name.span) {
            warning = warning.secondary(first, "this update has no effect");
        }
        self.report(warning, scope);
        updates.list[at] = update;
    }
}

/// Updates in order, and where the one of each predicate is.
#[derive(Default)]
struct Updates {
    list: Vec<Update>,
    /// Predicates whose updates are to be derived.
    auto: Vec<PredicateId>,
    index: BTreeMap<PredicateId, usize>,
}

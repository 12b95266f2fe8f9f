//! The control-flow graph, and the actions its edges use.
//!
//! For example, `n1 Copy(x, y) n2` is an edge from `n1` to `n2`; a second edge with `Copy(x, y)` uses the same action.

use super::predicates::count;
use super::{Expander, Scope};
use crate::ast::{ActionDefinition, ActionUse, CallDefinition, EdgeDefinition, EdgeKind, Ident, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;
use trifold_source::suggest;
use trifold_source::{Diagnostic, Reason, Span};
use trifold_tvl::{Action, ActionId, Cfg, Edge, EdgeId, IdVec, Label, LocationId};

type Definitions<'p> = BTreeMap<&'p str, &'p ActionDefinition>;

/// The graph while it is built.
pub(super) struct Graph<'p> {
    definitions: Definitions<'p>,
    /// Actions already expanded, by name and arguments.
    known: FxHashMap<(Use, String), ActionId>,
    actions: IdVec<ActionId, Action>,
    pub cfg: Cfg,
    locations: FxHashMap<Arc<str>, LocationId>,
    /// The edges that call.
    pub calls: Vec<(EdgeId, &'p CallDefinition)>,
}

/// The use of an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// For a step from one structure.
    Alone,
    /// For the return of a call, from two of them.
    Combining,
}

impl Expander<'_> {
    pub(super) fn program(&mut self, program: &Program) -> (IdVec<ActionId, Action>, Cfg) {
        let mut graph = Graph {
            definitions: self.definitions(&program.actions),
            known: FxHashMap::default(),
            actions: IdVec::new(),
            cfg: Cfg::default(),
            locations: FxHashMap::default(),
            calls: Vec::new(),
        };
        for edge in &program.edges {
            self.edge(edge, &mut graph);
        }
        self.procedures(program, &mut graph);
        let is_empty = program.edges.is_empty() && program.procedures.is_empty();
        if let Some(end) = program.end.filter(|_| is_empty && !self.sink.failed()) {
            let error = Diagnostic::error("no-program", end, "the control-flow graph has no edges");
            self.report(error, &Scope::default());
        }
        graph.cfg.printed = program.printed.as_ref().map(|words| self.printed(words, &graph));
        (graph.actions, graph.cfg)
    }

    fn definitions<'p>(&mut self, actions: &'p [ActionDefinition]) -> Definitions<'p> {
        let mut definitions = Definitions::new();
        for action in actions {
            self.parameters(&action.parameters, &Scope::default());
            if let Some(first) = definitions.insert(&action.name.text, action) {
                let message = format!("action `{}` is defined twice; the last definition counts", action.name.text);
                let warning = Diagnostic::warning("redeclared", action.name.span, message);
                self.report(warning.secondary(first.name.span, "first defined here"), &Scope::default());
            }
        }
        definitions
    }

    /// An edge. A call is left to be made when all procedures are known; until then the edge has the first of its
    /// actions.
    pub(super) fn edge<'p>(&mut self, edge: &'p EdgeDefinition, graph: &mut Graph<'p>) {
        let source = graph.location(&edge.source);
        let target = graph.location(&edge.target);
        let (first, span) = match &edge.kind {
            EdgeKind::Action(action) => (action, action.span),
            EdgeKind::Call(call) => (&call.enter[0], call.span),
        };
        let Some(action) = self.used(first, Use::Alone, graph) else { return };
        let origin = self.origin(span, &Scope::default());
        let id = graph.cfg.edges.push(Edge { source, label: Label::Action(action), target, origin });
        if let EdgeKind::Call(call) = &edge.kind {
            graph.calls.push((id, call));
        }
    }

    /// An action with its arguments.
    pub(super) fn used(&mut self, used: &ActionUse, how: Use, graph: &mut Graph) -> Option<ActionId> {
        let Some(definition) = graph.definitions.get(used.name.text.as_ref()).copied() else {
            self.unknown_action(&used.name, &graph.definitions);
            return None;
        };
        if definition.parameters.len() != used.arguments.len() {
            self.wrong_arguments(definition, used);
            return None;
        }
        let arguments: Vec<Arc<str>> = used.arguments.iter().map(super::canonical).collect();
        let title = format!("{}({})", used.name.text, arguments.join(", "));
        if let Some(known) = graph.known.get(&(how, title.clone())) {
            return Some(*known);
        }
        let mut action = self.instance(definition, &arguments, &title, used.span);
        if how == Use::Combining {
            self.combining(&mut action, used.span);
        }
        let id = graph.actions.push(action);
        graph.known.insert((how, title), id);
        Some(id)
    }

    fn instance(&mut self, definition: &ActionDefinition, arguments: &[Arc<str>], title: &str, used: Span) -> Action {
        let outer = Scope::default();
        let during = self.sources.extend(outer.during, Reason::Action(title.into()), used);
        let formals = definition.parameters.iter().map(|word| word.text.clone());
        let scope = Scope { bindings: formals.zip(arguments.iter().cloned()).collect(), during };
        self.action(definition, &scope, title)
    }

    fn unknown_action(&mut self, name: &Ident, actions: &Definitions) {
        if self.is_broken(&name.text) || !self.sink.wants("unknown-action", name.span) {
            return;
        }
        let help = suggest::help(&name.text, actions.keys().copied());
        let error = Diagnostic::error("unknown-action", name.span, format!("there is no action `{}`", name.text));
        self.report(error.maybe_help(help), &Scope::default());
    }

    fn wrong_arguments(&mut self, definition: &ActionDefinition, used: &ActionUse) {
        let (name, given) = (&used.name.text, used.arguments.len());
        let expected = count(definition.parameters.len(), "argument");
        let message = format!("action `{name}` takes {expected}, {given} given");
        let error = Diagnostic::error("arity", used.span, message);
        self.report(error.secondary(definition.name.span, "defined here"), &Scope::default());
    }

    pub(super) fn unknown_location(&mut self, name: &Ident, cfg: &Cfg) {
        let help = suggest::help(&name.text, cfg.locations.iter().map(String::as_str));
        let message = format!("no edge mentions a location `{}`", name.text);
        let error = Diagnostic::error("unknown-location", name.span, message).maybe_help(help);
        self.report(error, &Scope::default());
    }

    fn printed(&mut self, words: &[Ident], graph: &Graph) -> Vec<LocationId> {
        let mut printed = Vec::new();
        let mut seen = FxHashSet::default();
        for word in words {
            match graph.locations.get(&word.text) {
                Some(location) => printed.extend(seen.insert(*location).then_some(*location)),
                None => self.unknown_location(word, &graph.cfg),
            }
        }
        printed
    }
}

impl Graph<'_> {
    /// The location of a name; a new one at its first occurrence.
    pub fn location(&mut self, name: &Ident) -> LocationId {
        let next = self.cfg.locations.next_id();
        let location = *self.locations.entry(name.text.clone()).or_insert(next);
        if location == next {
            self.cfg.locations.push(name.text.to_string());
        }
        location
    }
}

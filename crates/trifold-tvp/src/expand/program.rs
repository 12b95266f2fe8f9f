//! The control-flow graph, and the actions its edges use.

use super::predicates::count;
use super::{Expander, Scope};
use crate::ast::{ActionDefinition, EdgeDefinition, Ident, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use trifold_source::suggest;
use trifold_source::{Diagnostic, Reason, Span};
use trifold_tvl::{Action, Cfg, Edge, LocationId};

/// The graph while it is built.
struct Graph<'p> {
    definitions: FxHashMap<&'p str, &'p ActionDefinition>,
    /// Actions already expanded, by name and arguments.
    known: FxHashMap<String, usize>,
    actions: Vec<Action>,
    cfg: Cfg,
    locations: FxHashMap<Arc<str>, LocationId>,
}

impl Expander<'_> {
    pub(super) fn program(&mut self, program: &Program) -> (Vec<Action>, Cfg) {
        let mut graph = Graph {
            definitions: self.definitions(&program.actions),
            known: FxHashMap::default(),
            actions: Vec::new(),
            cfg: Cfg::default(),
            locations: FxHashMap::default(),
        };
        for edge in &program.edges {
            self.edge(edge, &program.actions, &mut graph);
        }
        if let Some(end) = program.end.filter(|_| program.edges.is_empty() && !self.sink.failed()) {
            let error = Diagnostic::error("no-program", end, "the control-flow graph has no edges");
            self.report(error, &Scope::default());
        }
        graph.cfg.printed = program.printed.as_ref().map(|words| self.printed(words, &graph));
        (graph.actions, graph.cfg)
    }

    fn definitions<'p>(&mut self, actions: &'p [ActionDefinition]) -> FxHashMap<&'p str, &'p ActionDefinition> {
        let mut definitions: FxHashMap<&str, &ActionDefinition> = FxHashMap::default();
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

    fn edge(&mut self, edge: &EdgeDefinition, actions: &[ActionDefinition], graph: &mut Graph) {
        let source = graph.location(&edge.source);
        let target = graph.location(&edge.target);
        let Some(definition) = graph.definitions.get(edge.action.text.as_ref()).copied() else {
            return self.unknown_action(&edge.action, actions);
        };
        if definition.parameters.len() != edge.arguments.len() {
            return self.wrong_arguments(definition, edge);
        }
        let arguments: Vec<Arc<str>> = edge.arguments.iter().map(super::canonical).collect();
        let title = format!("{}({})", edge.action.text, arguments.join(", "));
        let action = match graph.known.get(&title) {
            Some(action) => *action,
            None => {
                graph.actions.push(self.instance(definition, &arguments, &title, edge.span));
                graph.known.insert(title, graph.actions.len() - 1);
                graph.actions.len() - 1
            }
        };
        let origin = self.origin(edge.span, &Scope::default());
        graph.cfg.edges.push(Edge { source, action, target, origin });
    }

    fn instance(&mut self, definition: &ActionDefinition, arguments: &[Arc<str>], title: &str, used: Span) -> Action {
        let outer = Scope::default();
        let during = self.sources.extend(outer.during, Reason::Action(title.into()), used);
        let formals = definition.parameters.iter().map(|word| word.text.clone());
        let scope = Scope { bindings: formals.zip(arguments.iter().cloned()).collect(), during };
        self.action(definition, &scope, title)
    }

    fn unknown_action(&mut self, name: &Ident, actions: &[ActionDefinition]) {
        if self.is_broken(&name.text) || !self.sink.wants("unknown-action", name.span) {
            return;
        }
        let help = suggest::help(&name.text, actions.iter().map(|action| action.name.text.as_ref()));
        let error = Diagnostic::error("unknown-action", name.span, format!("there is no action `{}`", name.text));
        self.report(error.maybe_help(help), &Scope::default());
    }

    fn wrong_arguments(&mut self, definition: &ActionDefinition, edge: &EdgeDefinition) {
        let (name, given) = (&edge.action.text, edge.arguments.len());
        let expected = count(definition.parameters.len(), "argument");
        let message = format!("action `{name}` takes {expected}, {given} given");
        let error = Diagnostic::error("arity", edge.span, message);
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
    fn location(&mut self, name: &Ident) -> LocationId {
        let next = self.cfg.locations.len();
        let location = *self.locations.entry(name.text.clone()).or_insert(next);
        if location == next {
            self.cfg.locations.push(name.text.to_string());
        }
        location
    }
}

//! The control-flow graph under construction: locations, actions, and the origins of their edges.

use crate::actions::values::update;
use crate::vocabulary::variables::{v, w};
use std::collections::BTreeMap;
use trifold_ir::{FindingKind, Place, Point};
use trifold_logic::{Formula, PredicateId};
use trifold_tvl::{
    Action, ActionId, Cfg, Edge, IdVec, Label, LocationId, Message, MessageKind, Moment, Origin, Retain,
};
use trifold_work::listen;

/// A way in which a statement can go wrong.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Failure {
    pub kind: FindingKind,
    pub condition: Formula,
    pub text: String,
}

impl Failure {
    pub fn new(kind: FindingKind, condition: Formula, text: impl Into<String>) -> Failure {
        Failure { kind, condition, text: text.into() }
    }

    /// The message of an action.
    pub fn message(self) -> Message {
        Message {
            condition: self.condition,
            moment: Moment::BeforeUpdate,
            kind: MessageKind::Alarm,
            code: self.kind.name(),
            text: self.text,
            origin: Origin::default(),
        }
    }
}

/// The kind of finding that a message reports. A message that no statement has asked for, such as that of a cycle, is
/// about the analysis itself.
pub(crate) fn kind_of(message: &Message) -> FindingKind {
    FindingKind::from_name(message.code).unwrap_or(FindingKind::NotAnalysed)
}

/// Locations, actions and edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowBuilder {
    pub cfg: Cfg,
    pub actions: IdVec<ActionId, Action>,
    /// Actions by title.
    titled: BTreeMap<String, Vec<ActionId>>,
    /// By the origin of edges.
    pub places: Vec<Place>,
    pub points: BTreeMap<Point, LocationId>,
    /// Flags that cannot hold when there are no objects.
    about_objects: Vec<PredicateId>,
    /// Predicates that are defined, with their arities.
    defined: Vec<(PredicateId, usize)>,
    sink: Option<LocationId>,
}

impl FlowBuilder {
    pub fn new(about_objects: Vec<PredicateId>, defined: Vec<(PredicateId, usize)>) -> FlowBuilder {
        FlowBuilder { about_objects, defined, ..FlowBuilder::default() }
    }

    /// A new location.
    pub fn location(&mut self, name: String) -> LocationId {
        self.cfg.locations.push(name)
    }

    /// The location of a program point.
    pub fn point(&mut self, point: Point) -> LocationId {
        if let Some(known) = self.points.get(&point) {
            return *known;
        }
        let location = self.location(format!("p{}_{}", point.procedure.0, point.node.0));
        self.points.insert(point, location);
        location
    }

    /// The identifier of an action.
    pub fn action(&mut self, action: Action) -> ActionId {
        listen();
        let titled = self.titled.entry(action.title.clone()).or_default();
        let known = titled.iter().copied().find(|known| self.actions[*known] == action);
        known.unwrap_or_else(|| {
            let id = self.actions.push(action);
            titled.push(id);
            id
        })
    }

    /// Adds an edge.
    pub fn edge(&mut self, source: LocationId, action: Action, target: LocationId, place: Place) {
        let action = self.action(action);
        self.edge_of(source, Label::Action(action), target, place);
    }

    /// Adds an edge with an action that is known, or with a call.
    pub fn edge_of(&mut self, source: LocationId, label: Label, target: LocationId, place: Place) {
        self.places.push(place);
        let origin = Origin((self.places.len() - 1) as u32);
        self.cfg.edges.push(Edge { source, label, target, origin });
    }

    /// Adds an edge that is taken when something goes wrong. It leads nowhere, and forgets everything on the way.
    pub fn failure(&mut self, source: LocationId, title: &str, failures: Vec<Failure>, place: Place) {
        let failures: Vec<Failure> =
            failures.into_iter().filter(|failure| failure.condition != Formula::FALSE).collect();
        if failures.is_empty() {
            return;
        }
        let sink = match self.sink {
            Some(sink) => sink,
            None => self.location("failed".to_string()),
        };
        self.sink = Some(sink);
        let mut action = Action {
            title: format!("{title} fails"),
            precondition: Some(Formula::or(failures.iter().map(|failure| failure.condition.clone()))),
            messages: failures.into_iter().map(Failure::message).collect(),
            retain: Some(Retain { variable: v(), formula: Formula::FALSE }),
            ..Action::default()
        };
        self.about_objects.iter().for_each(|flag| update(&mut action, *flag, &[], Formula::FALSE));
        // Of no object nothing holds, so there is nothing to be derived.
        for (predicate, arity) in self.defined.iter().filter(|(_, arity)| *arity > 0) {
            update(&mut action, *predicate, &[v(), w()][..*arity], Formula::FALSE);
        }
        self.edge(source, action, sink, place);
    }
}

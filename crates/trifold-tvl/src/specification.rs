//! The parts of an analysis: predicates, consistency rules, actions and a control-flow graph [LevAmi00 §3.1].
//!
//! Everything here is fully expanded: sets, `foreach`, action parameters and macros are gone. Formulas keep an
//! [`Origin`], an opaque number by which the builder of the specification finds the place in its text.

use crate::blur::Expression;
use std::collections::BTreeMap;
use trifold_fixpoint::{EdgeId, IdVec, LocationId, ProcedureId, ids};
use trifold_logic::{Formula, PredicateId, Var, Vocabulary};

/// The place that a formula came from; the builder of the specification knows the meaning of the number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Origin(pub u32);

/// The head of a constraint: the literal that must hold when the body does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Head {
    /// Nothing can: a structure that satisfies the body is infeasible.
    False,
    /// A predicate, or its negation.
    Predicate {
        /// The predicate.
        predicate: PredicateId,
        /// Its arguments.
        arguments: Vec<Var>,
        /// False for a negated head.
        positive: bool,
    },
    /// `v == w`, or `v != w`.
    Equal {
        /// Left-hand side.
        left: Var,
        /// Right-hand side.
        right: Var,
        /// False for `v != w`.
        positive: bool,
    },
}

/// A consistency rule `body ▷ head` [LevAmi00 §5.1].
#[derive(Clone, PartialEq, Debug)]
pub struct Constraint {
    /// When this is 1 …
    pub body: Formula,
    /// … this must be 1.
    pub head: Head,
    /// Where the rule, or the declaration it was generated from, stands.
    pub origin: Origin,
}

/// When a message is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Moment {
    /// On the structure that the precondition accepts.
    #[default]
    BeforeUpdate,
    /// On the result: updated, and coerced where coerce is in use, but not yet blurred.
    AfterUpdate,
}

/// The meaning that a message gives to the value of its condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MessageKind {
    /// Something is wrong when the condition is potentially satisfied.
    #[default]
    Alarm,
    /// Something is wrong unless the condition has exactly this value.
    Property(bool),
}

/// A message of an action.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// The formula that is evaluated.
    pub condition: Formula,
    /// When it is evaluated.
    pub moment: Moment,
    /// Which values are reported.
    pub kind: MessageKind,
    /// The code under which reports list it, such as `null-dereference`; [`Message::CODE`] where the program has none.
    pub code: &'static str,
    /// The text to show.
    pub text: String,
    /// Where it stands.
    pub origin: Origin,
}

impl Message {
    /// The code of messages in programs that give them none.
    pub const CODE: &'static str = "message";
}

/// Creation of individuals.
#[derive(Clone, PartialEq, Debug)]
pub enum New {
    /// One individual.
    Single,
    /// A copy of each individual that potentially satisfies the formula, linked to it by `instance`.
    Copies {
        /// The formula's free variable.
        variable: Var,
        /// Which individuals to copy.
        formula: Formula,
    },
    /// The same, and the copies also have the values of their originals: unary ones, and binary ones among the copies.
    Clones {
        /// The formula's free variable.
        variable: Var,
        /// Which individuals to copy.
        formula: Formula,
    },
}

/// The new value of a predicate, in terms of the old structure.
#[derive(Clone, PartialEq, Debug)]
pub struct Update {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its argument variables.
    pub parameters: Vec<Var>,
    /// Its new value.
    pub formula: Formula,
    /// Where it stands.
    pub origin: Origin,
}

/// Removal of individuals: only those that potentially satisfy the formula stay.
#[derive(Clone, PartialEq, Debug)]
pub struct Retain {
    /// The formula's free variable.
    pub variable: Var,
    /// Which individuals stay.
    pub formula: Formula,
}

/// A transformer of structures, with all arguments filled in.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Action {
    /// The text that is shown for it, such as `x = y->n`.
    pub title: String,
    /// Formulas to bring to definite values first, with their places.
    pub focus: Vec<(Formula, Origin)>,
    /// When the action applies. It is applied once for each assignment of the free variables that
    /// potentially satisfies it, and they may occur in everything below.
    pub precondition: Option<Formula>,
    /// Messages.
    pub messages: Vec<Message>,
    /// Creation of individuals, before the update.
    pub new: Option<New>,
    /// New values of predicates; a predicate without one keeps its value.
    pub updates: Vec<Update>,
    /// Predicates marked `auto`: their updates are to be derived from definitions, also where the author wrote updates.
    pub auto: Vec<PredicateId>,
    /// Removal of individuals, after the update.
    pub retain: Option<Retain>,
    /// Does it see two structures side by side, as [`Call::combine`] does? Nothing is as its definition says then, and
    /// derived updates evaluate definitions afresh.
    pub combines: bool,
}

ids! {
    /// An action of a [`Specification`].
    ActionId;
    /// A call of a [`Cfg`].
    CallId;
}

/// An edge of the control-flow graph.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: LocationId,
    /// Its label.
    pub label: Label,
    /// Where it ends.
    pub target: LocationId,
    /// Where it stands.
    pub origin: Origin,
}

/// The label of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// An action.
    Action(ActionId),
    /// A call. The edge leads from the call site to the return site.
    Call(CallId),
}

/// A control-flow graph; the first location is the entry, unless there are procedures.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cfg {
    /// Names, in order of first occurrence.
    pub locations: IdVec<LocationId, String>,
    /// Edges, in order of declaration.
    pub edges: IdVec<EdgeId, Edge>,
    /// The locations to print, when the specification lists them.
    pub printed: Option<Vec<LocationId>>,
    /// The variables that matter where the program ends, when the specification lists them.
    pub live: Option<Vec<PredicateId>>,
    /// The predicates that tell individuals apart, if they are not those declared to do so.
    pub abstraction: Option<Expression>,
    /// The predicates that tell individuals apart at a location, where they are different.
    pub abstractions: BTreeMap<LocationId, Expression>,
    /// The procedures. If there are none, the graph is one.
    pub procedures: IdVec<ProcedureId, Procedure>,
    /// The calls.
    pub calls: IdVec<CallId, Call>,
}

/// A part of the graph that is called.
#[derive(Clone, PartialEq, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Where a call starts.
    pub entry: LocationId,
    /// Where it ends.
    pub exit: LocationId,
    /// Its contract.
    pub contract: Option<Contract>,
}

/// The assumption of a procedure about its entry, and that of its callers about its exit: closed formulas.
#[derive(Clone, PartialEq, Debug)]
pub struct Contract {
    /// Holds where it starts.
    pub requires: Formula,
    /// Holds where it ends.
    pub ensures: Formula,
    /// Where it stands.
    pub origin: Origin,
}

/// The label of an edge that calls [RinetzkySY05 §2.2].
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// The procedure.
    pub callee: ProcedureId,
    /// The actions that make the callee's input of the caller's structure, one after the other, at least one.
    pub enter: Vec<ActionId>,
    /// The action that makes the caller's structure afterwards of its structure before the call and that at the
    /// callee's exit, side by side. No rule holds before it. Predicates without an update keep their values on both
    /// sides.
    pub combine: ActionId,
    /// Hold of the individuals of the caller's structure, and of those at the callee's exit, when they are side by
    /// side.
    pub sides: [PredicateId; 2],
    /// Nullary predicates that get the values that they, or others, have at the exit; the rest are the caller's.
    pub from_exit: Vec<(PredicateId, PredicateId)>,
}

impl Cfg {
    /// The call that an edge makes.
    pub fn call(&self, edge: EdgeId) -> Option<&Call> {
        match self.edges[edge].label {
            Label::Action(_) => None,
            Label::Call(call) => Some(&self.calls[call]),
        }
    }

    /// The actions that an edge carries: one, or all those of a call.
    pub fn actions_of(&self, edge: EdgeId) -> Vec<ActionId> {
        match self.edges[edge].label {
            Label::Action(action) => vec![action],
            Label::Call(call) => {
                let Call { enter, combine, .. } = &self.calls[call];
                enter.iter().chain([combine]).copied().collect()
            }
        }
    }

    /// The abstraction expressions of the program.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.abstraction.iter().chain(self.abstractions.values())
    }

    /// A program without procedures against the direction of its edges. The entry is where the first of them ends.
    pub fn reversed(&self) -> Cfg {
        let mut order: Vec<LocationId> = Vec::new();
        for location in self.edges.iter().flat_map(|edge| [edge.target, edge.source]) {
            if !order.contains(&location) {
                order.push(location);
            }
        }
        let position = |location| order.iter().position(|known| *known == location).map(LocationId::from_index);
        let moved = |location: LocationId| position(location).unwrap_or(location);
        let turned = |edge: &Edge| Edge { source: moved(edge.target), target: moved(edge.source), ..edge.clone() };
        Cfg {
            locations: order.iter().map(|location| self.locations[*location].clone()).collect(),
            edges: self.edges.iter().map(turned).collect(),
            printed: self.printed.as_ref().map(|printed| printed.iter().map(|location| moved(*location)).collect()),
            live: self.live.clone(),
            abstraction: self.abstraction.clone(),
            abstractions: self.abstractions.iter().map(|(location, e)| (moved(*location), e.clone())).collect(),
            procedures: IdVec::new(),
            calls: IdVec::new(),
        }
    }
}

/// A complete analysis, apart from the structures it starts from.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The predicates.
    pub vocabulary: Vocabulary,
    /// Where each predicate was declared, by [`PredicateId`].
    pub declared_at: Vec<Origin>,
    /// The consistency rules that the user wrote.
    pub rules: Vec<Constraint>,
    /// The actions, one for each edge that uses it with different arguments.
    pub actions: IdVec<ActionId, Action>,
    /// The program.
    pub cfg: Cfg,
}

impl Specification {
    /// The action of this title, or the only one whose title contains the text; otherwise which ones there are.
    pub fn action_like(&self, title: &str) -> Result<&Action, String> {
        let mut titles: Vec<&str> = self.actions.iter().map(|action| action.title.as_str()).collect();
        titles.sort_unstable();
        titles.dedup();
        let part: Vec<&&str> = titles.iter().filter(|known| known.contains(title)).collect();
        let wanted = match &part[..] {
            _ if titles.contains(&title) => title,
            [only] => only,
            _ => {
                let problem = if part.is_empty() { "no action is called" } else { "several actions are called like" };
                return Err(format!("{problem} `{title}`; there are: {}", titles.join("; ")));
            }
        };
        Ok(self.actions.iter().find(|action| action.title == wanted).expect("one of the titles"))
    }

    /// A message of an edge. They are numbered through all actions that it carries.
    pub fn message(&self, edge: EdgeId, number: usize) -> &Message {
        let actions = self.cfg.actions_of(edge);
        let mut messages = actions.iter().flat_map(|action| &self.actions[*action].messages);
        messages.nth(number).expect("an edge has the messages that it reports")
    }

    /// The title of an edge: that of its action, or of the first one of a call.
    pub fn title(&self, edge: EdgeId) -> &str {
        let action = match self.cfg.edges[edge].label {
            Label::Action(action) => action,
            Label::Call(call) => self.cfg.calls[call].enter[0],
        };
        &self.actions[action].title
    }
}

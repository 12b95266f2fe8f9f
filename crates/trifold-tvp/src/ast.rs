//! TVP as it is written: sets, `foreach` and action parameters not yet expanded. Every part keeps its span.

use crate::limits::MAX_DEPTH;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use trifold_logic::Kleene;
use trifold_source::Span;
use trifold_tvl::Moment;

/// A word at its place.
#[derive(Clone, Debug)]
pub(crate) struct Ident {
    pub text: Arc<str>,
    pub span: Span,
}

/// The name of a predicate or set: a word, with names in brackets for a parameterised one such as `r[n,x]`.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub head: Arc<str>,
    pub parameters: Vec<Name>,
    pub span: Span,
}

/// A whole program.
#[derive(Default, Debug)]
pub(crate) struct Program {
    pub declarations: Vec<Declaration>,
    pub actions: Vec<ActionDefinition>,
    /// The edges that belong to no procedure.
    pub edges: Vec<EdgeDefinition>,
    pub procedures: Vec<ProcedureDefinition>,
    /// The fourth section.
    pub printed: Option<Vec<Ident>>,
    /// Names whose declarations could not be read; their uses are no further mistake.
    pub broken: FxHashSet<Arc<str>>,
    /// The end of the file, where to say that something is missing.
    pub end: Option<Span>,
}

/// A declaration of the first section.
#[derive(Debug)]
pub(crate) enum Declaration {
    Set {
        name: Ident,
        members: SetExpression,
    },
    Predicate(PredicateDeclaration),
    Rule {
        body: Formula,
        head: Formula,
        span: Span,
    },
    Foreach(Foreach<Declaration>),
    /// The variables that matter where the program ends.
    Live {
        variables: SetExpression,
        span: Span,
    },
    /// The predicates that tell individuals apart, everywhere or at some locations.
    Abstraction {
        expression: AbstractionExpression,
        locations: Vec<Ident>,
        span: Span,
    },
    /// Focus formulas of every action.
    Focus(Vec<FocusItem>),
    /// A message of every action.
    Message(MessageClause),
}

/// `foreach (variable in set) { body }`.
#[derive(Debug)]
pub(crate) struct Foreach<T> {
    pub variable: Ident,
    pub set: SetExpression,
    pub body: Vec<T>,
}

/// `%p` or, with a definition, `%i`.
#[derive(Debug)]
pub(crate) struct PredicateDeclaration {
    pub name: Name,
    pub parameters: Vec<Ident>,
    pub definition: Option<Formula>,
    pub properties: Vec<Property>,
    pub display: Option<Vec<Kleene>>,
}

/// The predicates that tell individuals apart.
#[derive(Debug)]
pub(crate) enum AbstractionExpression {
    /// `abs`: the predicates that are declared to do so.
    Canonical,
    /// Unary predicates.
    Unary(SetExpression),
    /// `e & f`.
    Both(Box<[AbstractionExpression; 2]>),
    /// `e |> {b, …}`.
    Refined(Box<AbstractionExpression>, SetExpression),
}

/// A property, with the predicate it is relative to: that of `uniquePerCC(p)`.
#[derive(Debug)]
pub(crate) struct Property {
    pub word: Ident,
    pub of: Option<Name>,
}

/// A set of names.
#[derive(Debug)]
pub(crate) struct SetExpression {
    pub kind: SetKind,
    pub span: Span,
    /// Height of the tree.
    pub depth: u32,
}

impl SetExpression {
    /// The set, unless it is nested too deeply.
    pub fn new(kind: SetKind, span: Span) -> Option<SetExpression> {
        let depth = match &kind {
            SetKind::Named(_) | SetKind::Literal(_) => 0,
            SetKind::Comprehension(foreach) => foreach.set.depth,
            SetKind::Union(parts) | SetKind::Difference(parts) | SetKind::Intersection(parts) => {
                parts[0].depth.max(parts[1].depth)
            }
        };
        (depth < MAX_DEPTH).then(|| SetExpression { kind, span, depth: depth + 1 })
    }
}

#[derive(Debug)]
pub(crate) enum SetKind {
    Named(Name),
    /// `{a, b[c]}`.
    Literal(Vec<Name>),
    /// `{a[z], b[z] : z in S}`.
    Comprehension(Box<Foreach<Name>>),
    /// `+`.
    Union(Box<[SetExpression; 2]>),
    /// `-`.
    Difference(Box<[SetExpression; 2]>),
    /// `&`.
    Intersection(Box<[SetExpression; 2]>),
}

/// A formula.
#[derive(Debug)]
pub(crate) struct Formula {
    pub kind: FormulaKind,
    pub span: Span,
    /// Height of the tree, so that recursive functions know that it ends soon.
    pub depth: u32,
}

#[derive(Debug)]
pub(crate) enum FormulaKind {
    Value(Kleene),
    Atom {
        predicate: Name,
        arguments: Vec<Ident>,
    },
    /// `p*(v, w)`, or `p+(v, w)`.
    Star {
        predicate: Name,
        arguments: [Ident; 2],
        reflexive: bool,
    },
    Equal {
        left: Ident,
        right: Ident,
        negated: bool,
    },
    Not(Box<Formula>),
    /// A chain of `&` or `|`.
    Chain {
        operator: Operator,
        operands: Vec<Formula>,
    },
    Implies(Box<[Formula; 2]>),
    Iff(Box<[Formula; 2]>),
    If(Box<[Formula; 3]>),
    Quantified {
        existential: bool,
        variables: Vec<Ident>,
        body: Box<Formula>,
    },
    Closure {
        ends: [Ident; 2],
        steps: [Ident; 2],
        body: Box<Formula>,
    },
    /// `|/{ body : variable in set }` and the same with `&`.
    Composite {
        operator: Operator,
        variable: Ident,
        set: Box<SetExpression>,
        body: Box<Formula>,
    },
}

/// Conjunction or disjunction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    And,
    Or,
}

impl Formula {
    /// The formula, unless it is nested too deeply.
    pub fn new(kind: FormulaKind, span: Span) -> Option<Formula> {
        let deepest = |parts: &[Formula]| parts.iter().map(|part| part.depth).max().unwrap_or(0);
        let depth = match &kind {
            FormulaKind::Value(_) | FormulaKind::Atom { .. } | FormulaKind::Equal { .. } | FormulaKind::Star { .. } => {
                0
            }
            FormulaKind::Not(body) | FormulaKind::Closure { body, .. } | FormulaKind::Composite { body, .. } => {
                body.depth
            }
            FormulaKind::Chain { operands, .. } => deepest(operands),
            FormulaKind::Implies(parts) | FormulaKind::Iff(parts) => deepest(&parts[..]),
            FormulaKind::If(parts) => deepest(&parts[..]),
            FormulaKind::Quantified { variables, body, .. } => body.depth.saturating_add(variables.len() as u32),
        };
        (depth < MAX_DEPTH).then(|| Formula { kind, span, depth: depth + 1 })
    }
}

/// An element of a focus list.
#[derive(Debug)]
pub(crate) enum FocusItem {
    Formula(Formula),
    Foreach(Foreach<FocusItem>),
}

/// `%message condition -> text`.
#[derive(Debug)]
pub(crate) struct MessageClause {
    pub condition: Formula,
    pub text: Vec<MessagePart>,
    pub span: Span,
}

/// A piece of a message.
#[derive(Debug)]
pub(crate) enum MessagePart {
    Text(Arc<str>),
    Name(Name),
}

/// An element of an update block.
#[derive(Debug)]
pub(crate) enum UpdateItem {
    Update {
        predicate: Name,
        parameters: Vec<Ident>,
        formula: Formula,
        /// Is `auto` written after it?
        auto: bool,
    },
    Foreach(Foreach<UpdateItem>),
}

/// `%action name(parameters) { … }`.
#[derive(Debug)]
pub(crate) struct ActionDefinition {
    pub name: Ident,
    pub parameters: Vec<Ident>,
    pub clauses: Clauses,
}

/// The clauses of an action.
#[derive(Default, Debug)]
pub(crate) struct Clauses {
    pub title: Option<Vec<MessagePart>>,
    pub focus: Vec<FocusItem>,
    pub precondition: Option<Formula>,
    /// Those before the updates, and those after them.
    pub messages: Vec<(Moment, MessageClause)>,
    pub new: Option<NewClause>,
    pub updates: Vec<UpdateItem>,
    pub retain: Option<Formula>,
}

/// Creation of individuals.
#[derive(Debug)]
pub(crate) enum NewClause {
    /// `%new`.
    Single,
    /// `%new f`.
    Copies(Formula),
    /// `%clone f`.
    Clones(Formula),
}

/// `action(arguments)`.
#[derive(Debug)]
pub(crate) struct ActionUse {
    pub name: Ident,
    pub arguments: Vec<Name>,
    pub span: Span,
}

/// `source action(arguments) target`, or a call between two locations.
#[derive(Debug)]
pub(crate) struct EdgeDefinition {
    pub source: Ident,
    pub kind: EdgeKind,
    pub target: Ident,
}

/// The action or the call of an edge.
#[derive(Debug)]
pub(crate) enum EdgeKind {
    Action(ActionUse),
    Call(CallDefinition),
}

/// `%call callee %enter action(…), … %return action(…) { p, q = r }`.
#[derive(Debug)]
pub(crate) struct CallDefinition {
    pub callee: Ident,
    pub enter: Vec<ActionUse>,
    pub back: ActionUse,
    /// Nullary predicates, and those whose values at the exit they get.
    pub from_exit: Vec<[Name; 2]>,
    /// From `%call` to the name of the callee.
    pub span: Span,
}

/// `%procedure name(entry, exit) %requires f %ensures g { edges }`.
#[derive(Debug)]
pub(crate) struct ProcedureDefinition {
    pub name: Ident,
    pub entry: Ident,
    pub exit: Ident,
    pub requires: Option<Formula>,
    pub ensures: Option<Formula>,
    pub edges: Vec<EdgeDefinition>,
}

//! Expansion: sets, `foreach` and action arguments are filled in, names become predicates.
//!
//! Substitution replaces names of predicates and sets, never logical variables. A name without brackets is replaced as
//! a whole; in `r[n,x]` only the names between the brackets are. For example, with `z` bound to `y`, the name `r[n,z]`
//! becomes `r[n,y]`. All replacements of a scope happen at once.
//!
//! Errors do not end the expansion: a formula that makes no sense becomes 0 and the search for errors goes on.

mod abstraction;
mod action;
mod declaration;
mod formula;
mod predicates;
mod procedures;
mod program;
mod sets;

use crate::ast;
use crate::limits::{MAX_EXPANSION, MAX_NAME_BYTES};
use crate::origin::OriginTable;
pub(crate) use predicates::UNDECLARED;
use rustc_hash::{FxHashMap, FxHashSet};
use sets::Sets;
use std::sync::Arc;
use trifold_logic::{Formula, PredicateId, Var, Vocabulary};
use trifold_source::{Diagnostic, Reason, Sink, SourceMap, Span, Trail};
use trifold_tvl::{Constraint, Message, Origin, Specification};

/// Expands a program. The result is of use only if no error was reported.
pub(crate) fn expand(program: &ast::Program, sources: &mut SourceMap, sink: &mut Sink) -> (Specification, OriginTable) {
    let mut expander = Expander::new(sources, sink);
    expander.broken = program.broken.clone();
    expander.declarations(&program.declarations, &Scope::default());
    let (actions, mut cfg) = expander.program(program);
    expander.abstractions(&program.declarations, &mut cfg);
    let Expander { vocabulary, declared_at, rules, origins, live, .. } = expander;
    cfg.live = live;
    (Specification { vocabulary, declared_at, rules, actions, cfg }, origins)
}

/// Expands a formula that stands alone, over declared predicates. Any variables may be free in it.
pub(crate) fn expand_formula(
    text: &ast::Formula,
    vocabulary: &Vocabulary,
    sources: &mut SourceMap,
    sink: &mut Sink,
) -> Formula {
    let mut expander = Expander::new(sources, sink);
    expander.vocabulary = vocabulary.clone();
    expander.declared_at = vec![Origin::default(); vocabulary.len()];
    let context = formula::Context { scope: &Scope::default(), free: formula::Free::Any(&[]), in_action: false };
    let formula = expander.formula(text, &context);
    // Predicates that need no declaration are part of a vocabulary only where its program uses them.
    let stranger = expander.vocabulary.iter().nth(vocabulary.len()).map(|(_, predicate)| predicate.name.clone());
    if let Some(name) = stranger {
        let message = format!("the program has no predicate `{name}`");
        let error = Diagnostic::error("unknown-predicate", text.span, message);
        expander.report(error, &Scope::default());
    }
    formula
}

/// A name as canonical text.
pub(crate) fn canonical(name: &ast::Name) -> Arc<str> {
    Scope::default().resolve(name)
}

/// The bindings of names at a place, and the expansions that led there.
#[derive(Clone, Default)]
struct Scope {
    bindings: Vec<(Arc<str>, Arc<str>)>,
    during: Trail,
}

impl Scope {
    /// The name with replacements made, as canonical text without blanks.
    fn resolve(&self, name: &ast::Name) -> Arc<str> {
        if name.parameters.is_empty() {
            return self.lookup(&name.head).unwrap_or(&name.head).clone();
        }
        let mut text = String::new();
        self.write(name, &mut text);
        text.into()
    }

    fn write(&self, name: &ast::Name, text: &mut String) {
        if name.parameters.is_empty() {
            return text.push_str(self.lookup(&name.head).unwrap_or(&name.head));
        }
        if text.len() > MAX_NAME_BYTES {
            return;
        }
        text.push_str(&name.head);
        for (i, parameter) in name.parameters.iter().enumerate() {
            text.push(if i == 0 { '[' } else { ',' });
            self.write(parameter, text);
        }
        text.push(']');
    }

    /// The name that a word is bound to, if any. The innermost binding counts.
    fn lookup(&self, word: &str) -> Option<&Arc<str>> {
        self.bindings.iter().rev().find(|(from, _)| **from == *word).map(|(_, to)| to)
    }

    fn with(&self, from: &Arc<str>, to: &Arc<str>, during: Trail) -> Scope {
        let mut bindings = self.bindings.clone();
        bindings.push((from.clone(), to.clone()));
        Scope { bindings, during }
    }
}

/// Work that counts for one `foreach` iteration, for one declaration, and for the bytes of a name.
const ITERATION_WORK: u64 = 4;
const DECLARATION_WORK: u64 = 10;
const NAME_BYTES_PER_WORK: u64 = 32;

struct Expander<'a> {
    sources: &'a mut SourceMap,
    sink: &'a mut Sink,
    vocabulary: Vocabulary,
    declared_at: Vec<Origin>,
    origins: OriginTable,
    sets: Sets,
    rules: Vec<Constraint>,
    /// Focus formulas and messages that every action has.
    common_focus: Vec<(Formula, Origin)>,
    /// The variables that matter where the program ends, if they are listed.
    live: Option<Vec<PredicateId>>,
    common_messages: Vec<Message>,
    variables: FxHashMap<Arc<str>, Var>,
    /// Names whose declarations failed; their uses are no further mistake.
    broken: FxHashSet<Arc<str>>,
    /// Unknown predicates already reported, each with the action it was met in.
    unknown: FxHashSet<(Arc<str>, Option<Span>)>,
    /// Work done so far, against [`MAX_EXPANSION`].
    work: u64,
}

impl<'a> Expander<'a> {
    fn new(sources: &'a mut SourceMap, sink: &'a mut Sink) -> Expander<'a> {
        let vocabulary = Vocabulary::default();
        Expander {
            sources,
            sink,
            declared_at: vec![Origin::default(); vocabulary.len()],
            vocabulary,
            origins: OriginTable::default(),
            sets: Sets::default(),
            rules: Vec::new(),
            common_focus: Vec::new(),
            live: None,
            common_messages: Vec::new(),
            variables: FxHashMap::default(),
            broken: FxHashSet::default(),
            unknown: FxHashSet::default(),
            work: 0,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic, scope: &Scope) {
        self.sink.push(diagnostic.during(scope.during));
    }

    /// The name with replacements made. One that grew too long is reported, and cut.
    fn resolve(&mut self, name: &ast::Name, scope: &Scope) -> Arc<str> {
        let resolved = scope.resolve(name);
        if resolved.len() > MAX_NAME_BYTES && !name.parameters.is_empty() {
            let message = format!("this name expands to more than {MAX_NAME_BYTES} bytes");
            self.report(Diagnostic::error("expansion-limit", name.span, message), scope);
            return resolved.chars().take(MAX_NAME_BYTES / 4).collect::<String>().into();
        }
        self.afford(resolved.len() as u64 / NAME_BYTES_PER_WORK, name.span, scope);
        resolved
    }

    /// The variable of a word.
    fn variable(&mut self, word: &ast::Ident) -> Var {
        self.variables.entry(word.text.clone()).or_insert_with(|| Var::new(&word.text)).clone()
    }

    fn origin(&mut self, span: Span, scope: &Scope) -> Origin {
        self.origins.add(span, scope.during)
    }

    /// Counts work; false when there has been too much of it.
    fn afford(&mut self, work: u64, span: Span, scope: &Scope) -> bool {
        let exhausted = self.exhausted();
        self.work = self.work.saturating_add(work);
        if !exhausted && self.exhausted() {
            let message = "this program expands to too many declarations and formulas";
            self.report(Diagnostic::error("expansion-limit", span, message).label("while expanding this"), scope);
        }
        !self.exhausted()
    }

    /// Did the declaration of this name, or of one with other parameters, fail?
    fn is_broken(&self, name: &str) -> bool {
        let head = name.split('[').next().unwrap_or(name);
        self.broken.contains(name) || self.broken.contains(head)
    }

    fn exhausted(&self) -> bool {
        self.work > MAX_EXPANSION
    }

    /// Runs `each` with every member of a set bound to a variable.
    fn for_each(
        &mut self,
        variable: &ast::Ident,
        set: &ast::SetExpression,
        scope: &Scope,
        mut each: impl FnMut(&mut Self, &Scope),
    ) {
        for value in self.members(set, scope) {
            if !self.afford(ITERATION_WORK, variable.span, scope) {
                return;
            }
            let reason = Reason::Iteration { variable: variable.text.clone(), value: value.clone() };
            let during = self.sources.extend(scope.during, reason, variable.span);
            each(self, &scope.with(&variable.text, &value, during));
        }
    }
}

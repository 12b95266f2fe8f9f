//! Errors and warnings, and the sink that collects several of them in one run.
//!
//! Several are collected because a reader wants to mend all mistakes of a file at once. For example, an unknown
//! predicate `lnk` in a `foreach` over three variables is one error with the code `unknown-predicate` and the help "did
//! you mean `link`?", not three: the sink keeps one diagnostic of a kind for each place.

use crate::source::{FileId, SourceMap, Span, Trail};
use rustc_hash::FxHashSet;

/// Diagnostics kept in one run; further ones are only counted.
const MAX_DIAGNOSTICS: usize = 50;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The result is usable.
    Warning,
    /// There is no result.
    Error,
}

/// A place with a remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark; may be empty.
    pub text: String,
}

/// One error or warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// A short name of this kind of diagnostic, such as `unknown-predicate`.
    pub code: &'static str,
    /// The problem, in one sentence.
    pub message: String,
    /// The place of the problem.
    pub primary: Label,
    /// Other places that matter, such as the first declaration.
    pub secondary: Vec<Label>,
    /// Facts that explain the message.
    pub notes: Vec<String>,
    /// Advice: how to mend the problem.
    pub help: Option<String>,
    /// The `foreach` iterations and the action in whose expansion it arose.
    pub during: Trail,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        let primary = Label { span, text: String::new() };
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            primary,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            during: Trail::NONE,
        }
    }

    /// A warning.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Sets the remark at the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Adds another place.
    pub fn secondary(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Sets the advice.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Sets the advice, if there is any.
    pub fn maybe_help(mut self, text: Option<String>) -> Diagnostic {
        self.help = text.or(self.help);
        self
    }

    /// Says in which expansion it arose.
    pub fn during(mut self, trail: Trail) -> Diagnostic {
        self.during = trail;
        self
    }
}

/// Collects diagnostics. The same kind at the same place is kept once, because a mistake in a `foreach` is one mistake.
#[derive(Default, Debug)]
pub struct Sink {
    kept: Vec<Diagnostic>,
    errors: usize,
    omitted: usize,
    seen: FxHashSet<(FileId, u32, u32, &'static str)>,
}

impl Sink {
    /// Would an error of this kind at this place be kept? Ask before costly searches for advice; an error that
    /// would not be kept is counted at once.
    pub fn wants(&mut self, code: &'static str, span: Span) -> bool {
        let key = (span.file, span.start, span.end, code);
        if self.seen.contains(&key) {
            return false;
        }
        if self.kept.len() >= MAX_DIAGNOSTICS {
            self.seen.insert(key);
            self.errors += 1;
            self.omitted += 1;
            return false;
        }
        true
    }

    /// Keeps a diagnostic, unless it repeats an earlier one or there are too many.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic.primary.span;
        let is_error = diagnostic.severity == Severity::Error;
        self.errors += usize::from(is_error);
        if !self.seen.insert((span.file, span.start, span.end, diagnostic.code)) {
            return;
        }
        if self.kept.len() < MAX_DIAGNOSTICS {
            self.kept.push(diagnostic);
        } else {
            self.omitted += 1;
        }
    }

    /// Keeps the diagnostics of another sink, too.
    pub fn absorb(&mut self, other: Sink) {
        let errors = other.kept.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        self.errors += other.errors - errors;
        self.omitted += other.omitted;
        other.kept.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    /// The first error that was kept.
    pub fn first_error(&self) -> Option<&Diagnostic> {
        self.kept.iter().find(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Was there an error?
    pub fn failed(&self) -> bool {
        self.errors > 0
    }

    /// The diagnostics kept, and how many were not.
    pub fn finish(self) -> (Vec<Diagnostic>, usize) {
        (self.kept, self.omitted)
    }
}

/// Why a file could not be loaded.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Errors, and warnings met on the way, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more there were.
    pub omitted: usize,
    /// The text they refer to.
    pub sources: SourceMap,
}

impl Failure {
    /// A failure with the diagnostics of a sink, and the sources that they refer to.
    pub fn new(sink: Sink, sources: SourceMap) -> Box<Failure> {
        let (diagnostics, omitted) = sink.finish();
        Box::new(Failure { diagnostics, omitted, sources })
    }

    /// The errors among the diagnostics.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

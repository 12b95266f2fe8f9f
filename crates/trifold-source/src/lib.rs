//! Source text as all front ends see it: files, spans, diagnostics and how they are shown.
//!
//! A front end adds its files to a [`SourceMap`], gives every token a [`Span`], reports problems to a [`Sink`], and
//! ends in a result or in a [`Failure`] that renders itself in the manner of rustc. Preprocessed text keeps its own
//! spans; the line markers that the preprocessor left in it lead from there to the files that people wrote.

mod diagnostic;
mod printable;
mod render;
mod source;
pub mod suggest;

pub use diagnostic::{Diagnostic, Failure, Label, Severity, Sink};
pub use printable::{is_hidden, printable, printable_line};
pub use render::{expansion_labels, render};
pub use source::{FileId, LineColumn, Marker, Reason, SourceFile, SourceMap, Span, Step, Trail};

//! Where the parts of a specification come from.

use trifold_source::{Diagnostic, Severity, Span, Trail};
use trifold_tvl::Origin;

/// A place in the text, and the `foreach` iterations and the action in whose expansion it was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The place.
    pub span: Span,
    /// The expansion.
    pub during: Trail,
}

/// The places of all [`Origin`]s of a specification. `Origin(0)`, the default, is no place.
#[derive(Clone, Debug, Default)]
pub struct OriginTable {
    places: Vec<Place>,
}

impl OriginTable {
    pub(crate) fn add(&mut self, span: Span, during: Trail) -> Origin {
        self.places.push(Place { span, during });
        Origin(self.places.len() as u32)
    }

    /// The place, if the origin is one of the text.
    pub fn place(&self, origin: Origin) -> Option<Place> {
        (origin.0 as usize).checked_sub(1).and_then(|index| self.places.get(index)).copied()
    }

    /// The span, if the origin is one of the text.
    pub fn span(&self, origin: Origin) -> Option<Span> {
        self.place(origin).map(|place| place.span)
    }

    /// A diagnostic at the place of an origin; `None` when the origin is no place of the text.
    pub fn diagnostic(
        &self,
        origin: Origin,
        severity: Severity,
        code: &'static str,
        message: impl Into<String>,
    ) -> Option<Diagnostic> {
        let place = self.place(origin)?;
        let diagnostic = Diagnostic::error(code, place.span, message).during(place.during);
        Some(Diagnostic { severity, ..diagnostic })
    }
}

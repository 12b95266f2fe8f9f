//! Functions that print by a format: do they get what the format asks for?

use crate::library::Row;
use crate::translate::Translator;
use crate::translate::format::{Conversion, printed};
use crate::translate::forms::{is_character, string_in, text_array};
use crate::typed::{Expr, ExprKind};
use std::collections::BTreeSet;

impl<'p> Translator<'p> {
    /// Why the arguments of a function that prints by a format are not those that the format asks for, or why that is
    /// not known.
    pub(super) fn misprinted(&self, row: &Row, arguments: &'p [Expr]) -> Option<&'static str> {
        let at = row.print_format()?;
        let given = arguments.get(at + 1..).unwrap_or_default();
        let Some(formats) = arguments.get(at).and_then(formats_in) else { return Some("a format that is not known") };
        for format in formats {
            let fits = |conversions: &Vec<Conversion>| row.takes_list() || conversions.len() <= given.len();
            let Some(conversions) = printed(&format).filter(fits) else {
                return Some("a format that does not fit its arguments");
            };
            if conversions.iter().any(|conversion| conversion.specifier == 'n') {
                return Some("what is printed is counted");
            }
            if conversions.iter().any(Conversion::is_wide_text) {
                return Some("wide text that is printed");
            }
            let is_text = |number: usize| given.get(number).is_some_and(|given| self.is_text(given));
            let mut asked = conversions.iter().enumerate();
            if asked.any(|(number, conversion)| conversion.specifier == 's' && !is_text(number)) {
                return Some("something that is printed as text, and is none");
            }
        }
        None
    }

    /// The arguments that are printed as text.
    pub(super) fn printed_text(&self, row: &Row, arguments: &'p [Expr]) -> BTreeSet<usize> {
        let Some(at) = row.print_format() else { return BTreeSet::new() };
        let formats = arguments.get(at).and_then(formats_in).unwrap_or_default();
        let asked = formats.iter().filter_map(|format| printed(format)).flat_map(|asked| asked.into_iter().enumerate());
        asked.filter(|(_, asked)| asked.specifier == 's').map(|(number, _)| at + 1 + number).collect()
    }

    /// Is it text that can be read?
    fn is_text(&self, cast: &Expr) -> bool {
        let argument = self.uncast(cast);
        let types = &self.c.types;
        let is_pointer = |expr: &Expr| types.pointee(expr.ty).is_some_and(|ty| is_character(types, ty));
        string_in(argument).is_some()
            || text_array(types, argument).is_some()
            || is_pointer(argument)
            || is_pointer(cast)
    }
}

/// The texts that a format can be, if it can be no other.
fn formats_in(expr: &Expr) -> Option<Vec<String>> {
    match &expr.kind {
        ExprKind::Convert { operand, .. } => formats_in(operand),
        ExprKind::Conditional(_, Some(yes), no) => Some([formats_in(yes)?, formats_in(no)?].concat()),
        _ => string_in(expr).map(|text| vec![text]),
    }
}

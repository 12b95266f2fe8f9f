//! Functions that print by a format: do they get what the format asks for?

use super::string_in;
use crate::library::Row;
use crate::translate::Translator;
use crate::translate::format::{Conversion, printed};
use crate::translate::text::{is_character, text_array};
use crate::typed::{Expr, ExprKind};

impl<'p> Translator<'p> {
    /// Why the arguments of a function that prints by a format are not those that the format asks for, or why that is
    /// not known.
    pub(super) fn misprinted(&self, row: &Row, arguments: &'p [Expr]) -> Option<&'static str> {
        let at = row.print_format()?;
        let given = arguments.get(at + 1..).unwrap_or_default();
        let mut formats = Vec::new();
        if !arguments.get(at).is_some_and(|format| formats_in(format, &mut formats)) {
            return Some("a format that is not known");
        }
        for format in formats {
            let fits = |conversions: &Vec<Conversion>| row.takes_list() || conversions.len() <= given.len();
            let Some(conversions) = printed(&format).filter(fits) else {
                return Some("a format that does not fit its arguments");
            };
            if conversions.iter().any(|conversion| conversion.specifier == 'n') {
                return Some("what is printed is counted");
            }
            let is_text = |number: usize| given.get(number).is_some_and(|given| self.is_text(given));
            let mut asked = conversions.iter().enumerate();
            if asked.any(|(number, conversion)| conversion.specifier == 's' && !is_text(number)) {
                return Some("something that is printed as text, and is none");
            }
        }
        None
    }

    /// Is it text that can be [read](Self::read_text)?
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

/// The texts that a format can be; false if it may be another.
fn formats_in(expr: &Expr, found: &mut Vec<String>) -> bool {
    if let ExprKind::Convert { operand, .. } = &expr.kind {
        return formats_in(operand, found);
    }
    if let ExprKind::Conditional(_, Some(yes), no) = &expr.kind {
        return formats_in(yes, found) && formats_in(no, found);
    }
    let text = string_in(expr);
    let is_known = text.is_some();
    found.extend(text);
    is_known
}

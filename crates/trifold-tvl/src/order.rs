//! The order of the operations that make up a step [LevAmi00 C.7].
//!
//! Written as letters, `[f][c]pu[c][b]`: focus, coerce, precondition, update, coerce, blur. For example, `fpucb` has no
//! coerce before the precondition.

use std::fmt;
use std::str::FromStr;

/// Which operations a step consists of; precondition and update are always there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// Focus first.
    pub focus: bool,
    /// Coerce before the precondition.
    pub coerce_early: bool,
    /// Coerce after the update.
    pub coerce_late: bool,
    /// Blur at the end.
    pub blur: bool,
}

impl Default for Order {
    /// `fpucb`.
    fn default() -> Order {
        Order { focus: true, coerce_early: false, coerce_late: true, blur: true }
    }
}

/// The text is not an order of operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAnOrder(pub String);

impl fmt::Display for NotAnOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not of the form [f][c]pu[c][b], for example fpucb", self.0)
    }
}

impl std::error::Error for NotAnOrder {}

impl FromStr for Order {
    type Err = NotAnOrder;

    fn from_str(text: &str) -> Result<Order, NotAnOrder> {
        let (focus, rest) = optional(text, 'f');
        let (coerce_early, rest) = optional(rest, 'c');
        let rest = rest.strip_prefix("pu").ok_or_else(|| NotAnOrder(text.into()))?;
        let (coerce_late, rest) = optional(rest, 'c');
        let (blur, rest) = optional(rest, 'b');
        if rest.is_empty() {
            Ok(Order { focus, coerce_early, coerce_late, blur })
        } else {
            Err(NotAnOrder(text.into()))
        }
    }
}

fn optional(text: &str, letter: char) -> (bool, &str) {
    match text.strip_prefix(letter) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |on: bool, letter: &'static str| if on { letter } else { "" };
        write!(
            f,
            "{}{}pu{}{}",
            letter(self.focus, "f"),
            letter(self.coerce_early, "c"),
            letter(self.coerce_late, "c"),
            letter(self.blur, "b")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_and_written() {
        for text in ["fpucb", "fcpucb", "pub", "pu", "fpub", "cpucb"] {
            assert_eq!(text.parse::<Order>().unwrap().to_string(), text);
        }
        for text in ["", "fpc", "puf", "fpucbx", "upcb"] {
            assert!(text.parse::<Order>().is_err(), "{text}");
        }
    }
}

//! What ends a command early.

use trifold_source::printable;

/// A message for the user that ends the command: rendered, with a newline at the end.
#[derive(Clone, Debug)]
pub struct Refused(pub String);

impl Refused {
    /// A message that may quote names of files and texts of programs: they cannot begin a line of their own.
    pub fn new(message: impl std::fmt::Display) -> Refused {
        let text = message.to_string();
        Refused(format!("error: {}\n", printable(text.trim_end()).replace('\n', "\n  ")))
    }
}

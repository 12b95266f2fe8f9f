//! Processes of the machine that run many programs, and what they print:
//!
//! ```text
//! @begin p17
//! int 5
//! @end p17 NullPointerException
//! ```

use super::trace::{Ending, NAN, Trace};
use std::collections::BTreeMap;

/// What the programs of a process printed, by their names. The second part is how the program ended, in the words of
/// its language, with what else it printed.
pub fn outputs(text: &str) -> BTreeMap<String, (Vec<String>, String)> {
    let mut found = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(name) = line.strip_prefix("@begin ") else { continue };
        let (mut notes, mut report) = (Vec::new(), String::new());
        for line in lines.by_ref() {
            match line.strip_prefix("@end ") {
                Some(end) => {
                    let ending = end.strip_prefix(name).unwrap_or(end).trim();
                    found.insert(name.to_string(), (notes, format!("{ending}\n{report}")));
                    break;
                }
                None => match note(line) {
                    Some(note) => notes.push(note),
                    None => report += &format!("{line}\n"),
                },
            }
        }
    }
    found
}

/// A type and a number. Floats become their bits.
fn note(line: &str) -> Option<String> {
    let (ty, value) = line.rsplit_once(' ')?;
    if !ty.chars().all(|c| c.is_ascii_lowercase()) {
        return None;
    }
    let value = match ty {
        "float" | "double" if value.ends_with(NAN) => NAN.to_string(),
        "float" => value.parse::<f64>().ok().map(|value| (value as f32).to_bits().to_string())?,
        "double" => value.parse::<f64>().ok().map(|value| value.to_bits().to_string())?,
        _ => value.parse::<i128>().ok()?.to_string(),
    };
    Some(format!("{ty} {value}"))
}

/// The trace of a program of which nothing was printed.
pub fn lost() -> Trace {
    Trace { notes: Vec::new(), ending: Ending::Cut("it did not run".to_string()) }
}

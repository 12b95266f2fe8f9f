//! Text of others, made harmless. Names of files and pieces of programs may contain any character, also those that
//! command a terminal or turn the direction of writing. Characters that cannot be seen are replaced by characters that
//! can.
//!
//! For example, `a\u{1b}[31mb`, which would colour a terminal red, becomes `a␛[31mb`.

use std::borrow::Cow;

/// Longer lines are cut when they are shown to people.
const LONGEST: usize = 400;

/// The text without characters that are not seen; line breaks and tabs stay.
///
/// ```
/// assert_eq!(trifold_source::printable("a\u{1b}[31mb\n\u{202e}c\u{9b}"), "a␛[31mb\n\u{fffd}c\u{fffd}");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    let stays = |c: char| matches!(c, '\n' | '\t');
    match text.chars().any(|c| !stays(c) && is_hidden(c)) {
        true => Cow::Owned(text.chars().map(|c| if stays(c) { c } else { visible(c) }).collect()),
        false => Cow::Borrowed(text),
    }
}

/// The same in one line: the name of a file must not look like two.
pub fn printable_line(text: &str) -> Cow<'_, str> {
    match text.chars().any(is_hidden) {
        true => Cow::Owned(text.chars().map(visible).collect()),
        false => Cow::Borrowed(text),
    }
}

/// The same, and the ends of very long lines are left out.
pub(crate) fn shortened(text: &str) -> String {
    let cut = |line: &str| match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    };
    printable(text).split('\n').map(cut).collect::<Vec<_>>().join("\n")
}

/// Does a character do something instead of being seen?
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '␡',
        c if is_hidden(c) => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_line() {
        assert_eq!(printable_line("a\nb\tc\u{7f}"), "a␊b c␡");
        assert!(matches!(printable_line("plain – ü"), Cow::Borrowed(_)));
    }

    #[test]
    fn long_lines_are_cut_each_by_itself() {
        let text = shortened(&format!("{}\nshort", "ä".repeat(1000)));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0].chars().count(), lines[1]), (LONGEST + 1, "short"));
    }
}

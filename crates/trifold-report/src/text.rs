//! How much room text takes, without asking a font.
//!
//! Labels are set in a monospaced face, where every common font advances by about 0.6 em. The width assumed here is a
//! little larger, so that text fits whichever of them the reader has. Characters of the wide East Asian and emoji
//! blocks count double. For example, `r[n,x]` has six columns.

use crate::layout::Size;

/// Font size of labels, in pixels.
pub const FONT_SIZE: f64 = 12.0;
/// Distance between baselines.
pub const LINE_HEIGHT: f64 = 15.0;
/// Assumed advance of one column of text.
pub const COLUMN: f64 = 7.4;

/// Lines of text that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextBlock {
    /// The lines, each a list of words that may be coloured separately.
    pub lines: Vec<Vec<String>>,
}

impl TextBlock {
    /// Breaks `text` at white space where a line would pass `columns`.
    pub fn wrapped(text: &str, columns: usize) -> Self {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if width_in_columns(line) + 1 + width_in_columns(word) <= columns => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_string()),
            }
        }
        TextBlock { lines: lines.into_iter().map(|line| vec![line]).collect() }
    }

    /// Fills lines with `words`, aiming at a block about twice as wide as it is high.
    pub fn packed(words: &[String]) -> Self {
        let total: usize = words.iter().map(|word| width_in_columns(word) + WORD_GAP).sum();
        let longest = words.iter().map(|word| width_in_columns(word)).max().unwrap_or(0);
        let limit = longest.max(integer_sqrt(total * 4));
        let mut lines: Vec<Vec<String>> = Vec::new();
        for word in words {
            match lines.last_mut() {
                Some(line) if line_columns(line) + WORD_GAP + width_in_columns(word) <= limit => {
                    line.push(word.clone());
                }
                _ => lines.push(vec![word.clone()]),
            }
        }
        TextBlock { lines }
    }

    /// Puts a line on top.
    pub fn with_heading(mut self, heading: String) -> Self {
        self.lines.insert(0, vec![heading]);
        self
    }

    /// The room the block takes; nothing for an empty block.
    pub fn size(&self) -> Size {
        let columns = self.lines.iter().map(|line| line_columns(line)).max().unwrap_or(0);
        Size { width: columns as f64 * COLUMN, height: self.lines.len() as f64 * LINE_HEIGHT }
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// Columns between two words of one line.
pub const WORD_GAP: usize = 2;

/// The width of one line of text in pixels.
pub fn text_width(text: &str) -> f64 {
    width_in_columns(text) as f64 * COLUMN
}

fn line_columns(line: &[String]) -> usize {
    let words: usize = line.iter().map(|word| width_in_columns(word)).sum();
    words + WORD_GAP * line.len().saturating_sub(1)
}

/// The columns that a text takes.
pub fn width_in_columns(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// A coarse reading of Unicode's East Asian Width: everything that might be wide is.
fn is_wide(c: char) -> bool {
    matches!(u32::from(c), 0x1100..=0x11ff | 0x2e80..=0xd7ff | 0xf900..=0xfaff | 0xfe30..=0xfe6f
        | 0xff00..=0xff60 | 0x1f000..)
}

/// Does a character do something, to a terminal or to the direction of writing, instead of being seen?
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn integer_sqrt(n: usize) -> usize {
    (n as f64).sqrt() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| word.to_string()).collect()
    }

    #[test]
    fn few_labels_are_stacked() {
        let block = TextBlock::packed(&words(&["r[n,x]", "r[n,y]", "is[n]"]));
        assert_eq!(block.lines.len(), 3);
    }

    #[test]
    fn many_labels_share_lines() {
        let labels: Vec<String> = (0..8).map(|i| format!("r[n,{i}]")).collect();
        assert!(TextBlock::packed(&labels).lines.len() <= 4);
    }

    #[test]
    fn long_titles_break_at_spaces() {
        let block = TextBlock::wrapped("x->next = y->next == NULL", 12);
        let lines: Vec<&str> = block.lines.iter().map(|line| line[0].as_str()).collect();
        assert_eq!(lines, ["x->next =", "y->next ==", "NULL"]);
    }

    #[test]
    fn empty_text_takes_no_room() {
        assert_eq!(TextBlock::wrapped("", 12).size(), Size::default());
        assert!(TextBlock::packed(&[]).is_empty());
    }
}

//! Just enough XML to write a drawing.

use crate::text::{FONT_SIZE, LINE_HEIGHT, TextBlock, WORD_GAP, is_hidden};

/// A fragment of SVG under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Xml {
    text: String,
    /// The names of the elements that are open.
    open: Vec<&'static str>,
}

/// A part of a line of text.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub class: Option<&'static str>,
    pub text: String,
}

impl Xml {
    /// An element without content.
    pub fn leaf(&mut self, name: &'static str, attributes: &[(&'static str, String)]) {
        self.start(name, attributes);
        self.text += "/>\n";
    }

    /// Opens an element that [`Xml::close`] closes.
    pub fn open(&mut self, name: &'static str, attributes: &[(&'static str, String)]) {
        self.start(name, attributes);
        self.text += ">\n";
        self.open.push(name);
    }

    /// Closes the element opened last.
    pub fn close(&mut self) {
        let Some(name) = self.open.pop() else { return };
        self.text += &format!("{}</{name}>\n", " ".repeat(self.open.len()));
    }

    /// An element that holds text only; the text is escaped.
    pub fn text(&mut self, name: &'static str, attributes: &[(&'static str, String)], content: &str) {
        self.words(name, attributes, &[Word { class: None, text: content.to_string() }]);
    }

    /// An element that holds a line of words; they are escaped.
    pub fn words(&mut self, name: &'static str, attributes: &[(&'static str, String)], words: &[Word]) {
        // No-break spaces: ordinary ones would collapse into one.
        let line = words.iter().map(word).collect::<Vec<_>>().join(&"\u{a0}".repeat(WORD_GAP));
        self.start(name, attributes);
        self.text += &format!(">{line}</{name}>\n");
    }

    /// The start of an element, as far as its attributes.
    fn start(&mut self, name: &str, attributes: &[(&'static str, String)]) {
        self.text += &format!("{}<{name}", " ".repeat(self.open.len()));
        for (name, value) in attributes {
            self.text += &format!(" {name}=\"{}\"", escape(value));
        }
    }

    /// Adds a finished fragment.
    pub fn append(&mut self, fragment: &Xml) {
        self.text += &fragment.text;
    }

    /// Adds text as it is.
    pub fn raw(&mut self, text: &str) {
        self.text += text;
    }

    /// The fragment as text; everything that was opened must have been closed.
    pub fn finish(self) -> String {
        self.text
    }
}

fn word(word: &Word) -> String {
    match word.class {
        Some(class) => format!("<tspan class=\"{class}\">{}</tspan>", escape(&word.text)),
        None => escape(&word.text),
    }
}

/// Text as XML character data or attribute value, in one line. Characters that XML cannot hold, or that are not seen,
/// become U+FFFD.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if is_hidden(c) => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A coordinate with at most one decimal.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    // Adding zero turns the negative zero into the ordinary one.
    format!("{}", rounded + 0.0)
}

/// Writes a block of text centred on a point; `class` names the class of a word by line and text.
pub(crate) fn text_block(
    xml: &mut Xml,
    block: &TextBlock,
    x: f64,
    y: f64,
    class: impl Fn(usize, &str) -> &'static str,
) {
    let first = y - block.size().height / 2.0 + LINE_HEIGHT / 2.0 + FONT_SIZE * 0.35;
    for (index, line) in block.lines.iter().enumerate() {
        let at = [("x", number(x)), ("y", number(first + index as f64 * LINE_HEIGHT))];
        if let [word] = &line[..] {
            let class = ("class", class(index, word).to_string());
            xml.text("text", &[at[0].clone(), at[1].clone(), class], word);
            continue;
        }
        let words = line.iter().map(|word| Word { class: Some(class(index, word)), text: word.clone() });
        xml.words("text", &at, &words.collect::<Vec<_>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a<b & \"c\"\u{0}"), "a&lt;b &amp; &quot;c&quot;\u{fffd}");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([number(1.0), number(-0.01), number(2.25)], ["1", "0", "2.3"]);
    }
}

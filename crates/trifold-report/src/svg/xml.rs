//! Just enough XML to write a drawing.

use crate::text::{FONT_SIZE, LINE_HEIGHT, TextBlock, WORD_GAP};

/// A fragment of SVG under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

impl Xml {
    /// An element without content.
    pub fn leaf(&mut self, name: &str, attributes: &[(&str, String)]) {
        self.start(name, attributes);
        self.text.push_str("/>\n");
    }

    /// Opens an element that [`Xml::close`] closes.
    pub fn open(&mut self, name: &'static str, attributes: &[(&str, String)]) {
        self.start(name, attributes);
        self.text.push_str(">\n");
        self.open.push(name);
    }

    /// Closes the element opened last.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.indent();
            self.text.push_str(&format!("</{name}>\n"));
        }
    }

    /// An element that holds text only; the text is escaped.
    pub fn text(&mut self, name: &str, attributes: &[(&str, String)], content: &str) {
        self.start(name, attributes);
        self.text.push_str(&format!(">{}</{name}>\n", escape(content)));
    }

    /// Adds a finished fragment.
    pub fn append(&mut self, fragment: &Xml) {
        self.text.push_str(&fragment.text);
    }

    /// Adds text as it is.
    pub fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The fragment as text.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn start(&mut self, name: &str, attributes: &[(&str, String)]) {
        self.indent();
        self.text.push_str(&format!("<{name}"));
        for (attribute, value) in attributes {
            self.text.push_str(&format!(" {attribute}=\"{}\"", escape(value)));
        }
    }

    fn indent(&mut self) {
        self.text.push_str(&" ".repeat(self.open.len()));
    }
}

/// Text as XML character data or attribute value, in one line. Characters XML cannot hold become U+FFFD.
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
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
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
        let spans = line.iter().map(|word| format!("<tspan class=\"{}\">{}</tspan>", class(index, word), escape(word)));
        let spans: Vec<String> = spans.collect();
        xml.start("text", &at);
        // No-break spaces: ordinary ones would collapse into one.
        xml.raw(&format!(">{}</text>\n", spans.join(&"\u{a0}".repeat(WORD_GAP))));
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

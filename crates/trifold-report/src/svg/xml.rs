//! Just enough XML to write a drawing.

use crate::text::{FONT_SIZE, LINE_HEIGHT, TextBlock, WORD_GAP, is_hidden};

/// A fragment of SVG under construction: written as text, or drawn by a [raster](crate::png).
#[derive(Clone, Debug, Default)]
pub(crate) struct Xml {
    items: Vec<Item>,
    open: usize,
}

/// A piece of SVG.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// The start of an element that others are in.
    Open(Tag),
    /// The end of the element that was opened last.
    Close,
    /// An element without content.
    Leaf(Tag),
    /// An element that holds text only, in words that have their classes.
    Text(Tag, Vec<Word>),
    /// Text that stands as it is.
    Raw(String),
}

/// The name and the attributes of an element.
#[derive(Clone, Debug)]
pub(crate) struct Tag {
    pub name: &'static str,
    pub attributes: Vec<(&'static str, String)>,
    /// How far it is indented.
    depth: usize,
}

/// A part of a line of text.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub class: Option<&'static str>,
    pub text: String,
}

impl Tag {
    /// The value of an attribute; empty if there is none.
    pub fn get(&self, name: &str) -> &str {
        self.attributes.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }
}

impl Xml {
    /// An element without content.
    pub fn leaf(&mut self, name: &'static str, attributes: &[(&'static str, String)]) {
        let tag = self.tag(name, attributes);
        self.items.push(Item::Leaf(tag));
    }

    /// Opens an element that [`Xml::close`] closes.
    pub fn open(&mut self, name: &'static str, attributes: &[(&'static str, String)]) {
        let tag = self.tag(name, attributes);
        self.items.push(Item::Open(tag));
        self.open += 1;
    }

    /// Closes the element opened last.
    pub fn close(&mut self) {
        self.items.push(Item::Close);
        self.open -= 1;
    }

    /// An element that holds text only; the text is escaped.
    pub fn text(&mut self, name: &'static str, attributes: &[(&'static str, String)], content: &str) {
        self.words(name, attributes, vec![Word { class: None, text: content.to_string() }]);
    }

    /// An element that holds a line of words; they are escaped.
    pub fn words(&mut self, name: &'static str, attributes: &[(&'static str, String)], words: Vec<Word>) {
        let tag = self.tag(name, attributes);
        self.items.push(Item::Text(tag, words));
    }

    fn tag(&self, name: &'static str, attributes: &[(&'static str, String)]) -> Tag {
        Tag { name, attributes: attributes.to_vec(), depth: self.open }
    }

    /// Adds a finished fragment.
    pub fn append(&mut self, fragment: &Xml) {
        self.items.extend(fragment.items.iter().cloned());
    }

    /// Adds text as it is.
    pub fn raw(&mut self, text: &str) {
        self.items.push(Item::Raw(text.to_string()));
    }

    /// The items that were added.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The fragment as text; everything that was opened must have been closed.
    pub fn finish(&self) -> String {
        let mut text = String::new();
        let mut open: Vec<&Tag> = Vec::new();
        for item in &self.items {
            match item {
                Item::Open(tag) => {
                    text += &format!("{}>\n", start(tag));
                    open.push(tag);
                }
                Item::Close => {
                    let end = open.pop().map(|tag| format!("{}</{}>\n", " ".repeat(tag.depth), tag.name));
                    text += &end.unwrap_or_default();
                }
                Item::Leaf(tag) => text += &format!("{}/>\n", start(tag)),
                Item::Text(tag, words) => {
                    // No-break spaces: ordinary ones would collapse into one.
                    let line = words.iter().map(word).collect::<Vec<_>>().join(&"\u{a0}".repeat(WORD_GAP));
                    text += &format!("{}>{line}</{}>\n", start(tag), tag.name);
                }
                Item::Raw(raw) => text += raw,
            }
        }
        text
    }
}

fn start(tag: &Tag) -> String {
    let attributes = tag.attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", escape(value)));
    format!("{}<{}{}", " ".repeat(tag.depth), tag.name, attributes.collect::<String>())
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
        xml.words("text", &at, words.collect());
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

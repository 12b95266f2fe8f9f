//! The style sheet of drawings, applied: which colours and lines an element has.

use roxmltree::Node;
use simplecss::{AttributeOperator, PseudoClass};
use tiny_skia::{Color, LineCap, Stroke, StrokeDash};

/// How something is drawn. What is not said of an element is as it is of the one around it.
#[derive(Clone, Debug)]
pub struct Style {
    pub fill: Option<Color>,
    pub stroke: Option<Color>,
    /// The width, the ends and the dashes of lines.
    pub line: Stroke,
    /// The size of text.
    pub size: f32,
    pub bold: bool,
    /// Is the middle of a text at its place, or its start?
    pub centred: bool,
}

impl Default for Style {
    fn default() -> Style {
        let line = Stroke::default();
        Style { fill: Some(Color::BLACK), stroke: None, line, size: 12.0, bold: false, centred: false }
    }
}

/// Rules, the more special ones last.
pub struct StyleSheet<'a>(simplecss::StyleSheet<'a>);

impl<'a> StyleSheet<'a> {
    pub fn new(text: &'a str) -> StyleSheet<'a> {
        StyleSheet(simplecss::StyleSheet::parse(text))
    }

    /// The style of an element.
    pub fn style(&self, element: Node, inherited: &Style) -> Style {
        let mut style = inherited.clone();
        for rule in self.0.rules.iter().filter(|rule| rule.selector.matches(&Element(element))) {
            rule.declarations.iter().for_each(|declaration| declare(&mut style, declaration.name, declaration.value));
        }
        style
    }
}

/// An element as selectors see it.
struct Element<'a, 'i>(Node<'a, 'i>);

impl simplecss::Element for Element<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Element)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Element)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, _class: PseudoClass<'_>) -> bool {
        false
    }
}

/// # Panics
/// If our style sheet says something that is not understood: a drawing would silently look otherwise.
fn declare(style: &mut Style, name: &str, value: &str) {
    let number = |text: &str| text.trim_end_matches("px").parse::<f32>().unwrap_or_default();
    match name {
        "fill" => style.fill = colour(value),
        "stroke" => style.stroke = colour(value),
        "stroke-width" => style.line.width = number(value),
        "stroke-linecap" => style.line.line_cap = if value == "round" { LineCap::Round } else { LineCap::Butt },
        "stroke-dasharray" => {
            style.line.dash = StrokeDash::new(value.split(' ').map(number).collect(), 0.0);
        }
        "text-anchor" => style.centred = value == "middle",
        "font" => style.size = number(value.split(' ').next().unwrap_or_default()),
        "font-size" => style.size = number(value),
        "font-weight" => style.bold = number(value) >= 600.0,
        // There is one font.
        "font-family" => {}
        other => unreachable!("no drawing says {other}"),
    }
}

/// `#rrggbb`, or `none`.
fn colour(value: &str) -> Option<Color> {
    let digits = value.strip_prefix('#')?;
    let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    Some(Color::from_rgba8(part(0)?, part(2)?, part(4)?, 255))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::{Theme, style_sheet};

    #[test]
    fn rules_apply_within_what_they_name() {
        let document = roxmltree::Document::parse(
            "<svg class='tf'><g class='edge unknown'><path class='line'/><path class='head'/></g>
             <g class='pointer'><rect class='shape'/></g></svg>",
        );
        let (document, text) = (document.unwrap(), style_sheet(Theme::Light));
        let sheet = StyleSheet::new(&text);
        let style = |class: &str| {
            let element = document.descendants().find(|node| node.attribute("class") == Some(class)).unwrap();
            sheet.style(element, &Style::default())
        };
        let line = style("line");
        assert!(line.fill.is_none() && line.line.dash.is_some() && line.line.line_cap == LineCap::Round);
        let head = style("head");
        assert!(head.stroke.is_none() && head.fill == line.stroke && head.line.dash.is_none());
        assert_eq!(style("shape").stroke, colour("#a06a00"), "the more special rule counts");
    }
}

//! The style sheet of drawings, applied: which colours and lines an element has.
//!
//! Just enough of CSS for the sheet that drawings carry: selectors of names and classes, one within the other, of which
//! the more special one counts, or else the later one. For example, `.tf .maybe .shape` counts more than `.tf .shape`.

use super::canvas::Colour;

/// How an element is drawn. A property that is not given is that of the element around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    pub fill: Option<Colour>,
    pub stroke: Option<Colour>,
    pub width: f64,
    pub dashes: Option<(f64, f64)>,
    /// Do lines end round?
    pub round: bool,
    /// The size of text.
    pub size: f64,
    pub bold: bool,
    /// Is text around its place, or after it?
    pub centred: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            fill: Some([0; 3]),
            stroke: None,
            width: 1.0,
            dashes: None,
            round: false,
            size: 12.0,
            bold: false,
            centred: false,
        }
    }
}

/// Rules, the more special ones last.
pub struct StyleSheet {
    rules: Vec<Rule>,
}

struct Rule {
    /// From the outside in: a name or `.class`, and whether it is right within the one before.
    selector: Vec<(String, bool)>,
    declarations: Vec<(String, String)>,
}

impl StyleSheet {
    pub fn new(text: &str) -> StyleSheet {
        let mut rules = Vec::new();
        for rule in text.split('}') {
            let Some((selectors, body)) = rule.split_once('{') else { continue };
            let pairs = body.split(';').filter_map(|pair| pair.split_once(':'));
            let declarations: Vec<_> = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
            for selector in selectors.trim().split(',') {
                rules.push(Rule { selector: parse(selector), declarations: declarations.clone() });
            }
        }
        // The order of equals is kept.
        rules.sort_by_key(|rule| {
            let classes = rule.selector.iter().filter(|(part, _)| part.starts_with('.')).count();
            (classes, rule.selector.len())
        });
        StyleSheet { rules }
    }

    /// The style of the last of these elements, each a name and classes, within the others.
    pub fn style(&self, chain: &[(&str, &str)], inherited: Style) -> Style {
        let rules = self.rules.iter().filter(|rule| fits(&rule.selector, chain));
        let declarations = rules.flat_map(|rule| &rule.declarations);
        declarations.fold(inherited, |style, (name, value)| declare(style, name, value))
    }
}

fn parse(selector: &str) -> Vec<(String, bool)> {
    let mut parts: Vec<(String, bool)> = Vec::new();
    for word in selector.split_whitespace() {
        for (number, part) in word.split('>').enumerate() {
            parts.push((part.to_string(), number > 0));
        }
    }
    parts
}

/// Is the last element one that the selector means?
fn fits(selector: &[(String, bool)], chain: &[(&str, &str)]) -> bool {
    let (Some(((part, _), outer)), Some(((name, classes), around))) = (selector.split_last(), chain.split_last())
    else {
        return selector.is_empty();
    };
    let is_meant = match part.strip_prefix('.') {
        Some(class) => classes.split(' ').any(|known| known == class),
        None => part == name,
    };
    let is_child = selector.last().is_some_and(|(_, child)| *child);
    let depths = if is_child { around.len()..=around.len() } else { 0..=around.len() };
    is_meant && (outer.is_empty() || depths.into_iter().any(|depth| fits(outer, &around[..depth])))
}

fn declare(style: Style, name: &str, value: &str) -> Style {
    let number = |text: &str| text.trim_end_matches("px").parse::<f64>().unwrap_or_default();
    match name.trim() {
        "fill" => Style { fill: colour(value), ..style },
        "stroke" => Style { stroke: colour(value), ..style },
        "stroke-width" => Style { width: number(value), ..style },
        "stroke-linecap" => Style { round: value == "round", ..style },
        "stroke-dasharray" => {
            let (on, off) = value.split_once(' ').unwrap_or((value, value));
            Style { dashes: Some((number(on), number(off))), ..style }
        }
        "text-anchor" => Style { centred: value == "middle", ..style },
        "font" => Style { size: number(value.split(' ').next().unwrap_or_default()), ..style },
        "font-size" => Style { size: number(value), ..style },
        "font-weight" => Style { bold: number(value) >= 600.0, ..style },
        // There is one font.
        "font-family" => style,
        other => unreachable!("no drawing says {other}"),
    }
}

/// `#rrggbb`, or `none`.
fn colour(value: &str) -> Option<Colour> {
    let digits = value.strip_prefix('#')?;
    let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    Some([part(0)?, part(2)?, part(4)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_special_rule_counts_and_then_the_later_one() {
        let sheet =
            StyleSheet::new(".a .b{fill:#000001}\n.b{fill:#000002}\n.a>.c,.d .c{fill:#000003;stroke-width:4}\n.c{}");
        let blue = |chain: &[(&str, &str)]| sheet.style(chain, Style::default()).fill.map(|colour| colour[2]);
        assert_eq!(blue(&[("g", "a"), ("g", "x"), ("rect", "b y")]), Some(1));
        assert_eq!(blue(&[("g", "x"), ("rect", "b")]), Some(2));
        assert_eq!(blue(&[("g", "a"), ("rect", "c")]), Some(3));
        assert_eq!(blue(&[("g", "a"), ("g", ""), ("rect", "c")]), Some(0), "it is no child");
        assert_eq!(blue(&[("g", "d"), ("g", ""), ("rect", "c")]), Some(3));
    }
}

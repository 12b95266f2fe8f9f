//! Programs that are like another one, but for a few changes: another operator, number, name or type, a statement
//! that is left out, doubled or exchanged with the next one, a condition that is turned around. For example,
//! `while (x != NULL)` becomes `while (x == NULL)`. Most of these are programs, and many of them fail.

use super::random::Random;
use super::tokens::{Kind, Token, tokens};

/// Operators that stand for each other.
const OPERATORS: [&[&str]; 7] = [
    &["<", "<=", ">", ">=", "==", "!="],
    &["+", "-", "*", "/", "%"],
    &["&&", "||"],
    &["&", "|", "^"],
    &["+=", "-=", "*=", "=", "|="],
    &["++", "--"],
    &["<<", ">>"],
];

/// A program with one to three changes. `types` stand for each other.
pub fn mutated(text: &str, types: &[&str], random: &mut Random) -> String {
    let mut text = text.to_string();
    for _ in 0..1 + random.below(3) {
        text = match random.below(12) {
            0..=2 => operator(&text, random),
            3 => number(&text, random),
            4..=5 => name(&text, random),
            6 => one_type(&text, types, random),
            7..=8 => condition(&text, random),
            _ => statement(&text, random),
        };
    }
    text
}

/// The text with one of the tokens that are wanted in other words.
fn exchange(
    text: &str,
    random: &mut Random,
    is_wanted: &dyn Fn(&Token) -> bool,
    other: &dyn Fn(&str, &mut Random) -> String,
) -> String {
    let tokens = tokens(text);
    let wanted: Vec<usize> = (0..tokens.len()).filter(|index| is_wanted(&tokens[*index])).collect();
    if wanted.is_empty() {
        return text.to_string();
    }
    let at = random.one_of(&wanted);
    let other = other(tokens[at].text, random);
    tokens.iter().enumerate().map(|(index, token)| if index == at { &*other } else { token.text }).collect()
}

fn operator(text: &str, random: &mut Random) -> String {
    let group = |sign: &str| OPERATORS.iter().find(|group| group.contains(&sign));
    let is_operator = |token: &Token| token.kind == Kind::Sign && group(token.text).is_some();
    exchange(text, random, &is_operator, &|sign, random| random.one_of(group(sign).unwrap_or(&&[][..])).to_string())
}

fn number(text: &str, random: &mut Random) -> String {
    exchange(text, random, &|token| token.kind == Kind::Number, &|number, random| {
        let value: i64 = number.parse().unwrap_or(0);
        random.one_of(&[value + 1, value - 1, -value, 0, 1, 255, 256, 2_147_483_647]).to_string()
    })
}

/// Another name that stands near by.
fn name(text: &str, random: &mut Random) -> String {
    let tokens = tokens(text);
    let names: Vec<usize> = (0..tokens.len()).filter(|index| tokens[*index].kind == Kind::Word).collect();
    if names.is_empty() {
        return text.to_string();
    }
    let which = random.below(names.len());
    let near = (which + 20).saturating_sub(random.below(40)).min(names.len() - 1);
    let (at, from) = (names[which], names[near]);
    tokens.iter().enumerate().map(|(index, token)| if index == at { tokens[from].text } else { token.text }).collect()
}

fn one_type(text: &str, types: &[&str], random: &mut Random) -> String {
    exchange(text, random, &|token| types.contains(&token.text), &|_, random| random.one_of(types).to_string())
}

/// A condition that is turned around, or that always or never holds.
fn condition(text: &str, random: &mut Random) -> String {
    let starts: Vec<usize> = ["if (", "while ("].iter().flat_map(|head| ends(text, head)).collect();
    if starts.is_empty() {
        return text.to_string();
    }
    let start = random.one_of(&starts);
    let mut depth = 0;
    let end = text[start..].char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth < 0).then_some(start + at)
    });
    let Some(end) = end else { return text.to_string() };
    let (before, inside, after) = (&text[..start], &text[start..end], &text[end..]);
    let holds = random.one_of(&["!(X)", "(X) || 1 == 1", "(X) && 1 == 0"]).replace('X', inside);
    format!("{before}{holds}{after}")
}

/// The places after each occurrence of a part.
fn ends<'a>(text: &'a str, part: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(part).map(|(at, part)| at + part.len())
}

/// Lines that are a statement.
fn statements(lines: &[&str]) -> Vec<usize> {
    let is_statement = |line: &str| line.starts_with("    ") && line.ends_with(';');
    (0..lines.len()).filter(|number| is_statement(lines[*number])).collect()
}

/// Statements that are left out, doubled, exchanged or in another place.
fn statement(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let statements = statements(&lines);
    if statements.is_empty() {
        return text.to_string();
    }
    let which = random.below(statements.len());
    let (at, next) = (statements[which], statements[(which + 1) % statements.len()]);
    match random.below(4) {
        0..=1 => lines[at] = "    ;",
        2 => lines.swap(at, next),
        _ => lines.insert(next, lines[at]),
    }
    lines.join("\n") + "\n"
}

/// A program that notes each value that it assigns, after the assignment: `x = y;` becomes `{ x = y; NOTE }`, where
/// NOTE is what `note` makes of `x`.
pub fn with_notes(text: &str, note: &dyn Fn(&str) -> String) -> String {
    let line = |line: &str| match assigned(line) {
        Some(place) => format!("    {{ {} {} }}\n", line.trim_start(), note(place)),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// What a line that is an assignment assigns.
fn assigned(line: &str) -> Option<&str> {
    let statement = line.strip_prefix("    ")?.trim_start().strip_suffix(';')?;
    let (place, _) = statement.split_once(" = ")?;
    let is_place = |c: char| c.is_alphanumeric() || "_.->[]*".contains(c);
    (place.chars().all(is_place) && !statement.contains(';')).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "int f(int *p, int n) {\n    while (n > 1) {\n        n = n - 1;\n        p = 0;\n    }\n    return n;\n}\n";

    #[test]
    fn changes_are_small_and_many() {
        let changed: std::collections::BTreeSet<String> =
            (0..200).map(|seed| mutated(TEXT, &["int", "long"], &mut Random::new(seed))).collect();
        assert!(changed.len() > 100, "{}", changed.len());
        assert!(changed.iter().all(|text| text.len().abs_diff(TEXT.len()) < 120));
    }

    #[test]
    fn assignments_are_noted() {
        let noted = with_notes(TEXT, &|place| format!("note({place});"));
        assert!(noted.contains("    { n = n - 1; note(n); }\n    { p = 0; note(p); }\n"), "{noted}");
        assert_eq!(assigned("    for (i = 0; i < 3; i++) x = 1;"), None);
        assert_eq!(assigned("    int x = 1;"), None);
    }
}

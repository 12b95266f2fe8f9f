//! Properties files: `key = value` lines, in the syntax of Java.
//!
//! Lines that start with `#` or `!` are comments. Key and value are separated by `=`, `:` or blanks. A backslash at the
//! end of a line continues it; elsewhere it escapes a character, as in `\t` and `\u00e9`.

/// The properties of a text, in order; later ones of the same key count.
pub fn parse(text: &str) -> Vec<(String, String)> {
    logical_lines(text).iter().map(|line| entry(line)).collect()
}

/// Lines without comments and blank ones, with continuations joined.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut continued = false;
    for line in text.lines() {
        let line = line.trim_start_matches([' ', '\t', '\u{c}']);
        if !continued && (line.is_empty() || line.starts_with(['#', '!'])) {
            continue;
        }
        let backslashes = line.len() - line.trim_end_matches('\\').len();
        let (part, goes_on) = if backslashes % 2 == 1 { (&line[..line.len() - 1], true) } else { (line, false) };
        match lines.last_mut().filter(|_| continued) {
            Some(last) => last.push_str(part),
            None => lines.push(part.to_string()),
        }
        continued = goes_on;
    }
    lines
}

fn entry(line: &str) -> (String, String) {
    let end = key_length(line);
    let rest = line[end..].trim_start_matches(BLANKS);
    let value = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start_matches(BLANKS);
    (unescape(&line[..end]), unescape(value).trim_end().to_string())
}

const BLANKS: [char; 3] = [' ', '\t', '\u{c}'];

/// The length of the key: up to the first separator that no backslash escapes.
fn key_length(line: &str) -> usize {
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        if !escaped && (matches!(c, '=' | ':') || BLANKS.contains(&c)) {
            return at;
        }
        escaped = !escaped && c == '\\';
    }
    line.len()
}

fn unescape(text: &str) -> String {
    let mut result = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        if c != '\\' {
            result.push(c);
            continue;
        }
        match characters.next() {
            Some('t') => result.push('\t'),
            Some('n') => result.push('\n'),
            Some('r') => result.push('\r'),
            Some('f') => result.push('\u{c}'),
            Some('u') => result.push(code_point(&mut characters)),
            Some(other) => result.push(other),
            None => {}
        }
    }
    result
}

/// The character of four hexadecimal digits; a number that is no character becomes the replacement character.
fn code_point(characters: &mut std::str::Chars) -> char {
    let digits: String = characters.by_ref().take(4).collect();
    u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> (String, String) {
        let [entry] = parse(line).try_into().expect("one property");
        entry
    }

    #[test]
    fn keys_and_values_are_separated_in_three_ways() {
        for line in ["a.b = c d", "a.b=c d", "a.b: c d", "a.b c d", "  a.b\t:\tc d  ", "a.b   =c d\r"] {
            assert_eq!(one(line), ("a.b".to_string(), "c d".to_string()), "{line:?}");
        }
        assert_eq!(one("a"), ("a".to_string(), String::new()));
        assert_eq!(one("a = b = c").1, "b = c");
    }

    #[test]
    fn comments_continuations_and_escapes() {
        let text = "# a\n! b\n\nkey = one,\\\n    two\nk\\=1 = \\u00e9\\t\\\\\nend = x\\\\\nlast = y";
        let shown: Vec<String> = parse(text).iter().map(|(key, value)| format!("{key}>{value}")).collect();
        assert_eq!(shown, ["key>one,two", "k=1>é\t\\", "end>x\\", "last>y"]);
    }

    #[test]
    fn any_text_is_read() {
        for text in ["\\", "\\u12", "=", "\\u", "a\\", ":\\\n\\", "\\ud800"] {
            parse(text);
        }
    }
}

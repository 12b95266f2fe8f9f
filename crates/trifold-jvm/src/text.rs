//! Source text, looked at without a parser: words, and where brackets end. For example, the block of a method ends at
//! the brace that closes it, and braces in texts and comments do not count.

/// Where a word stands in a text.
pub(crate) fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !word.is_empty() && !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Where the expression starts whose last name is here: `x.f(y).n` for `n`.
pub(crate) fn receiver_start(text: &str, name: usize) -> usize {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
    let mut at = name;
    loop {
        if at == 0 || bytes[at - 1] != b'.' {
            return at;
        }
        let mut from = at - 1;
        let before = from;
        while from > 0 && matches!(bytes[from - 1], b')' | b']') {
            let Some(open) = open_bracket(bytes, from - 1) else { return at };
            from = open;
        }
        while from > 0 && is_part(bytes[from - 1]) {
            from -= 1;
        }
        if from == before {
            return at;
        }
        at = from;
    }
}

/// The bracket that another one closes.
fn open_bracket(bytes: &[u8], close: usize) -> Option<usize> {
    let mut depth = 0;
    for at in (0..=close).rev() {
        match bytes[at] {
            b')' | b']' => depth += 1,
            b'(' | b'[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A part of a text between others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Comment,
    Literal,
}

/// The comments and literals of a text, in their order.
pub(crate) fn parts(text: &str) -> Vec<(Part, usize, usize)> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let end = |from: usize, pattern: &str| {
            text.get(at + from..).and_then(|rest| rest.find(pattern)).map_or(bytes.len(), |end| at + from + end)
        };
        let part = if rest.starts_with(b"//") {
            Some((Part::Comment, end(2, "\n")))
        } else if rest.starts_with(b"/*") {
            Some((Part::Comment, (end(2, "*/") + 2).min(bytes.len())))
        } else if rest.starts_with(b"\"\"\"") {
            Some((Part::Literal, (end(3, "\"\"\"") + 3).min(bytes.len())))
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            Some((Part::Literal, literal_end(bytes, at)))
        } else {
            None
        };
        match part {
            Some((part, end)) => {
                found.push((part, at, end));
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
    found
}

fn literal_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// Where the first block, or bracket, from a place on ends; or the statement, if there is none.
pub(crate) fn block_end(text: &str, from: usize) -> usize {
    let parts = parts(text);
    let mut skipped = parts.iter().skip_while(|(_, _, end)| *end <= from).peekable();
    let wants_brace = !text[from..].starts_with('(');
    let (bytes, mut depth, mut at) = (text.as_bytes(), 0, from);
    while at < bytes.len() {
        if let Some((_, _, end)) = skipped.next_if(|(_, start, _)| *start <= at) {
            at = (*end).max(at + 1);
            continue;
        }
        match bytes[at] {
            b'{' | b'(' => depth += 1,
            b'}' | b')' => {
                depth -= 1;
                let is_end = bytes[at] == if wants_brace { b'}' } else { b')' };
                if depth <= 0 && is_end {
                    return at + 1;
                }
            }
            b';' if depth == 0 => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert_eq!(words("n.nn = n;", "n").collect::<Vec<_>>(), [0, 7]);
        assert_eq!(words("", "").count(), 0);
    }

    #[test]
    fn receivers_are_found() {
        let text = "a = x.f(y).g[1].n";
        assert_eq!(&text[receiver_start(text, text.len() - 1)..], "x.f(y).g[1].n");
        assert_eq!(receiver_start("n", 0), 0);
    }

    #[test]
    fn blocks_end_at_their_brace() {
        let text = "f() { String s = \"}\"; /* } */ { } } g()";
        assert_eq!(&text[..block_end(text, 0)], "f() { String s = \"}\"; /* } */ { } }");
        assert_eq!(block_end("f(", 0), 2);
    }
}

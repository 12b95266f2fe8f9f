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

/// Where a declaration begins whose name is here: at the first word of its line that belongs to it.
pub(crate) fn declaration_start(text: &str, name: usize) -> usize {
    let line = text[..name].rfind('\n').map_or(0, |newline| newline + 1);
    let mut start = line;
    // What stands before it on the line is over at a brace or semicolon, or is a comment.
    let comments: Vec<(Part, usize, usize)> = parts(&text[line..name]);
    for (at, byte) in text.bytes().enumerate().take(name).skip(line) {
        let is_hidden = comments.iter().any(|(_, from, to)| (line + from..line + to).contains(&at));
        if is_hidden || matches!(byte, b';' | b'{' | b'}') {
            start = at + 1;
        }
    }
    while !text.is_char_boundary(start) {
        start += 1;
    }
    start + (text[start..name].len() - text[start..name].trim_start().len())
}

/// What the text of a file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// Its package, `java.util`; empty if there is none.
    pub package: String,
    /// Its classes, without those inside of others.
    pub types: Vec<String>,
}

impl Declared {
    /// The classes with their package.
    pub fn names(&self) -> Vec<String> {
        let prefix = if self.package.is_empty() { String::new() } else { format!("{}.", self.package) };
        self.types.iter().map(|name| format!("{prefix}{name}")).collect()
    }
}

/// The package and the classes that a text declares, as far as words tell.
pub fn declared(text: &str) -> Declared {
    let code = without_parts(text);
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let name = |rest: &str| rest.trim_start().chars().take_while(|c| is_part(*c)).collect::<String>();
    let package = words(&code, "package").next().and_then(|at| code[at + "package".len()..].split(';').next());
    let package = package.map_or(String::new(), |text| text.split_whitespace().collect());
    let (mut types, mut depth, mut at) = (Vec::new(), 0, 0);
    while at < code.len() {
        let rest = &code[at..];
        let word = name(rest).len();
        match rest.as_bytes()[0] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if word > 0 && !rest.starts_with(char::is_whitespace) {
            let is_kind = ["class", "interface", "enum", "record"].contains(&&rest[..word]);
            types.extend((is_kind && depth == 0).then(|| name(&rest[word..])).filter(|name| !name.is_empty()));
            at += word;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    Declared { package, types }
}

/// A text with spaces instead of its comments and literals.
fn without_parts(text: &str) -> String {
    let (mut code, mut at) = (String::with_capacity(text.len()), 0);
    for (_, start, end) in parts(text) {
        code.push_str(text.get(at..start).unwrap_or_default());
        code.push(' ');
        at = end;
    }
    code + text.get(at..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_begin_after_others() {
        let text = "class A {\n  int x; /* ; */ static int f() { }\n  public void g() { } }";
        let start = |name: &str| &text[declaration_start(text, text.find(name).unwrap())..];
        assert!(start("f(").starts_with("static int f()"));
        assert!(start("g(").starts_with("public void g()"));
    }

    #[test]
    fn packages_and_classes_are_declared() {
        let text = "// class A\npackage a . b;\nimport x.*;\n/** class */ public final class C<T> { class D { } }\n\
            @interface I { } enum E { X { } } record R(int \u{e9}) { String s = \"class F {\"; } interface G { }";
        let declared = declared(text);
        assert_eq!(declared.package, "a.b");
        assert_eq!(declared.types, ["C", "I", "E", "R", "G"]);
        assert_eq!(declared.names()[0], "a.b.C");
        assert_eq!(super::declared("{ } } class \u{e9}"), Declared::default());
    }

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

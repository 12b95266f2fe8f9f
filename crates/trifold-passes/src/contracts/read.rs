//! Contracts as they are written.
//!
//! ```text
//! contract := { ("requires" | "ensures") part { "&&" part } ";" }
//! part     := name "(" term { "," term } ")"  |  term ("==" | "!=" | "<" | "<=" | ">" | ">=") term
//! term     := name | "\result" | "\old" "(" name ")" | "null" | "NULL" | number
//! ```

use trifold_ir::BinaryOp;
use trifold_source::suggest::nearest;
use trifold_source::{Diagnostic, Sink, Span};

/// A part of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// Or is it required?
    pub is_ensured: bool,
    pub(super) part: Part,
    /// Where it stands.
    pub span: Span,
    pub(super) text: String,
}

impl Written {
    /// The function that is to return true, if it is one.
    pub fn applied(&self) -> Option<&str> {
        match &self.part {
            Part::Applied { name, .. } => Some(name),
            Part::Compared { .. } => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Applied { name: String, at: Span, arguments: Vec<Term> },
    Compared { left: Term, op: BinaryOp, right: Term },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Term {
    pub kind: TermKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TermKind {
    Name(String),
    Old(String),
    Result,
    Null,
    Number(i128),
}

/// The syntax, for messages.
pub(super) const HELP: &str = "a contract is `requires …;` and `ensures …;` with parts that `&&` joins: a checker as in `list(x)`, or a comparison of \
    parameters, global variables, `\\result`, null and numbers";

const COMPARISONS: [(&str, BinaryOp); 6] = [
    ("==", BinaryOp::Equal),
    ("!=", BinaryOp::NotEqual),
    ("<=", BinaryOp::LessEqual),
    (">=", BinaryOp::GreaterEqual),
    ("<", BinaryOp::Less),
    (">", BinaryOp::Greater),
];

/// The words that clauses begin with.
const CLAUSES: [&str; 2] = ["requires", "ensures"];

/// Reads a comment of a text, if it is a contract: its first character is `@`, and a clause begins in it, or a word
/// that is meant to begin one. Others, such as `/*@null@*/`, `/*@}*/` and `//@Deprecated`, are remarks for other tools.
pub fn read(text: &str, comment: Span, sink: &mut Sink) -> Option<Vec<Written>> {
    let whole = text.get(comment.start as usize..comment.end as usize)?;
    let inner = whole.strip_prefix("/*@").map(|rest| rest.strip_suffix("*/").unwrap_or(rest));
    let inner = inner.or_else(|| whole.strip_prefix("//@"))?;
    let starts = |clause: &str| {
        let start = clause.trim_start_matches(|c: char| c.is_whitespace() || c == '@');
        start.split(|c| !is_word(c)).next().unwrap_or_default().to_string()
    };
    let is_clause = |word: &str| CLAUSES.contains(&word);
    let is_meant = inner.contains(';') && nearest(&starts(inner), CLAUSES).is_some();
    if !is_meant && !inner.split(';').any(|clause| is_clause(&starts(clause))) {
        return None;
    }
    let mut reader = Reader { text: inner, at: 0, start: comment.start as usize + 3, comment };
    let mut all = Vec::new();
    if let Err(error) = reader.contract(&mut all) {
        sink.push(*error);
    }
    Some(all)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Where the text starts in the whole one.
    start: usize,
    comment: Span,
}

type Read<T> = Result<T, Box<Diagnostic>>;

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.')
}

impl<'t> Reader<'t> {
    /// The next token, without going on; empty at the end.
    fn peek(&mut self) -> &'t str {
        let rest = self.text[self.at..].trim_start_matches(|c: char| c.is_whitespace() || c == '@');
        self.at = self.text.len() - rest.len();
        let word = |rest: &str| rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let length = match rest.chars().next() {
            None => 0,
            Some(c) if is_word(c) => word(rest),
            Some(_) if ["&&", "||", "==", "!=", "<=", ">=", "->"].iter().any(|op| rest.starts_with(op)) => 2,
            Some('\\' | '-') => 1 + word(&rest[1..]),
            Some(c) => c.len_utf8(),
        };
        &rest[..length]
    }

    fn next(&mut self) -> (&'t str, Span) {
        let token = self.peek();
        let start = self.start + self.at;
        self.at += token.len();
        (token, Span { start: start as u32, end: (start + token.len()) as u32, ..self.comment })
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        if found {
            self.next();
        }
        found
    }

    fn fail<T>(&mut self, expected: &str) -> Read<T> {
        let (token, span) = self.next();
        let found = if token.is_empty() { "the end of the contract".to_string() } else { format!("`{token}`") };
        Err(Box::new(Diagnostic::error("contract", span, format!("expected {expected}, found {found}")).help(HELP)))
    }

    fn contract(&mut self, all: &mut Vec<Written>) -> Read<()> {
        if self.peek().is_empty() {
            return self.fail("`requires` or `ensures`");
        }
        while !self.peek().is_empty() {
            let is_ensured = match self.peek() {
                "requires" => false,
                "ensures" => true,
                _ => return self.fail("`requires` or `ensures`"),
            };
            self.next();
            loop {
                self.peek();
                let from = self.at;
                let part = self.part()?;
                let text = self.text[from..self.at].split_whitespace().collect::<Vec<_>>().join(" ");
                let (start, end) = ((self.start + from) as u32, (self.start + self.at) as u32);
                all.push(Written { is_ensured, part, span: Span { start, end, ..self.comment }, text });
                if !self.accept("&&") {
                    break;
                }
            }
            if !self.accept(";") {
                return self.fail("`&&` or `;`");
            }
        }
        Ok(())
    }

    fn part(&mut self) -> Read<Part> {
        let left = self.term()?;
        if let TermKind::Name(name) = &left.kind
            && self.accept("(")
        {
            let mut arguments = vec![self.term()?];
            while self.accept(",") {
                arguments.push(self.term()?);
            }
            return if self.accept(")") {
                Ok(Part::Applied { name: name.clone(), at: left.span, arguments })
            } else {
                self.fail("`,` or `)`")
            };
        }
        let found = self.peek();
        let Some((_, op)) = COMPARISONS.iter().find(|(text, _)| *text == found) else {
            return self.fail("a comparison");
        };
        self.next();
        Ok(Part::Compared { left, op: *op, right: self.term()? })
    }

    fn term(&mut self) -> Read<Term> {
        let token = self.peek();
        let is_name = token.starts_with(|c: char| is_word(c) && !c.is_ascii_digit() && c != '.');
        let kind = match token {
            "\\result" => TermKind::Result,
            "\\old" => {
                let (_, start) = self.next();
                let is_open = self.accept("(");
                let Term { kind: TermKind::Name(name), .. } = self.term()? else {
                    let error = Diagnostic::error("contract", start, "`\\old` of something that is no name");
                    return Err(Box::new(error.help(HELP)));
                };
                let span = Span { end: (self.start + self.at) as u32 + 1, ..start };
                return match is_open && self.accept(")") {
                    true => Ok(Term { kind: TermKind::Old(name), span }),
                    false => self.fail("`)`"),
                };
            }
            "null" | "NULL" => TermKind::Null,
            "true" => TermKind::Number(1),
            "false" => TermKind::Number(0),
            _ if is_name => TermKind::Name(token.to_string()),
            _ => match token.parse() {
                Ok(number) => TermKind::Number(number),
                Err(_) => return self.fail("a name, `\\result`, `\\old(…)`, null or a number"),
            },
        };
        let (_, span) = self.next();
        Ok(Term { kind, span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trifold_source::{FileId, Trail};

    fn read_all(text: &str) -> (Vec<String>, Vec<Diagnostic>) {
        let mut sink = Sink::default();
        let comment = Span { file: FileId(0), start: 0, end: text.len() as u32, trail: Trail::NONE };
        let all = read(text, comment, &mut sink).unwrap_or_default();
        let shown = |written: &Written| {
            assert_eq!(
                &text[written.span.start as usize..written.span.end as usize].replace("\n  @ ", " "),
                &written.text
            );
            format!("{} {}", if written.is_ensured { "ensures" } else { "requires" }, written.text)
        };
        (all.iter().map(shown).collect(), sink.finish().0)
    }

    #[test]
    fn clauses_are_divided_into_parts() {
        let text = "/*@ requires list(x) && n >= -1;\n  @ ensures seg(\\result, \\old(x)) && \\result != NULL; */";
        let parts =
            ["requires list(x)", "requires n >= -1", "ensures seg(\\result, \\old(x))", "ensures \\result != NULL"];
        assert_eq!(read_all(text), (parts.map(str::to_string).to_vec(), Vec::new()));
        assert_eq!(read_all("//@ ensures a.b == true;").0, ["ensures a.b == true"]);
        assert_eq!(read_all("/*@ ensures x == null; @*/").0, ["ensures x == null"]);
        let others =
            ["/*@null@*/", "/*@}*/", "/*@{*/", "/*@-nullpass@*/", "//@Deprecated", "/*@ assert x; */", "/*@*/"];
        for text in ["/* requires x; */", "// requires x", "//@ it requires care"].into_iter().chain(others) {
            assert_eq!(read_all(text), (Vec::new(), Vec::new()), "{text}");
        }
        for text in ["/*@ require x == null; */", "/*@ assigns x; requires x == null; */", "//@requires list(x)"] {
            assert_eq!(read_all(text).1.len(), 1, "{text}");
        }
    }

    #[test]
    fn what_is_no_contract_is_told_where_it_stands() {
        for (text, at, expected) in [
            ("/*@ require list(x); */", "require", "`requires` or `ensures`"),
            ("/*@ requires list(x) */", "", "`&&` or `;`"),
            ("/*@ requires list(x) || x == y; */", "||", "`&&` or `;`"),
            ("/*@ requires !list(x); */", "!", "a name"),
            ("/*@ requires x->next == null; */", "->", "a comparison"),
            ("/*@ requires x; */", ";", "a comparison"),
            ("/*@ requires list(x; */", ";", "`,` or `)`"),
            ("/*@ ensures \\forall x; */", "\\forall", "a name"),
        ] {
            let (_, errors) = read_all(text);
            let [error] = &errors[..] else { panic!("{text}: {errors:?}") };
            let span = error.primary.span;
            assert_eq!(&text[span.start as usize..span.end as usize], at, "{text}");
            assert!(error.message.starts_with(&format!("expected {expected}")), "{text}: {}", error.message);
        }
    }
}

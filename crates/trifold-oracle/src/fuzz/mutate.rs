//! Mutations for where libFuzzer is not at hand: always the same for the same number.

use std::ops::Range;

/// Words of the languages, to insert. Files that include each other are `a.tvp` and `b.tvp`.
pub const WORDS: &[&str] = &[
    "%p",
    "%i",
    "%s",
    "%r",
    "%%",
    "%action",
    "%t",
    "%f",
    "%message",
    "%new",
    "%retain",
    "%procedure",
    "%call",
    "%enter",
    "%return",
    "%n",
    "%location",
    "foreach",
    "in",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "?",
    "=",
    "==",
    "==>",
    "!=",
    "!",
    "&",
    "|",
    "&/{",
    "|/{",
    "->",
    "<->",
    "*",
    "+",
    "-",
    "/",
    "1",
    "0",
    "1/2",
    "2",
    "E(v)",
    "A(v, w)",
    "TC(v,w)(a,b)",
    "x",
    "x(v)",
    "n(v1, v2)",
    "n*(v, w)",
    "r[n,x]",
    "v == w",
    "PVar",
    "\"text\"",
    "\"",
    "unique",
    "function",
    "invfunction",
    "acyclic",
    "transitive",
    "reflexive",
    "symmetric",
    "nonabs",
    "\n#define F(a) a F(a) #a a##a\n",
    "\n#define G\n",
    "G",
    "F(",
    "\n#if ",
    "\n#ifdef F\n",
    "\n#else\n",
    "\n#endif\n",
    "\n#include \"b.tvp\"\n",
    "\n#include \"a.tvp\"\n",
    "\n",
    "\\\n",
    "/*",
    "*/",
    "//",
    "é",
    "\u{feff}",
    "u.0",
    "].1",
    "u->w:1/2",
    "sm",
    "ac",
    "isNew(v)",
    "instance(v, w)",
    "auto",
    "\n===\n",
    "single",
    "partial",
    "concrete",
    "\0",
    "\r",
    "int",
    "struct",
    "typedef",
    "sizeof",
    "typeof",
    "__attribute__((",
    "__extension__",
    "({",
    "})",
    "...",
    "++",
    ".x =",
    "case",
    "goto",
    "\n# 7 \"b.h\" 1 3\n",
];

/// Numbers that look random and are always the same.
pub struct Random(u64);

impl Random {
    /// A sequence for each number.
    pub fn new(number: u64) -> Random {
        Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below this one.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// `bytes` with one to four changes; `other` lends parts.
pub fn mutate(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut result = bytes.to_vec();
    // Every other time only whole words and lines are changed, which gives more programs that load.
    let kinds: &[usize] = if random.below(2) == 0 { &[5, 9, 10, 11] } else { &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };
    for _ in 0..=random.below(4) {
        let (at, length) = (random.below(result.len() + 1), random.below(40));
        let end = (at + length).min(result.len());
        match *random.pick(kinds) {
            0 => result.truncate(at),
            1 => drop(result.drain(at..end)),
            2 => insert(&mut result, at, &[random.below(256) as u8]),
            3 => {
                let part = result[at..end].to_vec();
                let to = random.below(result.len() + 1);
                insert(&mut result, to, &part);
            }
            4 => {
                let from = random.below(other.len() + 1);
                let part = other[from..(from + 2 * length).min(other.len())].to_vec();
                insert(&mut result, at, &part);
            }
            5 => swap_words(&mut result, random),
            // Lines are mostly statements.
            9 => drop(result.drain(line_at(&result, at))),
            10 => {
                let line = line_at(&result, at);
                let to = line_at(&result, random.below(result.len() + 1)).start;
                let part = result[line].to_vec();
                insert(&mut result, to, &part);
            }
            11 => {
                let line = line_at(&result, at);
                let part: Vec<u8> = result.drain(line).collect();
                let to = line_at(&result, random.below(result.len() + 1)).start;
                insert(&mut result, to, &part);
            }
            6 => {
                let (start, end) = word_at(&result, at);
                let word = *random.pick(WORDS);
                result.splice(start..end, word.bytes());
            }
            _ => insert(&mut result, at, format!(" {} ", random.pick(WORDS)).as_bytes()),
        }
    }
    result
}

/// A program with a statement that is left out, or with another of these names in it. Statements are lines inside of
/// functions; contracts are left alone.
pub fn change_statement(text: &str, names: &[&str], random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let is_statement = |line: &&str| line.starts_with("    ") && line.ends_with(';') && !line.contains('\\');
    let statements: Vec<usize> = (0..lines.len()).filter(|number| is_statement(&lines[*number])).collect();
    let number = *random.pick(&statements);
    let words = lines[number].split(|c: char| !c.is_alphanumeric() && c != '_');
    let here: Vec<&str> = words.filter(|word| names.contains(word)).collect();
    let changed = match here.is_empty() || random.below(3) == 0 {
        true => "    ;".to_string(),
        false => lines[number].replacen(here[random.below(here.len())], names[random.below(names.len())], 1),
    };
    lines[number] = &changed;
    lines.join("\n")
}

fn insert(bytes: &mut Vec<u8>, at: usize, part: &[u8]) {
    bytes.splice(at..at, part.iter().copied());
}

/// The word that a place lies in.
fn word_at(bytes: &[u8], at: usize) -> (usize, usize) {
    let in_word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
    let start = bytes[..at].iter().rposition(|c| !in_word(c)).map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(|c| !in_word(c)).map_or(bytes.len(), |length| at + length);
    (start, end)
}

/// The line that a place lies in, with its end.
fn line_at(bytes: &[u8], at: usize) -> Range<usize> {
    let start = bytes[..at].iter().rposition(|c| *c == b'\n').map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(|c| *c == b'\n').map_or(bytes.len(), |length| at + length + 1);
    start..end
}

/// Exchanges a word for another one of the same text.
fn swap_words(bytes: &mut Vec<u8>, random: &mut Random) {
    let (start, end) = word_at(bytes, random.below(bytes.len() + 1));
    let (from, to) = word_at(bytes, random.below(bytes.len() + 1));
    let word = bytes[from..to].to_vec();
    bytes.splice(start..end, word);
}

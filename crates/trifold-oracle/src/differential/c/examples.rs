//! The examples in C, so that many of them can be compiled together: every name but those of the language and of the
//! library gets the name of the program in front, `x->next` becomes `p17_x->p17_next`. The same change everywhere
//! changes nothing.

use crate::differential::tokens::{Kind, tokens};

/// The words of the language.
const KEYWORDS: [&str; 39] = [
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "typeof",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Bool",
    "_Generic",
    "_Alignof",
    "_Static_assert",
];

/// The functions that the machine has, of the library and of [the driver](super::machine).
const LIBRARY: [&str; 41] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "abort",
    "exit",
    "_Exit",
    "rand",
    "printf",
    "puts",
    "putchar",
    "memcpy",
    "memset",
    "memmove",
    "memcmp",
    "strlen",
    "strcmp",
    "strncmp",
    "strcpy",
    "strdup",
    "strchr",
    "assert",
    "strndup",
    "strcspn",
    "strspn",
    "strncpy",
    "strcat",
    "strncat",
    "strrchr",
    "strstr",
    "snprintf",
    "sprintf",
    "fprintf",
    "atoi",
    "abs",
    "getchar",
    "fgets",
    "qsort",
    "reach_error",
    "size_t",
    "main",
];

/// A program of the examples by other names.
pub fn adapt(original: &str) -> String {
    let renamed = tokens(original).into_iter().map(|token| match token.text {
        // After `exit` nothing counts as leaked.
        "exit" => "_Exit".to_string(),
        "offsetof" => "__builtin_offsetof".to_string(),
        text if token.kind == Kind::Word && is_own(text) => format!("${text}"),
        text => text.to_string(),
    });
    renamed.collect::<String>().replace("int main()", "int main(void)")
}

/// Is it a name that the program gives?
fn is_own(word: &str) -> bool {
    !word.starts_with("__") && !word.starts_with('$') && !KEYWORDS.contains(&word) && !LIBRARY.contains(&word)
}

/// The statement that notes the value of a place, or, if that is no number, whether it is not null.
pub fn note(place: &str) -> String {
    let numbers = ["int", "unsigned", "long", "short", "char", "unsigned char", "_Bool"];
    let cases: String = numbers.iter().map(|ty| format!("{ty}: ({place}), ")).collect();
    format!("$note_long(_Generic(({place}), {cases}default: ({place}) != 0));")
}

//! Commands: words that a shell or a process takes. For example, `cc -g -o out/bug out/bug.c`.

use std::fmt;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The program, and its arguments.
    pub words: Vec<String>,
}

impl Command {
    /// A command of some words.
    pub fn new<W: Into<String>>(words: impl IntoIterator<Item = W>) -> Command {
        Command { words: words.into_iter().map(Into::into).collect() }
    }
}

impl fmt::Display for Command {
    /// As one types it into a shell.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |word: &String| match shlex::try_quote(word) {
            Ok(quoted) => quoted.into_owned(),
            // No shell takes a null character.
            Err(_) => word.replace('\0', ""),
        };
        f.write_str(&self.words.iter().map(quoted).collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_spaces_stay_one() {
        assert_eq!(Command::new(["cc", "-D", "X=a b", "x.c"]).to_string(), "cc -D 'X=a b' x.c");
    }
}

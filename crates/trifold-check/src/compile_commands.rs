//! Compilation databases, `compile_commands.json`: the C files of a project, with the flags of their commands that
//! decide what the text means. For example, `cc -DA -I inc -O2 -c a.c` is the file `a.c` with `-DA` and `-Iinc`.

use serde::Deserialize;
use std::path::Path;
use trifold_source::printable_line;

/// A C file of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompiledFile {
    /// Its name, from the current directory if it is below it.
    pub file: String,
    /// Flags for the preprocessor, in their order, because `-D` and `-U` undo each other.
    pub flags: Vec<String>,
    /// How many bits pointers have, if the command says so with `-m32` or `-m64`.
    pub bits: Option<u8>,
}

/// An entry of a database. Fields that are not used may be anything.
#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    directory: String,
    file: String,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// How a database is read: the current directory, the files beside it, and where warnings go.
pub struct Surroundings<'s> {
    /// The name of the database.
    pub database: &'s str,
    /// The current directory.
    pub here: &'s Path,
    /// The text of a file, if it can be read.
    pub read: &'s dyn Fn(&str) -> Option<String>,
    /// Takes a warning.
    pub warn: &'s mut dyn FnMut(String),
}

/// Flags with a value that name a file or directory.
const PATHS: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];

/// Flags that make values or layouts other ones, and that are not understood here.
const NOT_FOLLOWED: [&str; 6] =
    ["-funsigned-char", "-fpack-struct", "-fshort-enums", "-fshort-wchar", "-fgnu89-inline", "-mabi="];

/// Files that name more words of a command are read so deep.
const DEEPEST: usize = 8;

impl Entry {
    /// The words of its command, as a shell would take it apart; nothing if a shell could not.
    fn words(&self) -> Option<Vec<String>> {
        match (&self.arguments, &self.command) {
            (Some(arguments), _) => Some(arguments.clone()),
            (None, Some(command)) => shlex::split(command),
            (None, None) => Some(Vec::new()),
        }
    }

    /// A name of the command, from the current directory.
    fn within(&self, file: &str, here: &Path) -> String {
        let file = Path::new(&self.directory).join(file);
        file.strip_prefix(here).unwrap_or(&file).to_string_lossy().into_owned()
    }

    /// Words with those of `@FILE` in its place.
    fn expanded(&self, words: Vec<String>, around: &mut Surroundings<'_>, depth: usize) -> Vec<String> {
        let mut expanded = Vec::new();
        for word in words {
            let Some(file) = word.strip_prefix('@').filter(|file| !file.is_empty()) else {
                expanded.push(word);
                continue;
            };
            let text = (around.read)(&self.within(file, around.here)).filter(|_| depth < DEEPEST);
            match text.as_deref().and_then(shlex::split) {
                Some(more) => expanded.extend(self.expanded(more, around, depth + 1)),
                None => {
                    let name = printable_line(&self.file);
                    let file = printable_line(file);
                    (around.warn)(format!("@{file} in the command for {name} cannot be read"));
                }
            }
        }
        expanded
    }

    /// The flags that matter.
    fn compiled(&self, words: &[String], around: &mut Surroundings<'_>) -> CompiledFile {
        let mut compiled = CompiledFile { file: self.within(&self.file, around.here), flags: Vec::new(), bits: None };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if let Some(flag) = NOT_FOLLOWED.iter().find(|flag| word.starts_with(**flag)) {
                (around.warn)(format!("{flag} in the command for {} is not followed", printable_line(&self.file)));
            }
            match word.as_str() {
                "-m32" => compiled.bits = Some(32),
                "-m64" => compiled.bits = Some(64),
                "-ansi" | "-undef" | "-nostdinc" | "-pthread" => compiled.flags.push(word.clone()),
                _ if word.starts_with("-std=") => compiled.flags.push(word.clone()),
                _ => {}
            }
            for flag in ["-D", "-U"].into_iter().chain(PATHS) {
                let Some(attached) = word.strip_prefix(flag) else { continue };
                // `-includefoo.h` is a file, and `-I` with a name that begins with a dash is no flag.
                let value = if attached.is_empty() { rest.next().cloned() } else { Some(attached.to_string()) };
                let Some(value) = value else { continue };
                let value = if PATHS.contains(&flag) { self.path(flag, &value, around) } else { value };
                compiled.flags.extend([flag.to_string(), value]);
                break;
            }
        }
        compiled
    }

    /// The path of a flag. A file that is not in the directory of the command is looked for among headers.
    fn path(&self, flag: &str, value: &str, around: &Surroundings<'_>) -> String {
        let within = self.within(value, around.here);
        let is_file = ["-include", "-imacros"].contains(&flag);
        if is_file && (around.read)(&within).is_none() { value.to_string() } else { within }
    }
}

/// The C files in the text of a database. Files and flags that are left out are warned about.
pub fn files(text: &str, around: &mut Surroundings<'_>) -> Result<Vec<CompiledFile>, serde_json::Error> {
    let entries: Vec<Entry> = serde_json::from_str(text)?;
    let mut files = Vec::new();
    for entry in &entries {
        let name = printable_line(&entry.file);
        if ![".c", ".i"].iter().any(|ending| entry.file.ends_with(ending)) {
            (around.warn)(format!("{name} of {} is no C file, and is not checked", around.database));
            continue;
        }
        let words = entry.words().unwrap_or_else(|| {
            (around.warn)(format!("the command for {name} has a quote without its end"));
            Vec::new()
        });
        let words = entry.expanded(words, around, 0);
        files.push(entry.compiled(&words, around));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_commands() {
        let words = |command: &str| {
            Entry { directory: String::new(), file: String::new(), arguments: None, command: Some(command.into()) }
                .words()
        };
        let expected = ["cc", "-DA=\"b c\"", "-I", "x y", "-c", "a b.c", ""].map(str::to_string);
        assert_eq!(words(r#"cc -D'A="b c"' -I "x y"  -c a\ b.c ''"#), Some(expected.to_vec()));
        assert_eq!(words("cc -D'A"), None);
    }

    fn read(text: &str, files: &[(&str, &str)]) -> (Vec<CompiledFile>, Vec<String>) {
        let mut warnings = Vec::new();
        let read = |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.to_string());
        let warn = &mut |warning| warnings.push(warning);
        let mut around = Surroundings { database: "db", here: Path::new("/p"), read: &read, warn };
        let found = super::files(text, &mut around).unwrap();
        (found, warnings)
    }

    #[test]
    fn files_have_the_flags_of_their_commands() {
        let text = r#"[{"directory": "/p/src", "file": "a.c", "command":
            "cc -DA -I ../inc -Isub -U B -O2 -std=c99 -include pre.h -include far.h -m32 -funsigned-char -c a.c"},
            {"directory": "/p", "file": "b.cpp", "arguments": []}]"#;
        let (found, warnings) = read(text, &[("src/pre.h", "")]);
        let flags = "-D A -I src/../inc -I src/sub -U B -std=c99 -include src/pre.h -include far.h";
        assert_eq!((found[0].flags.join(" ").as_str(), found[0].bits), (flags, Some(32)));
        assert_eq!(found.len(), 1);
        let expected =
            ["-funsigned-char in the command for a.c is not followed", "b.cpp of db is no C file, and is not checked"];
        assert_eq!(warnings, expected);
    }

    #[test]
    fn words_may_stand_in_files() {
        let text = r#"[{"directory": "/p", "file": "a.c", "command": "cc @flags @none -c a.c"}]"#;
        let (found, warnings) = read(text, &[("flags", "-DA='b c'\n@more -UC"), ("more", "-Iinc"), ("self", "@self")]);
        assert_eq!(found[0].flags, ["-D", "A=b c", "-I", "inc", "-U", "C"]);
        assert_eq!(warnings, ["@none in the command for a.c cannot be read"]);
        // A file that names itself ends.
        let (_, warnings) = read(&text.replace("@flags @none", "@self"), &[("self", "@self")]);
        assert_eq!(warnings, ["@self in the command for a.c cannot be read"]);
    }
}

//! Compilation databases, `compile_commands.json`: the C files of a project, with the directories, macros and target
//! that their commands name. For example, `cc -DA -I inc -c a.c` is the file `a.c` with the macro `A` and the
//! directory `inc`.

use serde::Deserialize;
use std::path::Path;
use trifold_source::printable_line;

/// A C file of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompiledFile {
    /// Its name, from the current directory if it is below it.
    pub file: String,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Directories of headers.
    pub include: Vec<String>,
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
}

/// Options of compilers that make the text of a program another one, and that are not understood here.
const NOT_FOLLOWED: [&str; 4] = ["-U", "-include", "-imacros", "-idirafter"];

/// The C files in the text of a database of this name, read in the directory `here`. Files and flags that are left out
/// are warned about.
pub fn files(
    text: &str,
    database: &str,
    here: &Path,
    warn: &mut dyn FnMut(String),
) -> Result<Vec<CompiledFile>, serde_json::Error> {
    let entries: Vec<Entry> = serde_json::from_str(text)?;
    let mut files = Vec::new();
    for entry in &entries {
        let name = printable_line(&entry.file);
        if ![".c", ".i"].iter().any(|ending| entry.file.ends_with(ending)) {
            warn(format!("{name} of {database} is no C file, and is not checked"));
            continue;
        }
        let words = entry.words().unwrap_or_else(|| {
            warn(format!("the command for {name} has a quote without its end"));
            Vec::new()
        });
        let mut compiled =
            CompiledFile { file: entry.within(&entry.file, here), define: Vec::new(), include: Vec::new(), bits: None };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if let Some(flag) = NOT_FOLLOWED.iter().find(|flag| word.starts_with(**flag)) {
                warn(format!("{flag} in the command for {name} is not followed"));
            }
            match word.as_str() {
                "-m32" => compiled.bits = Some(32),
                "-m64" => compiled.bits = Some(64),
                _ => {}
            }
            for flag in ["-I", "-isystem", "-iquote", "-D"] {
                let Some(attached) = word.strip_prefix(flag) else { continue };
                let value = if attached.is_empty() { rest.next().cloned() } else { Some(attached.to_string()) };
                match value {
                    Some(value) if flag == "-D" => compiled.define.push(value),
                    Some(value) => compiled.include.push(entry.within(&value, here)),
                    None => {}
                }
                break;
            }
        }
        files.push(compiled);
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

    #[test]
    fn files_have_the_macros_and_directories_of_their_commands() {
        let text = r#"[{"directory": "/p/src", "file": "a.c", "command": "cc -DA -I ../inc -Isub -U B -m32 -c a.c"},
            {"directory": "/p", "file": "b.cpp", "arguments": []}]"#;
        let mut warnings = Vec::new();
        let found = files(text, "db", Path::new("/p"), &mut |warning| warnings.push(warning)).unwrap();
        let include = ["src/../inc", "src/sub"].map(str::to_string).to_vec();
        assert_eq!(
            found,
            [CompiledFile { file: "src/a.c".to_string(), define: vec!["A".to_string()], include, bits: Some(32) }]
        );
        let expected = ["-U in the command for a.c is not followed", "b.cpp of db is no C file, and is not checked"];
        assert_eq!(warnings, expected);
    }
}

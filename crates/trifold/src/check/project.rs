//! The input of a check: files, patterns of files, a compilation database, and the configuration of a project.
//!
//! `trifold.toml` in the current directory, or the file that `--config` names, has the options of the command line by
//! their names:
//!
//! ```toml
//! [check]
//! files = ["src/*.c"]
//! malloc-may-fail = true
//!
//! [allocators]
//! my_alloc = "malloc"
//!
//! [[suppress]]
//! kind = "leak"
//! path = "src/third_party/*"
//! reason = "not ours"
//! ```

use super::pattern::{Pattern, expanded};
use crate::arguments::{Arguments, CheckOptions, Command};
use crate::{Refused, disk, source};
use clap::Parser;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trifold_check::Reported;
use trifold_check::suppress;
use trifold_source::{printable, printable_line};

/// The file that is read if it is there.
const CONFIGURATION: &str = "trifold.toml";

/// Functions that others can be declared to be like.
const ALLOCATORS: [&str; 4] = ["malloc", "calloc", "realloc", "free"];

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Configuration {
    #[serde(default)]
    check: BTreeMap<String, toml::Value>,
    #[serde(default)]
    allocators: BTreeMap<String, String>,
    #[serde(default)]
    suppress: Vec<Rule>,
}

/// A rule that silences findings. A part that it leaves out may be anything.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    kind: Option<Pattern>,
    path: Option<Pattern>,
    function: Option<Pattern>,
    /// The reason, because a rule without one is never deleted.
    #[allow(dead_code, reason = "it is for people, and must be there")]
    reason: String,
}

impl suppress::Rule for Rule {
    fn silences(&self, function: &str, finding: &Reported) -> bool {
        let fits = |wanted: &Option<Pattern>, text: &str| wanted.as_ref().is_none_or(|pattern| pattern.fits(text));
        fits(&self.kind, finding.kind.name()) && fits(&self.path, &finding.path) && fits(&self.function, function)
    }
}

/// The options together with those of the configuration, and its rules. Options of the command line count more.
pub fn configured(options: &CheckOptions) -> Result<(CheckOptions, Vec<Rule>), Refused> {
    let path = match &options.config {
        Some(path) => path.clone(),
        None if Path::new(CONFIGURATION).is_file() => PathBuf::from(CONFIGURATION),
        None => return Ok((options.clone(), Vec::new())),
    };
    let shown = path.display();
    let text = source::text(&path.to_string_lossy())?;
    let configuration: Configuration =
        toml::from_str(&text).map_err(|error| Refused::new(format!("{shown} cannot be read: {error}")))?;
    let mut words = vec!["trifold".to_string(), "check".to_string()];
    for (name, value) in &configuration.check {
        if name == "config" {
            return Err(Refused::new(format!("{shown}: a configuration cannot name another one")));
        }
        if name == "files" && !options.files.is_empty() {
            continue;
        }
        add_option(name, value, &mut words).map_err(|why| Refused::new(format!("{shown}: {name} {why}")))?;
    }
    for (name, like) in &configuration.allocators {
        if !ALLOCATORS.contains(&like.as_str()) {
            let known = ALLOCATORS.join(", ");
            return Err(Refused::new(format!("{shown}: {name} cannot be like `{like}`, only like one of {known}")));
        }
        words.extend(["-D".to_string(), format!("{name}={like}")]);
    }
    words.extend(std::env::args().skip(2));
    match Arguments::try_parse_from(words) {
        Ok(Arguments { command: Command::Check(options) }) => Ok((*options, configuration.suppress)),
        Ok(_) => Err(Refused::new(format!("{shown} makes this another command"))),
        Err(error) => Err(Refused(printable(&format!("{error}note: with the options of {shown}\n")).into_owned())),
    }
}

fn add_option(name: &str, value: &toml::Value, words: &mut Vec<String>) -> Result<(), &'static str> {
    let flag = match name {
        "files" => None,
        "define" => Some("-D".to_string()),
        "include" => Some("-I".to_string()),
        _ => Some(format!("--{name}")),
    };
    let text = match value {
        toml::Value::Boolean(true) => {
            words.extend(flag);
            return Ok(());
        }
        toml::Value::Boolean(false) => return Ok(()),
        toml::Value::Array(values) => return values.iter().try_for_each(|value| add_option(name, value, words)),
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        _ => return Err("is neither text nor a number, true, false or a list of these"),
    };
    words.extend(flag);
    words.push(text);
    Ok(())
}

/// A file to check, with the options for it.
pub struct Job {
    pub file: String,
    pub options: CheckOptions,
}

/// Everything that is to be checked: each file once with the same directories and macros.
pub fn jobs(options: &CheckOptions) -> Result<Vec<Job>, Refused> {
    let mut jobs = Vec::new();
    for file in &options.files {
        for file in expanded(file)? {
            jobs.push(Job { file, options: options.clone() });
        }
    }
    if let Some(path) = &options.compile_commands {
        jobs.extend(compiled(path, options)?);
    }
    if jobs.is_empty() {
        return Err(Refused::new("there is no file to check; see `trifold check --help`"));
    }
    let mut seen = std::collections::BTreeSet::new();
    jobs.retain(|Job { file, options }| {
        seen.insert((file.clone(), options.source.define.clone(), options.source.include.clone()))
    });
    Ok(jobs)
}

/// An entry of a compilation database. Fields that are not used may be anything.
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
}

/// Options of compilers that make the text of a program another one, and that are not understood here.
const NOT_FOLLOWED: [&str; 4] = ["-U", "-include", "-imacros", "-idirafter"];

/// The C files of a compilation database, with the directories and macros of their commands. Files and flags that are
/// left out are told.
fn compiled(path: &Path, options: &CheckOptions) -> Result<Vec<Job>, Refused> {
    let wrong = |error: serde_json::Error| Refused::new(format!("{} cannot be read: {error}", path.display()));
    let entries: Vec<Entry> = serde_json::from_str(&source::text(&path.to_string_lossy())?).map_err(wrong)?;
    let here = std::env::current_dir().unwrap_or_default();
    let mut jobs = Vec::new();
    for entry in &entries {
        if ![".c", ".i"].iter().any(|ending| entry.file.ends_with(ending)) {
            eprintln!(
                "warning: {} of {} is no C file, and is not checked",
                printable_line(&entry.file),
                disk::name(path)
            );
            continue;
        }
        let within = |file: &str| {
            let file = Path::new(&entry.directory).join(file);
            file.strip_prefix(&here).unwrap_or(&file).to_string_lossy().into_owned()
        };
        let words = entry.words().unwrap_or_else(|| {
            eprintln!("warning: the command for {} has a quote without its end", printable_line(&entry.file));
            Vec::new()
        });
        let mut options = options.clone();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if let Some(flag) = NOT_FOLLOWED.iter().find(|flag| word.starts_with(**flag)) {
                eprintln!("warning: {flag} in the command for {} is not followed", printable_line(&entry.file));
            }
            for flag in ["-I", "-isystem", "-iquote", "-D"] {
                let Some(attached) = word.strip_prefix(flag) else { continue };
                let value = if attached.is_empty() { rest.next().cloned() } else { Some(attached.to_string()) };
                match value {
                    Some(value) if flag == "-D" => options.source.define.push(value),
                    Some(value) => options.source.include.push(within(&value)),
                    None => {}
                }
                break;
            }
        }
        jobs.push(Job { file: within(&entry.file), options });
    }
    Ok(jobs)
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
}

//! The configuration of a project. It has the options of the command line by their names, functions that allocate, and
//! rules that silence findings:
//!
//! ```toml
//! [check]
//! files = ["src/*.c"]
//! malloc-may-fail = true
//!
//! [allocators]
//! my_alloc = "malloc"
//!
//! [[module]]
//! name = "lists"
//! files = ["src/list.c", "src/node/*.c"]
//! define = ["NDEBUG"]
//!
//! [[suppress]]
//! kind = "leak"
//! path = "src/third_party/*"
//! reason = "not ours"
//! ```

use crate::suppress::Rule;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Functions that others can be declared to be like.
const ALLOCATORS: [&str; 4] = ["malloc", "calloc", "realloc", "free"];

/// The content of a configuration file.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    #[serde(default)]
    check: BTreeMap<String, toml::Value>,
    #[serde(default)]
    allocators: BTreeMap<String, String>,
    /// Files that are one program.
    #[serde(default, rename = "module")]
    pub modules: Vec<Module>,
    /// The rules that silence findings.
    #[serde(default)]
    pub suppress: Vec<Rule>,
}

/// Files that are one program, whatever else they could be.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Module {
    /// Its name in reports.
    pub name: String,
    /// Its files; wildcards stand for several.
    pub files: Vec<String>,
    /// Macros.
    #[serde(default)]
    pub define: Vec<String>,
    /// Directories of headers.
    #[serde(default)]
    pub include: Vec<String>,
}

impl Configuration {
    /// Reads the text of a file, or says where it is wrong.
    pub fn read(text: &str) -> Result<Configuration, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// The words of a command line with the same options, with its files if they are wanted.
    pub fn words(&self, with_files: bool) -> Result<Vec<String>, String> {
        let mut words = Vec::new();
        for (name, value) in &self.check {
            if name == "config" {
                return Err("a configuration cannot name another one".to_string());
            }
            if name != "files" || with_files {
                add_option(name, value, &mut words).map_err(|why| format!("{name} {why}"))?;
            }
        }
        for (name, like) in &self.allocators {
            if !ALLOCATORS.contains(&like.as_str()) {
                let known = ALLOCATORS.join(", ");
                return Err(format!("{name} cannot be like `{like}`, only like one of {known}"));
            }
            words.extend(["-D".to_string(), format!("{name}={like}")]);
        }
        Ok(words)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<String>, String> {
        Configuration::read(text).and_then(|configuration| configuration.words(true))
    }

    #[test]
    fn options_become_words() {
        let text = "[check]\ndefine = [\"A\", \"B=1\"]\nfiles = [\"a.c\"]\nquiet = true\nexplain = false\ntimeout = 2.5
            [allocators]\nmy_alloc = \"malloc\"";
        let expected = "-D A -D B=1 a.c --quiet --timeout 2.5 -D my_alloc=malloc";
        assert_eq!(words(text).map(|words| words.join(" ")), Ok(expected.to_string()));
        let without = Configuration::read(text).unwrap().words(false).unwrap();
        assert!(!without.contains(&"a.c".to_string()));
    }

    #[test]
    fn wrong_configurations_are_refused() {
        for (text, why) in [
            ("[check]\nconfig = \"a\"", "a configuration cannot name another one"),
            ("[check]\nentry = {}", "entry is neither text nor a number"),
            ("[allocators]\nf = \"g\"", "f cannot be like `g`, only like one of malloc"),
            ("[other]", "unknown field `other`"),
            ("[[suppress]]\nkind = \"leak\"", "missing field `reason`"),
            ("[[module]]\nname = \"a\"", "missing field `files`"),
        ] {
            let refused = words(text).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
    }
}

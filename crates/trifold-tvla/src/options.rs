//! The command line of TVLA: `PROGRAM [INPUT] [options]`, the options with one dash.

use crate::settings::Settings;
use trifold_tvp::{Files, ReadError};

/// The options that stand for a property: the word after them is its value, unless the value is given here.
const OPTIONS: [(&str, &str, Option<&str>); 29] = [
    ("-d", "tvla.debug", Some("true")),
    ("-action", "tvla.engine.actionOrder", None),
    ("-join", "tvla.joinType", None),
    ("-ms", "tvla.engine.maxStructures", None),
    ("-mm", "tvla.engine.maxMessages", None),
    ("-save", "tvla.cfg.saveLocations", None),
    ("-noautomatic", "tvla.generateAutomaticConstraints", Some("false")),
    ("-log", "tvla.log.logFileName", None),
    ("-tvs", "tvla.tvs.outputFile", None),
    ("-dot", "tvla.dot.outputFile", None),
    ("-terse", "tvla.terse", Some("true")),
    ("-nowarnings", "tvla.emitWarnings", Some("false")),
    ("-path", "tvla.parser.searchPath", None),
    ("-post", "tvla.cfg.postOrder", Some("true")),
    ("-backward", "tvla.cfg.backwardAnalysis", Some("true")),
    ("-rotate", "tvla.dot.rotate", Some("true")),
    ("-mode", "tvla.engine.type", None),
    ("-dump", "tvla.engine.dumpEvery", None),
    ("-xml", "tvla.xml.outputFile", None),
    ("-tr", "tvla.tr.enabled", Some("true")),
    ("-tr:tvs", "tvla.tr.tvs.outputFile", None),
    ("-tr:dot", "tvla.tr.dot.outputFile", None),
    ("-td", "tvla.td.enabled", Some("true")),
    ("-td.dot", "tvla.td.dot", None),
    ("-td.summarizationOff", "tvla.td.summarizationOff", Some("true")),
    ("-td.verbose", "tvla.td.verbose", Some("true")),
    ("-significant", "trifold.significantNames", Some("true")),
    ("--format", "trifold.format", None),
    ("--threads", "trifold.threads", None),
];

/// A run as TVLA's command line describes it.
#[derive(Debug)]
pub struct Invocation {
    /// The program, without its extension.
    pub program: String,
    /// The file of the structures.
    pub input: String,
    /// The properties of all layers.
    pub settings: Settings,
}

impl Invocation {
    /// Reads the words, the properties file beside the program, and those that `-props` names.
    pub fn read(words: &[String], disk: &dyn Files) -> Result<Invocation, String> {
        let mut operands = Vec::new();
        let mut given = Vec::new();
        let mut files = Vec::new();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let known = OPTIONS.iter().find(|(name, _, _)| *name == word);
            match (word, known) {
                ("-props", _) => files.push(value(word, words.next())?),
                (_, Some((_, key, Some(fixed)))) => given.push((*key, *fixed)),
                (_, Some((_, key, None))) => given.push((*key, value(word, words.next())?)),
                _ if word.len() > 2 && word.starts_with("-D") => given.push(("tvla.parser.externalMacros", &word[2..])),
                _ if word.starts_with('-') => return Err(unknown(word)),
                _ => operands.push(word),
            }
        }
        let (program, input) = match operands[..] {
            [program] => (stem(program), stem(program)),
            [program, input] => (stem(program), stem(input)),
            _ => return Err("trifold tvla needs a program, and takes one file of structures".to_string()),
        };
        let mut settings = Settings::of_tvla();
        if let Some(text) = read_properties(&format!("{program}.properties"), disk)? {
            settings.set_all(&text);
        }
        for file in files {
            let text = read_properties(file, disk)?.ok_or_else(|| format!("there is no file {file}"))?;
            settings.set_all(&text);
        }
        given.iter().for_each(|(key, value)| settings.set(key, value));
        Ok(Invocation { program: program.to_string(), input: format!("{input}.tvs"), settings })
    }
}

fn value<'w>(option: &str, word: Option<&'w str>) -> Result<&'w str, String> {
    word.ok_or_else(|| format!("{option} needs a value"))
}

/// The name without `.tvp` or `.tvs`.
fn stem(name: &str) -> &str {
    name.strip_suffix(".tvp").or_else(|| name.strip_suffix(".tvs")).unwrap_or(name)
}

fn unknown(word: &str) -> String {
    let known: Vec<&str> = OPTIONS.iter().map(|(name, _, _)| *name).chain(["-props", "-DNAME"]).collect();
    format!("unknown option {word}; the options of trifold tvla are {}", known.join(", "))
}

/// The text of a properties file, if it exists.
pub fn read_properties(path: &str, disk: &dyn Files) -> Result<Option<String>, String> {
    match disk.read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(ReadError::NotFound) => Ok(None),
        Err(ReadError::Unreadable(why)) => Err(format!("cannot read {path}: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NoFiles;

    impl Files for NoFiles {
        fn read(&self, _: &str) -> Result<Vec<u8>, ReadError> {
            Err(ReadError::NotFound)
        }
    }

    fn read(line: &str) -> Result<Invocation, String> {
        Invocation::read(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>(), &NoFiles)
    }

    #[test]
    fn names_and_options_in_any_order() {
        let run = read("-join rel lists/reverse.tvp -DA sll -post -DB(1)").unwrap();
        assert_eq!((run.program.as_str(), run.input.as_str()), ("lists/reverse", "sll.tvs"));
        let (arguments, warnings) = run.settings.arguments();
        assert_eq!(
            arguments.join(" "),
            "--traversal=post-order --save=all --order=fcpucb --join=relational -DA -DB(1)"
        );
        assert!(warnings.is_empty());
    }

    #[test]
    fn the_input_has_the_name_of_the_program_unless_given() {
        assert_eq!(read("merge").unwrap().input, "merge.tvs");
    }

    #[test]
    fn what_is_not_known_is_refused() {
        assert!(read("merge -xyz").unwrap_err().contains("-noautomatic"));
        assert!(read("merge -ms").unwrap_err().contains("needs a value"));
        assert!(read("").is_err());
    }
}

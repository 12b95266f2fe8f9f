//! Properties, and the options of `trifold analyze` that mean the same.
//!
//! Every option of the command line that TVLA has is also a property there, so properties are the common form of both.

use std::collections::BTreeMap;

/// The meaning of a property here.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Meaning {
    /// These arguments of `trifold analyze`.
    Arguments(Vec<String>),
    /// Nothing has to be done for it.
    Nothing,
    /// It cannot be respected, for this reason.
    Without(&'static str),
}

/// The properties set so far.
#[derive(Clone, Default, Debug)]
pub struct Settings(BTreeMap<String, String>);

impl Settings {
    /// The settings that TVLA 3 is shipped with, as far as they differ from Trifold's own.
    pub fn of_tvla() -> Settings {
        let mut settings = Settings::default();
        settings.set("tvla.joinType", "part");
        settings.set("tvla.engine.actionOrder", "fcpucb");
        settings.set("tvla.cfg.saveLocations", "all");
        settings
    }

    /// Sets a property. Macros accumulate.
    pub fn set(&mut self, key: &str, value: &str) {
        let known = self.0.entry(key.to_string()).or_default();
        match key {
            MACROS if !known.is_empty() => *known = format!("{known} {value}"),
            _ => *known = value.to_string(),
        }
    }

    /// Sets all properties of the text of a properties file.
    pub fn set_all(&mut self, text: &str) {
        crate::properties::parse(text).iter().for_each(|(key, value)| self.set(key, value));
    }

    /// The value of a property, if it is set.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str).filter(|value| !value.is_empty() && *value != "null")
    }

    /// Is a switch that is on by default not switched off?
    pub fn is_on(&self, key: &str) -> bool {
        self.get(key) != Some("false")
    }

    /// The arguments of `trifold analyze`, and warnings about settings that cannot be respected.
    pub fn arguments(&self) -> (Vec<String>, Vec<String>) {
        let (mut arguments, mut warnings) = (Vec::new(), Vec::new());
        for (key, value) in &self.0 {
            match meaning(key, value) {
                Meaning::Arguments(words) => arguments.extend(words),
                Meaning::Nothing => {}
                Meaning::Without(why) => {
                    warnings.push(format!("the property {key} = {value} has no effect: {why}"));
                }
            }
        }
        (arguments, warnings)
    }
}

const MACROS: &str = "tvla.parser.externalMacros";

fn meaning(key: &str, value: &str) -> Meaning {
    match key {
        "tvla.joinType" => join(value),
        "tvla.engine.actionOrder" => option("--order", value),
        "tvla.cfg.saveLocations" => choice("--save", value, &[("all", "all"), ("ext", "merge"), ("back", "back")]),
        "tvla.cfg.postOrder" => option("--traversal", if value == "true" { "post-order" } else { "weak-topological" }),
        "tvla.cfg.backwardAnalysis" => flag("--backward", value == "true"),
        "tvla.engine.maxStructures" => limit("--max-structures", value, 0),
        // The run stops when there are more messages than that.
        "tvla.engine.maxMessages" => limit("--max-messages", value, 1),
        "tvla.generateAutomaticConstraints" => flag("--no-automatic-constraints", value == "false"),
        "tvla.differencing.difference" => flag("--no-derived-updates", value == "false"),
        "tvla.debug" => flag("--debug", value == "true"),
        "tvla.terse" => flag("--quiet", value == "true"),
        "tvla.emitWarnings" => flag("--quiet", value == "false"),
        "tvla.dot.rotate" => flag("--rotate", value == "true"),
        "tvla.log.logFileName" => optional("--log", value),
        "trifold.significantNames" => flag("--significant-names", value == "true"),
        "trifold.format" => option("--format", value),
        "trifold.threads" => option("--threads", value),
        MACROS => each("-D", value.split_whitespace()),
        "tvla.parser.searchPath" => each("-I", value.split(';').map(str::trim).filter(|path| !path.is_empty())),
        _ => without_option(key, value),
    }
}

/// Properties for which there is no option.
fn without_option(key: &str, value: &str) -> Meaning {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| key.starts_with(prefix));
    match key {
        "tvla.engine.breakIfCoerceAfterUpdateFailed" | "tvla.printExceptionStackTrace" => Meaning::Nothing,
        "tvla.engine.dumpEvery" if value == "-1" => Meaning::Nothing,
        "tvla.blur.threeWay" if value == "true" => Meaning::Nothing,
        "tvla.blur.threeWay" => Meaning::Without("blur does not take 1/2 for 0"),
        "tvla.implementation" if value == "base" => Meaning::Nothing,
        "tvla.implementation" => Meaning::Without("there is one implementation"),
        "tvla.engine.dumpEvery" => {
            Meaning::Without("trifold analyze --dump N --output DIR writes what is found so far")
        }
        // TVLA itself takes its classic engine for every .tvp file, for all settings.
        "tvla.engine.type" if matches!(value, "tvla" | "tvp") => Meaning::Nothing,
        "tvla.engine.type" | "tvla.engine.autoResolveType" => Meaning::Without("there is one engine"),
        "tvla.focus.coerceDuringFocus" | "tvla.focus.filterDuringFocus" => {
            Meaning::Without("focus makes no impossible cases to be filtered")
        }
        _ if matches!(value, "" | "null" | "false") && starts(&["tvla.td.", "tvla.tr.", "tvla.xml."]) => {
            Meaning::Nothing
        }
        _ if starts(&["tvla.td."]) => Meaning::Without("termination is not analysed"),
        _ if starts(&["tvla.tr."]) => Meaning::Without("no transition relation is written"),
        _ if starts(&["tvla.xml."]) => Meaning::Without("--format json is what programs can read"),
        _ if value.is_empty() || value == "null" => Meaning::Nothing,
        _ if starts(&["tvla.tvs.", "tvla.dot.", "tvla.log.", "tvla.output."]) => Meaning::Nothing,
        _ if starts(&["tvla.decompose.", "tvla.framer."]) => Meaning::Without("heaps are analysed as a whole"),
        _ if starts(&["tvla.differencing."]) => Meaning::Without("updates are derived in one way"),
        _ if key.starts_with("tvla.") => Meaning::Without("there is nothing like it here"),
        _ => Meaning::Without("it is not known"),
    }
}

fn join(value: &str) -> Meaning {
    let known = [("rel", "relational"), ("part", "partial"), ("part_embedding", "partial"), ("j3", "partial")];
    choice("--join", value, &[&known[..], &[("ind", "single"), ("conc", "concrete")]].concat())
}

fn option(name: &str, value: &str) -> Meaning {
    Meaning::Arguments(vec![format!("{name}={value}")])
}

fn optional(name: &str, value: &str) -> Meaning {
    if value.is_empty() || value == "null" { Meaning::Nothing } else { option(name, value) }
}

/// A value by another name. An unknown one is passed on, so that the option itself refuses it.
fn choice(name: &str, value: &str, names: &[(&str, &str)]) -> Meaning {
    let ours = names.iter().find(|(theirs, _)| *theirs == value).map_or(value, |(_, ours)| ours);
    option(name, ours)
}

fn flag(name: &str, on: bool) -> Meaning {
    if on { Meaning::Arguments(vec![name.to_string()]) } else { Meaning::Nothing }
}

/// A negative number is no limit.
fn limit(name: &str, value: &str, more: i64) -> Meaning {
    match value.parse::<i64>() {
        Ok(negative) if negative < 0 => Meaning::Nothing,
        Ok(number) => option(name, &number.saturating_add(more).to_string()),
        Err(_) => option(name, value),
    }
}

fn each<'v>(name: &str, values: impl Iterator<Item = &'v str>) -> Meaning {
    Meaning::Arguments(values.map(|value| format!("{name}{value}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> (String, usize) {
        let mut settings = Settings::default();
        settings.set_all(text);
        let (arguments, warnings) = settings.arguments();
        (arguments.join(" "), warnings.len())
    }

    #[test]
    fn properties_become_options() {
        let cases = [
            ("tvla.joinType = ind", "--join=single"),
            ("tvla.joinType = rel\ntvla.joinType = conc", "--join=concrete"),
            ("tvla.cfg.saveLocations = ext", "--save=merge"),
            ("tvla.engine.maxStructures = -1", ""),
            ("tvla.engine.maxMessages = 4", "--max-messages=5"),
            ("tvla.parser.externalMacros = A B(2)", "-DA -DB(2)"),
            ("tvla.parser.searchPath = ;lib;../x", "-Ilib -I../x"),
            ("tvla.log.logFileName = null", ""),
            ("tvla.emitWarnings = false", "--quiet"),
        ];
        for (text, expected) in cases {
            assert_eq!(arguments(text), (expected.to_string(), 0), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_respected_is_said() {
        let with_words = ["tvla.decompose.allowUnknown = true", "tvla.implementation = bdd", "colour = red"];
        for text in with_words.into_iter().chain(["tvla.td.enabled = true", "tvla.engine.dumpEvery = 9"]) {
            assert_eq!(arguments(text), (String::new(), 1), "{text}");
        }
        for text in ["tvla.td.enabled = false", "tvla.engine.dumpEvery = -1", "tvla.xml.enabled = false"] {
            assert_eq!(arguments(text), (String::new(), 0), "{text}");
        }
    }
}

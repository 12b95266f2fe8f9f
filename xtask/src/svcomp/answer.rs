//! Answers of Trifold to tasks of SV-COMP, and how they compare with the truth. For example, a program of which only
//! the leaks are findings never reaches its error, so of `reach` the answer is *true*, and of `mem` it is *false* if a
//! run confirms one of them.

use crate::process::Finished;
use serde_json::Value;
use std::fmt;

/// What a task asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// Is the error function never called?
    Reach,
    /// Is memory used as it should be?
    Memory,
}

/// The part of memory safety that a program breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Deref,
    Free,
    Memtrack,
    /// The error function is called.
    Error,
}

/// The truth of a task: the property, and how it is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truth {
    property: Property,
    broken: Option<Part>,
}

/// All truths with their names.
const TRUTHS: [(&str, Property, Option<Part>); 6] = [
    ("reach:true", Property::Reach, None),
    ("reach:false", Property::Reach, Some(Part::Error)),
    ("mem:true", Property::Memory, None),
    ("mem:false-valid-deref", Property::Memory, Some(Part::Deref)),
    ("mem:false-valid-free", Property::Memory, Some(Part::Free)),
    ("mem:false-valid-memtrack", Property::Memory, Some(Part::Memtrack)),
];

impl Truth {
    pub fn named(name: &str) -> Option<Truth> {
        let known = TRUTHS.into_iter().find(|(known, ..)| *known == name);
        known.map(|(_, property, broken)| Truth { property, broken })
    }

    pub fn property(self) -> Property {
        self.property
    }

    /// The points of a correct answer.
    pub fn most(self) -> i64 {
        if self.broken.is_some() { 1 } else { 2 }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = TRUTHS.iter().find(|(_, property, broken)| (*property, *broken) == (self.property, self.broken));
        f.write_str(own.map_or("", |(name, ..)| name))
    }
}

/// The answer to a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    True,
    /// Broken in these ways, each shown by a run.
    False(Vec<Part>),
    /// Something may go wrong.
    Alarm,
    Unknown,
}

/// How an answer compares with the truth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    CorrectTrue,
    CorrectFalse,
    WrongTrue,
    WrongFalse,
    /// It is broken, but in another way.
    OtherPart,
    Alarm,
    Unknown,
}

impl Outcome {
    pub const ALL: [Outcome; 7] = [
        Outcome::CorrectTrue,
        Outcome::CorrectFalse,
        Outcome::WrongTrue,
        Outcome::WrongFalse,
        Outcome::OtherPart,
        Outcome::Alarm,
        Outcome::Unknown,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Outcome::CorrectTrue => "true",
            Outcome::CorrectFalse => "false",
            Outcome::WrongTrue => "WRONG-true",
            Outcome::WrongFalse => "WRONG-false",
            Outcome::OtherPart => "other-part",
            Outcome::Alarm => "may-fail",
            Outcome::Unknown => "unknown",
        }
    }

    pub fn points(self) -> i64 {
        match self {
            Outcome::CorrectTrue => 2,
            Outcome::CorrectFalse => 1,
            Outcome::WrongTrue => -32,
            Outcome::WrongFalse => -16,
            Outcome::OtherPart | Outcome::Alarm | Outcome::Unknown => 0,
        }
    }

    pub fn is_wrong(self) -> bool {
        self.points() < 0
    }
}

/// Compares an answer with the truth.
pub fn judge(answer: &Answer, truth: Truth) -> Outcome {
    match (answer, truth.broken) {
        (Answer::True, None) => Outcome::CorrectTrue,
        (Answer::True, Some(_)) => Outcome::WrongTrue,
        (Answer::False(_), None) => Outcome::WrongFalse,
        (Answer::False(parts), Some(part)) if parts.contains(&part) => Outcome::CorrectFalse,
        (Answer::False(_), Some(_)) => Outcome::OtherPart,
        (Answer::Alarm, _) => Outcome::Alarm,
        (Answer::Unknown, _) => Outcome::Unknown,
    }
}

/// The answer that a report is, and why it is not a better one.
pub fn understand(finished: &Finished, property: Property) -> (Answer, String) {
    let parsed = serde_json::from_str::<Value>(&finished.output).unwrap_or(Value::Null);
    let report = if parsed.is_array() { &parsed[0] } else { &parsed };
    if report.is_null() {
        let why = match finished.status {
            None => "no answer in time",
            Some(_) => finished.errors.lines().find(|line| line.starts_with("error")).unwrap_or("no report"),
        };
        return (Answer::Unknown, why.to_string());
    }
    let functions = report["functions"].as_array().into_iter().flatten();
    let in_functions = functions.flat_map(|function| function["findings"].as_array().into_iter().flatten());
    let findings: Vec<&Value> = in_functions.chain(report["elsewhere"].as_array().into_iter().flatten()).collect();
    let broken = |finding: &&&Value| finding["kind"].as_str().and_then(part).filter(|part| part.concerns(property));
    let bugs = findings.iter().filter(|finding| finding["verdict"] == "bug");
    let parts: Vec<Part> = bugs.filter_map(|finding| broken(&finding)).collect();
    let shown = |finding: &Value| {
        let text = |name: &str| finding[name].as_str().unwrap_or("").to_string();
        format!("line {}: {}", finding["line"], text("message"))
    };
    let unseen = |finding: &&&Value| matches!(finding["kind"].as_str(), Some("not-analysed" | "cutpoint"));
    let may = findings.iter().find(|finding| broken(finding).is_some());
    // What ends a run for another reason hides how it would go on.
    let hides = |finding: &&&Value| {
        finding["kind"].as_str().and_then(part).is_some_and(|part| !part.concerns(property) && part == Part::Deref)
    };
    match (parts.is_empty(), findings.iter().find(unseen), may) {
        (false, ..) => (Answer::False(parts), String::new()),
        (_, Some(gap), _) => (Answer::Unknown, shown(gap)),
        (.., Some(alarm)) => (Answer::Alarm, shown(alarm)),
        _ if report["stop"].is_string() => (Answer::Unknown, report["stop"].as_str().unwrap_or("").to_string()),
        _ => match findings.iter().find(hides) {
            Some(other) => (Answer::Unknown, shown(other)),
            None if matches!(report["verdict"].as_str(), Some("proved" | "bug" | "may-fail")) => {
                (Answer::True, String::new())
            }
            None => (Answer::Unknown, "not reached".to_string()),
        },
    }
}

impl Part {
    fn concerns(self, property: Property) -> bool {
        (self == Part::Error) == (property == Property::Reach)
    }
}

/// The part of the property that a kind of finding breaks.
fn part(kind: &str) -> Option<Part> {
    match kind {
        "null-dereference"
        | "use-after-free"
        | "uninitialised-pointer"
        | "dangling-stack-pointer"
        | "invalid-dereference" => Some(Part::Deref),
        "double-free" | "invalid-free" => Some(Part::Free),
        "leak" => Some(Part::Memtrack),
        "assertion" => Some(Part::Error),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(verdict: &str, findings: &[(&str, &str)], property: Property) -> Answer {
        let finding = |(kind, verdict): &(&str, &str)| {
            format!(r#"{{"kind": "{kind}", "verdict": "{verdict}", "line": 3, "message": "m"}}"#)
        };
        let findings: Vec<String> = findings.iter().map(finding).collect();
        let findings = findings.join(",");
        let output = format!(
            r#"{{"verdict": "{verdict}", "stop": null, "elsewhere": [], "functions": [{{"findings": [{findings}]}}]}}"#
        );
        let errors = String::new();
        understand(&Finished { status: Some(1), output, errors, seconds: 0.0, memory_mb: None, cpu: None }, property).0
    }

    #[test]
    fn answers_are_about_the_property() {
        use Property::{Memory, Reach};
        assert_eq!(answer("proved", &[], Reach), Answer::True);
        assert_eq!(answer("bug", &[("leak", "bug")], Memory), Answer::False(vec![Part::Memtrack]));
        assert_eq!(answer("bug", &[("leak", "bug")], Reach), Answer::True);
        assert_eq!(answer("may-fail", &[("leak", "may-fail")], Memory), Answer::Alarm);
        assert_eq!(answer("bug", &[("null-dereference", "bug")], Reach), Answer::Unknown);
        assert_eq!(answer("bug", &[("assertion", "bug"), ("not-analysed", "may-fail")], Memory), Answer::Unknown);
        assert_eq!(answer("not-analysed", &[], Memory), Answer::Unknown);
    }

    #[test]
    fn scores() {
        let truth = |name: &str| Truth::named(name).unwrap();
        assert_eq!(judge(&Answer::True, truth("mem:true")).points(), 2);
        assert_eq!(judge(&Answer::True, truth("reach:false")).points(), -32);
        assert_eq!(judge(&Answer::False(vec![Part::Free]), truth("mem:false-valid-deref")), Outcome::OtherPart);
        assert_eq!(judge(&Answer::False(vec![Part::Free]), truth("mem:true")).points(), -16);
        assert_eq!(truth("mem:false-valid-free").to_string(), "mem:false-valid-free");
    }
}

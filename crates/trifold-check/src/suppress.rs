//! Findings that do not count: silenced by a comment on their line, by the configuration of the project, or known from
//! a baseline. For example, `free(p); // trifold: ignore double-free` silences that kind on that line.
//!
//! # Soundness
//! A finding that does not count is still found: the verdict of a file with such findings stays as it was, never
//! `proved`. Only the exit status and the output depend on them.

use crate::budget::Host;
use crate::json::pretty;
use crate::pattern::Pattern;
use crate::report::{Report, Reported, Suppressed};
use crate::source::Translated;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of baseline files.
const VERSION: u32 = 1;

/// The words before the kinds that a comment silences.
const COMMENT: &str = "trifold: ignore";

/// A rule of the configuration that silences findings. A part that it leaves out may be anything.
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

impl Rule {
    /// Does it silence a finding in a function?
    fn silences(&self, function: &str, finding: &Reported) -> bool {
        let fits = |wanted: &Option<Pattern>, text: &str| wanted.as_ref().is_none_or(|pattern| pattern.fits(text));
        fits(&self.kind, finding.kind.name()) && fits(&self.path, &finding.path) && fits(&self.function, function)
    }
}

/// A file of findings that were there before.
#[derive(Serialize, Deserialize)]
struct Baseline {
    version: u32,
    findings: Vec<Known>,
}

/// One of them. Only its identity matters; the rest is for people.
#[derive(Serialize, Deserialize)]
struct Known {
    id: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    message: String,
}

/// The identities in the text of a baseline file, or the error in it.
pub fn read_baseline(text: &str) -> Result<BTreeSet<String>, String> {
    let baseline: Baseline = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if baseline.version != VERSION {
        return Err(format!("its version is {}, not {VERSION}", baseline.version));
    }
    Ok(baseline.findings.into_iter().map(|known| known.id).collect())
}

/// The text of a baseline file with the findings that count now, so that they do not count from now on.
pub fn baseline<'r>(reports: impl Iterator<Item = &'r Report>) -> String {
    let counts = |finding: &&Reported| matches!(finding.suppressed, None | Some(Suppressed::Baseline));
    let mut findings: Vec<Known> = reports
        .flat_map(Report::findings)
        .map(|(_, finding)| finding)
        .filter(counts)
        .map(|finding| Known {
            id: finding.id.clone(),
            kind: finding.kind.name().to_string(),
            path: finding.path.clone(),
            message: finding.message.clone(),
        })
        .collect();
    findings.sort_by(|a, b| (&a.path, &a.id).cmp(&(&b.path, &b.id)));
    findings.dedup_by(|a, b| a.id == b.id);
    pretty(&Baseline { version: VERSION, findings })
}

/// Marks the findings of a report that do not count.
pub fn mark(
    report: &mut Report,
    rules: &[Rule],
    baseline: &BTreeSet<String>,
    translated: &Translated,
    host: &dyn Host,
) {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for function in &mut report.functions {
        for finding in &mut function.findings {
            let text = texts
                .entry(finding.path.clone())
                .or_insert_with(|| translated.written(&finding.path, host).unwrap_or_default());
            let line = text.lines().nth(finding.line.saturating_sub(1)).unwrap_or_default();
            finding.suppressed = match () {
                _ if silences(line, finding.kind.name()) => Some(Suppressed::Comment),
                _ if rules.iter().any(|rule| rule.silences(&function.name, finding)) => Some(Suppressed::Configuration),
                _ if baseline.contains(&finding.id) => Some(Suppressed::Baseline),
                _ => None,
            };
        }
    }
}

/// Does a line have a comment that silences a kind? The kind must be named, so that something else on the line is still
/// reported.
fn silences(line: &str, kind: &str) -> bool {
    let Some(comment) = line.find("//").into_iter().chain(line.find("/*")).min() else { return false };
    let Some((_, named)) = line[comment..].split_once(COMMENT) else { return false };
    let named = named.split("*/").next().unwrap_or_default();
    // The words after a colon or a dash of its own are the reason.
    let words = named.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.take_while(|word| !matches!(*word, ":" | "-" | "–")).any(|word| word == kind)
}

#[cfg(test)]
mod tests {
    use super::silences;

    #[test]
    fn comments_name_what_they_silence() {
        assert!(silences("free(p); // trifold: ignore double-free", "double-free"));
        assert!(silences("free(p); /* trifold: ignore leak, double-free - see above */ f();", "double-free"));
        assert!(!silences("free(p); // trifold: ignore leak - not a double-free", "double-free"));
        assert!(!silences("free(p); // trifold: ignore leak", "double-free"));
        assert!(!silences("free(p); // trifold: ignore", "double-free"));
        assert!(!silences("puts(\"trifold: ignore double-free\");", "double-free"));
        assert!(!silences("free(p); /* trifold: ignore leak */ f(); // double-free", "double-free"));
    }
}

//! Findings that do not count: silenced by a comment on their line, by the configuration of the project, or known from a baseline.
//!
//! # Soundness
//! What does not count is still found: the verdict of a file with such findings is what it was, never `proved`. Only the exit status and what is
//! shown depend on them.

use super::pattern::Pattern;
use super::report::{FileReport, Finding};
use crate::report::json;
use crate::{Refused, disk, source};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The version of baseline files.
const VERSION: u32 = 1;

/// What stands before the kinds that a comment silences.
const COMMENT: &str = "trifold: ignore";

/// Why a finding does not count.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Suppressed {
    /// A comment on its line says so.
    Comment,
    /// A rule of the configuration says so.
    Configuration,
    /// It was there before.
    Baseline,
}

/// A rule of the configuration. What it leaves out may be anything.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    kind: Option<Pattern>,
    path: Option<Pattern>,
    function: Option<Pattern>,
    /// Why: a rule that nobody can explain is one that nobody dares to delete.
    #[allow(dead_code, reason = "it is for people, and must be there")]
    reason: String,
}

impl Rule {
    fn is_about(&self, function: &str, finding: &Finding) -> bool {
        let fits = |wanted: &Option<Pattern>, text: &str| wanted.as_ref().is_none_or(|pattern| pattern.fits(text));
        fits(&self.kind, finding.kind) && fits(&self.path, &finding.path) && fits(&self.function, function)
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

/// The identities of a baseline file.
pub fn read_baseline(path: &Path) -> Result<BTreeSet<String>, Refused> {
    let text = source::text(&path.to_string_lossy())?;
    let wrong = |why: String| Refused::new(format!("{} is no baseline: {why}", path.display()));
    let baseline: Baseline = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if baseline.version != VERSION {
        return Err(wrong(format!("its version is {}, not {VERSION}", baseline.version)));
    }
    Ok(baseline.findings.into_iter().map(|known| known.id).collect())
}

/// Writes what counts now, so that it does not count from now on.
pub fn write_baseline(reports: &[FileReport], path: &Path, force: bool) -> Result<(), Refused> {
    let counts = |finding: &&Finding| matches!(finding.suppressed, None | Some(Suppressed::Baseline));
    let mut findings: Vec<Known> = reports
        .iter()
        .flat_map(FileReport::findings)
        .map(|(_, finding)| finding)
        .filter(counts)
        .map(|finding| Known {
            id: finding.id.clone(),
            kind: finding.kind.to_string(),
            path: finding.path.clone(),
            message: finding.message.clone(),
        })
        .collect();
    findings.sort_by(|a, b| (&a.path, &a.id).cmp(&(&b.path, &b.id)));
    findings.dedup_by(|a, b| a.id == b.id);
    disk::write(path, json(&Baseline { version: VERSION, findings }), force)
}

/// Marks the findings of a report that do not count.
pub fn mark(report: &mut FileReport, rules: &[Rule], baseline: &BTreeSet<String>) {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for function in &mut report.functions {
        for finding in &mut function.findings {
            let text =
                texts.entry(finding.path.clone()).or_insert_with(|| source::text(&finding.path).unwrap_or_default());
            let line = text.lines().nth(finding.line.saturating_sub(1)).unwrap_or_default();
            finding.suppressed = match () {
                _ if silences(line, finding.kind) => Some(Suppressed::Comment),
                _ if rules.iter().any(|rule| rule.is_about(&function.name, finding)) => Some(Suppressed::Configuration),
                _ if baseline.contains(&finding.id) => Some(Suppressed::Baseline),
                _ => None,
            };
        }
    }
}

/// Does a line have a comment that silences a kind? The kind must be named, so that something else on the line is still reported.
fn silences(line: &str, kind: &str) -> bool {
    let Some(comment) = line.find("//").into_iter().chain(line.find("/*")).min() else { return false };
    let Some((_, named)) = line[comment..].split_once(COMMENT) else { return false };
    let named = named.split("*/").next().unwrap_or_default();
    // What stands behind a colon or a dash of its own is the reason.
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

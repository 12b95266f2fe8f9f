//! Reports as JUnit XML: a suite per file, a case per function. For example, a function that may fail is a `<testcase>`
//! with a `<failure>`.

use crate::report::{FunctionReport, Report, Reported};
use std::fmt::Write;
use trifold_ir::Verdict;
use trifold_report::escape_xml as escape;

/// The document of one run of Trifold.
pub fn document<'r>(reports: impl Iterator<Item = &'r Report>) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"trifold\">\n");
    for report in reports {
        let count = |verdicts: &[Verdict]| report.functions.iter().filter(|f| verdicts.contains(&standing(f))).count();
        let _ = writeln!(
            text,
            r#"  <testsuite name="{}" tests="{}" failures="{}" skipped="{}" time="{:.3}">"#,
            escape(&report.name),
            report.functions.len(),
            count(&[Verdict::Bug, Verdict::MayFail]),
            count(&[Verdict::NotAnalysed, Verdict::NotReached]),
            report.time.as_secs_f64()
        );
        report.functions.iter().for_each(|function| text += &case(report, function));
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// A function of which nothing counts is neither proved nor a failure.
fn standing(function: &FunctionReport) -> Verdict {
    let is_open = |finding: &Reported| finding.suppressed.is_none();
    match function.findings.is_empty() || function.findings.iter().any(is_open) {
        true => function.verdict,
        false => Verdict::NotAnalysed,
    }
}

fn case(report: &Report, function: &FunctionReport) -> String {
    let (name, file) = (escape(&function.name), escape(&report.name));
    let mut text = format!("    <testcase name=\"{name}\" classname=\"{file}\">\n");
    let element = match standing(function) {
        Verdict::Proved | Verdict::Needs => None,
        Verdict::NotAnalysed | Verdict::NotReached => Some("skipped"),
        Verdict::MayFail | Verdict::Bug => Some("failure"),
    };
    if let Some(element) = element {
        // A case has one failure; all findings stand in its text.
        let lines: Vec<String> = function.findings.iter().map(|finding| escape(&line(finding))).collect();
        let unknown = match function.verdict {
            Verdict::NotReached => "no analysed state comes to it",
            _ => "not everything was analysed",
        };
        let message = lines.first().map_or(unknown, String::as_str);
        let _ = writeln!(text, "      <{element} message=\"{message}\">{}</{element}>", lines.join("\n"));
    }
    text + "    </testcase>\n"
}

fn line(finding: &Reported) -> String {
    format!("{}:{}:{}: {}: {}", finding.path, finding.line, finding.column, finding.kind, finding.message)
}

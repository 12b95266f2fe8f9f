//! What a real run of a reproducer came to, read from its output: the report of a sanitizer, or an exception of Java.
//!
//! | kind of finding | C | Java |
//! | --- | --- | --- |
//! | null dereference | null pointer; SEGV near address 0 | `NullPointerException` |
//! | use after free | heap-use-after-free | |
//! | double free | double-free | |
//! | invalid free | free of memory that was not allocated | |
//! | leak | leak sanitizer | |
//! | uninitialised pointer | SEGV, a misaligned address: such memory is filled with a pattern | |
//! | dangling stack pointer | stack-use-after-return, stack-use-after-scope | |
//! | invalid dereference | any access outside of objects | `ArrayIndexOutOfBoundsException` … |
//! | assertion | a failed assertion; while a checker is evaluated, any error | `AssertionError` |

use crate::options::Language;
use trifold_ir::FindingKind;

/// The output of a real run.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The exit status, if it ended by itself.
    pub status: Option<i32>,
    /// Was it ended because it took too long?
    pub timed_out: bool,
    /// What it printed to standard error.
    pub errors: &'a str,
}

/// What a real run came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The failure, as it was expected.
    Confirmed(Failure),
    /// Another failure.
    Differs(Failure),
    /// No failure, for this reason.
    NotConfirmed(String),
}

/// A failure of a real run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Who says so.
    pub by: &'static str,
    /// In their words.
    pub what: String,
    /// The place that they name, such as `list.c:12`.
    pub place: Option<String>,
    /// The function of the program in which it happens, if they name it.
    pub function: Option<String>,
}

/// What a run was to show.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The kind of failure.
    pub kind: FindingKind,
    /// The language, which says who judges.
    pub language: Language,
    /// The file of the program.
    pub path: &'a str,
    /// The functions that define shapes of memory: where one of them fails, so does the assertion that calls it.
    pub checkers: &'a [String],
    /// Does an assertion not hold only because memory is shared?
    pub is_shared: bool,
}

impl Judgement {
    /// The name in reports for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Judgement::Confirmed(_) => "confirmed",
            Judgement::Differs(_) => "differs",
            Judgement::NotConfirmed(_) => "not-confirmed",
        }
    }

    /// In words.
    pub fn sentence(&self) -> String {
        match self {
            Judgement::Confirmed(failure) => format!("confirmed by {}", failure.sentence()),
            Judgement::Differs(failure) => format!("not confirmed, it fails otherwise: {}", failure.sentence()),
            Judgement::NotConfirmed(why) => format!("not confirmed: {why}"),
        }
    }
}

impl Failure {
    fn sentence(&self) -> String {
        let at = self.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        format!("{}: {}{at}", self.by, self.what)
    }
}

const ADDRESS: &str = "AddressSanitizer";
const LEAK: &str = "LeakSanitizer";
const UNDEFINED: &str = "UndefinedBehaviorSanitizer";
const ASSERT: &str = "assert";
const JAVA: &str = "the Java machine";

/// The status with which a driver ends that left its run.
const LEFT: i32 = 125;

/// Judges a run that was to show a failure.
pub fn judge(expected: &Expected<'_>, output: &Output<'_>) -> Judgement {
    let mut failures = match expected.language {
        Language::C => failures_in_c(output.errors, expected.path),
        Language::Java => failure_in_java(output.errors, expected.path).into_iter().collect(),
    };
    // Where something was lost before another failure, both are told.
    if let Some(failure) = failures.iter().find(|failure| fits(expected, failure)) {
        return Judgement::Confirmed(failure.clone());
    }
    match failures.is_empty() {
        false => Judgement::Differs(failures.swap_remove(0)),
        true => Judgement::NotConfirmed(no_failure(expected, output)),
    }
}

const SHARED: &str = "memory is shared that an assertion takes for separate, which the program does not see";

fn no_failure(expected: &Expected<'_>, output: &Output<'_>) -> String {
    let left = output.errors.lines().find_map(|line| line.strip_prefix("trifold: the run left the witness: "));
    match (output.timed_out, output.status, left) {
        (true, ..) => "the program is still running".to_string(),
        (_, Some(LEFT), left) => format!("the run left the witness: {}", left.unwrap_or("it is another one")),
        (_, Some(0), _) if expected.is_shared => SHARED.to_string(),
        (_, Some(0), _) => "the program ran to its end".to_string(),
        (_, Some(status), _) => format!("the program ended with status {status}"),
        (_, None, _) => "the program was ended by a signal".to_string(),
    }
}

fn failures_in_c(errors: &str, path: &str) -> Vec<Failure> {
    let failure = |(number, line): (usize, &str)| {
        let (function, place) = frame(errors.lines().skip(number + 1), path).unzip();
        let of =
            |by, what: &str, place| Some(Failure { by, what: what.to_string(), place, function: function.clone() });
        if let Some((place, what)) = line.split_once(": runtime error: ") {
            return of(UNDEFINED, what, Some(without_column(place)));
        }
        if let Some((_, what)) = line.split_once("ERROR: AddressSanitizer: ") {
            return of(ADDRESS, address_error(what), place);
        }
        if line.contains("ERROR: LeakSanitizer: detected memory leaks") {
            return of(LEAK, "memory leak", place.map(|place| format!("{place} (allocated there)")));
        }
        if line.contains(": Assertion `") || line.starts_with("trifold: Assertion failed") {
            return of(ASSERT, "assertion failed", assertion_place(line));
        }
        None
    };
    errors.lines().enumerate().filter_map(failure).collect()
}

/// The name of an error, without addresses.
fn address_error(what: &str) -> &str {
    let end =
        [" on address", " on unknown address", " in thread", " (pc "].iter().filter_map(|end| what.find(end)).min();
    match what {
        what if what.starts_with("attempting double-free") => "double-free",
        what if what.starts_with("attempting free on address") => "bad-free",
        what if what.starts_with("SEGV on unknown address") => segv(what),
        what => &what[..end.unwrap_or(what.len())],
    }
}

/// Is the address close to that of null?
fn segv(what: &str) -> &'static str {
    let address = what.split("0x").nth(1).map(|rest| rest.split(|c: char| !c.is_ascii_hexdigit()).next());
    let address = address.flatten().and_then(|digits| u64::from_str_radix(digits, 16).ok());
    // An address that no machine has is reported as unknown.
    if address.is_some_and(|address| address < 1 << 16) { "SEGV near address 0" } else { "SEGV" }
}

/// The function and the place of the first frame in the program, as in `#1 0x55 in f dir/list.c:12:3`.
fn frame<'e>(mut lines: impl Iterator<Item = &'e str>, path: &str) -> Option<(String, String)> {
    let file = format!("{}:", path.rsplit('/').next().unwrap_or(path));
    lines.find_map(|line| {
        let (_, called) = line.trim().strip_prefix('#')?.split_once(" in ")?;
        let (function, place) = called.split_once(' ')?;
        let is_own = place.rsplit('/').next()?.starts_with(&file);
        is_own.then(|| (function.to_string(), format!("{path}:{}", line_of(place))))
    })
}

fn line_of(place: &str) -> &str {
    let mut numbers = place.split(':').skip(1).filter(|part| part.chars().all(|c| c.is_ascii_digit()));
    numbers.next().unwrap_or("?")
}

fn without_column(place: &str) -> String {
    match place.rsplit_once(':') {
        Some((front, _)) if front.contains(':') => front.to_string(),
        _ => place.to_string(),
    }
}

/// The place in `program: dir/list.c:12: f: Assertion ...`.
fn assertion_place(line: &str) -> Option<String> {
    let mut parts = line.split(": ");
    let place = parts.find(|part| part.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok()));
    place.map(str::to_string)
}

fn failure_in_java(errors: &str, path: &str) -> Option<Failure> {
    let mut lines = errors.lines();
    let line = lines.find_map(|line| line.strip_prefix("Exception in thread \"main\" "))?;
    let what = line.split(':').next().unwrap_or(line).trim();
    let what = what.strip_prefix("java.lang.").unwrap_or(what).to_string();
    let file = path.rsplit('/').next().unwrap_or(path);
    let place = lines.find_map(|line| {
        let inside = line.trim().strip_prefix("at ")?.rsplit_once('(')?.1.trim_end_matches(')');
        inside.strip_prefix(file)?.strip_prefix(':').map(|line| format!("{path}:{line}"))
    });
    Some(Failure { by: JAVA, what, place, function: None })
}

/// Is a failure of the kind of a finding?
fn fits(expected: &Expected<'_>, failure: &Failure) -> bool {
    let Failure { by, what, function, .. } = failure;
    let is_in_checker = || function.as_ref().is_some_and(|function| expected.checkers.contains(function));
    let is_any = |all: &[&str]| all.iter().any(|one| what.starts_with(one));
    let is_null = *by == UNDEFINED && what.contains("null pointer");
    // What the driver does wrong itself shows nothing.
    if expected.language == Language::Java && failure.place.is_none() {
        return false;
    }
    match expected.kind {
        FindingKind::NullDereference => is_null || is_any(&["SEGV near address 0", "NullPointerException"]),
        FindingKind::UseAfterFree => is_any(&["heap-use-after-free"]),
        FindingKind::DoubleFree => is_any(&["double-free"]),
        FindingKind::InvalidFree => is_any(&["bad-free"]),
        FindingKind::Leak => *by == LEAK,
        FindingKind::UninitialisedPointer => is_any(&["SEGV", "bad-free"]) || what.contains("misaligned address"),
        FindingKind::DanglingStackPointer => is_any(&["stack-use-after-return", "stack-use-after-scope"]),
        FindingKind::InvalidDereference => *by == ADDRESS || *by == UNDEFINED || is_any(&OUTSIDE),
        FindingKind::Assertion => *by == ASSERT || is_any(&["AssertionError"]) || is_in_checker(),
        FindingKind::UncaughtException => is_any(&UNCAUGHT),
        FindingKind::Cutpoint | FindingKind::NotAnalysed => false,
    }
}

const OUTSIDE: [&str; 3] = ["ArrayIndexOutOfBoundsException", "ClassCastException", "NegativeArraySizeException"];

const UNCAUGHT: [&str; 6] = [
    "ArrayIndexOutOfBoundsException",
    "StringIndexOutOfBoundsException",
    "ClassCastException",
    "NegativeArraySizeException",
    "ArrayStoreException",
    "ArithmeticException",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(kind: FindingKind, errors: &str) -> String {
        judged_with(kind, errors, &[])
    }

    fn judged_with(kind: FindingKind, errors: &str, checkers: &[String]) -> String {
        let output = Output { status: Some(1), timed_out: false, errors };
        judge(&Expected { kind, language: Language::C, path: "dir/list.c", checkers, is_shared: false }, &output)
            .sentence()
    }

    #[test]
    fn a_checker_that_fails_does_not_hold() {
        let errors = "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7f (pc 0x5)\n\
            \x20   #0 0x55 in list /w/dir/list.c:5\n    #1 0x55 in list /w/dir/list.c:5\n";
        let is_confirmed = |checkers: &[String]| {
            judged_with(FindingKind::Assertion, errors, checkers).starts_with("confirmed by AddressSanitizer")
        };
        assert!(is_confirmed(&["list".to_string()]));
        assert!(!is_confirmed(&["tree".to_string()]));
    }

    #[test]
    fn reports_of_sanitizers_are_read() {
        let freed = "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x55 bp 0x7f sp 0x7f\n\
            READ of size 8 at 0x602 thread T0\n    #0 0x55 in f /w/dir/list.c:12\n    #1 0x55 in main /w/out/list-1.c:9\n";
        let expected = "AddressSanitizer: heap-use-after-free at dir/list.c:12";
        assert_eq!(judged(FindingKind::UseAfterFree, freed), format!("confirmed by {expected}"));
        assert_eq!(judged(FindingKind::DoubleFree, freed), format!("not confirmed, it fails otherwise: {expected}"));
        let null = "dir/list.c:7:12: runtime error: member access within null pointer of type 'struct node'\n";
        let by = "confirmed by UndefinedBehaviorSanitizer: member access within null pointer of type 'struct node'";
        assert_eq!(judged(FindingKind::NullDereference, null), format!("{by} at dir/list.c:7"));
        let failed = "list-1: dir/list.c:20: main: Assertion `x != y' failed.\n";
        assert_eq!(judged(FindingKind::Assertion, failed), "confirmed by assert: assertion failed at dir/list.c:20");
    }

    #[test]
    fn addresses_near_null_are_null() {
        let at = |address: &str| format!("==7==ERROR: AddressSanitizer: SEGV on unknown address {address} (pc 0x5)\n");
        assert!(judged(FindingKind::NullDereference, &at("0x000000000008")).starts_with("confirmed"));
        assert!(judged(FindingKind::NullDereference, &at("0x7ffff7000000")).starts_with("not confirmed"));
        assert!(judged(FindingKind::UninitialisedPointer, &at("0x7ffff7000000")).starts_with("confirmed"));
    }

    #[test]
    fn no_failure_has_a_reason() {
        let run = |status, timed_out, errors| {
            let output = Output { status, timed_out, errors };
            let kind = FindingKind::Leak;
            judge(&Expected { kind, language: Language::C, path: "list.c", checkers: &[], is_shared: false }, &output)
                .sentence()
        };
        assert_eq!(run(Some(0), false, ""), "not confirmed: the program ran to its end");
        assert_eq!(run(None, true, ""), "not confirmed: the program is still running");
        let left = "trifold: the run left the witness: it asks for more input\n";
        assert_eq!(run(Some(125), false, left), "not confirmed: the run left the witness: it asks for more input");
    }

    #[test]
    fn exceptions_of_java_are_read() {
        let errors = "Exception in thread \"main\" java.lang.NullPointerException: Cannot read field \"n\"\n\
            \tat List.last(List.java:30)\n\tat List.main(List.java:12)\n";
        let output = Output { status: Some(1), timed_out: false, errors };
        let (kind, language) = (FindingKind::NullDereference, Language::Java);
        let judgement =
            judge(&Expected { kind, language, path: "dir/List.java", checkers: &[], is_shared: false }, &output);
        let expected = "confirmed by the Java machine: NullPointerException at dir/List.java:30";
        assert_eq!(judgement.sentence(), expected);
    }
}

//! Programs of the machine that tests need: compilers, solvers, a browser.
//!
//! Tests install nothing. A test that needs a program which is not there says that it is skipped, past the test
//! harness, because that would swallow it; and it fails where everything must be tested, that is if the environment
//! variable `CI` is `true`. `.ci/run` installs all of these programs first.
//!
//! ```no_run
//! # fn a_test() {
//! if !trifold_examples::tools::require("javac") {
//!     return;
//! }
//! # }
//! ```

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The C compiler, looked for once, since starting it takes time.
static C_COMPILER: LazyLock<Option<String>> = LazyLock::new(|| {
    let compiler = std::env::var("CC").unwrap_or("cc".to_string());
    runs(&compiler).then_some(compiler)
});

/// Is the program there? If not, the test that asks is skipped, or fails.
pub fn require(program: &str) -> bool {
    first_of(&[program]).is_some()
}

/// The first of these programs that is there. If none is, the test that asks is skipped, or fails.
pub fn first_of<'n>(programs: &[&'n str]) -> Option<&'n str> {
    let found = programs.iter().copied().find(|program| runs(program));
    if found.is_none() {
        missing(&programs.join(" or "));
    }
    found
}

/// The C compiler: `cc`, or what the environment variable `CC` names. Without one, the test that asks is skipped, or
/// fails.
pub fn c_compiler() -> Option<&'static str> {
    if C_COMPILER.is_none() {
        missing("C compiler");
    }
    C_COMPILER.as_deref()
}

fn runs(program: &str) -> bool {
    let mut command = Command::new(program);
    let silent = command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    silent.status().is_ok_and(|status| status.success())
}

/// Says that this test is skipped because something is missing.
///
/// # Panics
/// Where everything must be tested.
fn missing(what: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "there is no {what} to test with");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = std::io::stderr().write_all(format!("\n*** SKIPPED {test}: there is no {what} ***\n").as_bytes());
}

//! The library runs in browsers: it builds for WebAssembly where that target is installed.

use std::path::Path;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

#[test]
fn the_library_builds_for_wasm() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let sysroot = Command::new(rustc).args(["--print", "sysroot"]).output().expect("rustc runs");
    let sysroot = String::from_utf8(sysroot.stdout).expect("a path");
    if !Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).is_dir() {
        eprintln!("skipped: the target {TARGET} is not installed");
        return;
    }
    // A directory of its own: the one of the test run is locked.
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--package", "trifold-check", "--target", TARGET, "--target-dir"])
        .arg(directory)
        .status()
        .expect("cargo runs");
    assert!(status.success());
}

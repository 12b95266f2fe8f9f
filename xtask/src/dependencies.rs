//! `cargo xtask dependencies`: no dependency needs a newer compiler than the one that Trifold promises to need.
//!
//! A compiler of that version would say so, but it is not on every machine. What a crate needs stands in its manifest.

use crate::{cargo, root};
use serde_json::Value;
use std::process::ExitCode;

/// Prints the dependencies that need a newer compiler.
pub fn run() -> ExitCode {
    match metadata().and_then(|metadata| newer(&metadata)) {
        Ok(newer) if newer.is_empty() => ExitCode::SUCCESS,
        Ok(newer) => {
            newer.iter().for_each(|line| println!("{line}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// All that Cargo knows of the packages of this workspace and of others.
fn metadata() -> Result<Value, String> {
    let output = cargo("metadata").args(["--format-version", "1"]).current_dir(root()).output();
    let output = output.map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The packages that need a newer compiler than those of this workspace.
fn newer(metadata: &Value) -> Result<Vec<String>, String> {
    let packages = metadata["packages"].as_array().ok_or("there are no packages")?;
    // Packages of this workspace come from no other place.
    let (ours, others): (Vec<&Value>, Vec<&Value>) = packages.iter().partition(|package| package["source"].is_null());
    let promised = ours.iter().map(|package| version(package)).min().flatten();
    let promised = promised.ok_or("not every crate of the workspace says which compiler it needs")?;
    let newer = others.iter().filter(|package| version(package).is_some_and(|needed| needed > promised));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let line = |package: &&Value| {
        let [name, version, needed] = ["name", "version", "rust_version"].map(|field| text(&package[field]));
        format!("{name} {version} needs the compiler {needed}")
    };
    Ok(newer.map(line).collect())
}

/// The compiler that a package needs; nothing if it does not say.
fn version(package: &Value) -> Option<Vec<u32>> {
    let mut parts: Vec<u32> =
        package["rust_version"].as_str()?.split('.').map_while(|part| part.parse().ok()).collect();
    parts.resize(3, 0);
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn newer_ones_are_named() {
        let package = |source: Option<&str>, needed: Option<&str>| json!({ "name": "p", "version": "1.2.3", "source": source, "rust_version": needed });
        let found = |others: &[Option<&str>]| {
            let others = others.iter().map(|needed| package(Some("registry"), *needed));
            let packages: Vec<Value> = others.chain([package(None, Some("1.9"))]).collect();
            newer(&json!({ "packages": packages })).unwrap()
        };
        assert!(found(&[None, Some("1.9.0"), Some("1.8.9")]).is_empty());
        assert_eq!(found(&[Some("1.10"), None]), ["p 1.2.3 needs the compiler 1.10"]);
        assert!(newer(&json!({ "packages": [package(None, None)] })).is_err());
    }
}

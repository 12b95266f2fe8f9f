//! Diagnostics as users see them: each file of `tests/diagnostics` has its rendered output beside it.

use std::path::PathBuf;
use trifold_source::render;

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

fn diagnostics(name: &str) -> String {
    let text = std::fs::read_to_string(directory().join(name)).unwrap();
    match trifold_c::load(name, &text) {
        Ok(loaded) => loaded.warnings.iter().map(|w| render(w, &loaded.sources, false) + "\n\n").collect(),
        Err(failure) => failure.render(false),
    }
}

#[test]
fn diagnostics_read_as_intended() {
    let names = std::fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".c")).collect();
    names.sort();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("diagnostics");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for name in names {
            let found = diagnostics(&name);
            assert!(!found.is_empty(), "{name} has no diagnostics");
            insta::assert_snapshot!(name.as_str(), found);
        }
    });
}

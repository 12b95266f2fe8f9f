//! Diagnostics as users see them: each file of `tests/diagnostics` has its rendered output beside it.

use std::path::PathBuf;
use std::sync::Arc;
use trifold_logic::{Predicate, Vocabulary};
use trifold_structure::Layout;
use trifold_tvp::{Files, Options, ReadError, load, read_structures, render};

struct Directory(PathBuf);

impl Files for Directory {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        std::fs::read(self.0.join(path)).map_err(|_| ReadError::NotFound)
    }
}

fn directory() -> Directory {
    Directory(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics"))
}

/// The diagnostics of a program, or of a file of structures.
fn diagnostics(name: &str) -> String {
    let options = Options::default();
    if name.ends_with(".tvs") {
        let vocabulary = lists();
        let layout = Arc::new(Layout::new(&vocabulary));
        return match read_structures(name, &directory(), &options, &vocabulary, &layout) {
            Ok(file) => file.warnings.iter().map(|w| render(w, &file.sources, false) + "\n").collect(),
            Err(failure) => failure.render(false),
        };
    }
    match load(name, &directory(), &options) {
        Ok(loaded) => loaded.warnings.iter().map(|w| render(w, &loaded.sources, false) + "\n").collect(),
        Err(failure) => failure.render(false),
    }
}

fn lists() -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for (name, arity) in [("b", 0), ("x", 1), ("y", 1), ("n", 2), ("is[n]", 1), ("r[n,x]", 1), ("r[n,y]", 1)] {
        vocabulary.declare(Predicate::core(name, arity));
    }
    vocabulary
}

#[test]
fn diagnostics_read_as_intended() {
    let mut names: Vec<String> = std::fs::read_dir(directory().0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".tvp") || name.ends_with(".tvs"))
        .collect();
    names.sort();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("diagnostics");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for name in names {
            insta::assert_snapshot!(name.as_str(), diagnostics(&name));
        }
    });
}

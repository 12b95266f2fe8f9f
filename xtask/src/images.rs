//! The pictures of the documents: every TVS file under `docs` with a line `// spec: program.tvp` is drawn beside
//! itself.

use crate::{cargo, root, sources};
use std::path::Path;
use std::process::ExitCode;

/// Draws all pictures with the `trifold` of this workspace.
pub fn run() -> ExitCode {
    let mut outcome = ExitCode::SUCCESS;
    for (structures, program) in sources(&root()) {
        let picture = Path::new(&structures).with_extension("svg");
        println!("{}", picture.display());
        let mut command = cargo("run");
        command.args(["--quiet", "--package", "trifold", "--", "draw", "--force"]);
        command.args([&structures, "--spec", &program, "-o"]).arg(picture).current_dir(root());
        if !command.status().is_ok_and(|status| status.success()) {
            outcome = ExitCode::FAILURE;
        }
    }
    outcome
}

/// The structures to draw, each with the program that declares their predicates.
pub fn sources(root: &Path) -> Vec<(String, String)> {
    let documents = sources::files(root).into_iter().filter(|file| file.path.starts_with("docs/"));
    let structures = documents.filter(|file| file.path.ends_with(".tvs"));
    let with_program = structures.filter_map(|file| {
        let program = file.text.lines().find_map(|line| line.strip_prefix("// spec: "))?.trim().to_string();
        Some((file.path, program))
    });
    with_program.collect()
}

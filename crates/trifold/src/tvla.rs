//! `trifold tvla`: a run as TVLA users write it, with TVLA's options, defaults, properties files and output files.
//!
//! The words are turned into properties, the properties into arguments of `trifold analyze`, and that is run. For
//! example, `trifold tvla reverse -join ind` becomes an analysis with `--join=single`.

use crate::arguments::FormatArgument;
use crate::properties::{parse, warn};
use crate::{Outcome, Refused, analyze};
use std::path::Path;
use trifold_machine::disk;
use trifold_machine::disk::Disk;
use trifold_tvla::Invocation;

/// Analyses, and writes `PROGRAM.out.tvs` and `PROGRAM.dt` where it was started.
pub fn run(words: &[String]) -> Result<Outcome, Refused> {
    let run = Invocation::read(words, &Disk).map_err(Refused::new)?;
    let (arguments, warnings) = run.settings.arguments();
    let files = [format!("{}.tvp", run.program), run.input.clone()];
    // TVLA forgets nothing.
    let keep = "--keep-dead".to_string();
    let options = parse(files.into_iter().chain(arguments).chain([keep]))?;
    warn(&warnings, &options);
    analyze::run_and(&options, |finished| {
        let name = Path::new(&run.program).file_name().map_or("result".into(), |name| name.to_string_lossy());
        let outputs = [("tvla.tvs", "out.tvs", FormatArgument::Tvs), ("tvla.dot", "dt", FormatArgument::Dot)];
        for (family, extension, format) in outputs {
            if !run.settings.is_on(&format!("{family}.enabled")) {
                continue;
            }
            let given = run.settings.get(&format!("{family}.outputFile"));
            let path = given.map_or_else(|| format!("{name}.{extension}"), str::to_string);
            disk::write_pieces(Path::new(&path), finished.format(format, &options), true)?;
        }
        Ok(())
    })
}

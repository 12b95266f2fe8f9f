//! Programs of the command line: read, linked and translated.

use crate::Refused;
use crate::arguments::COptions;
use trifold_c::Target;
use trifold_check::source::{Start, translate};
use trifold_check::{Rejected, Source, Translated};
use trifold_machine::programs::read_together;

/// What a program is for.
pub fn target(options: &COptions) -> Target {
    if options.bits == 32 { Target::Ilp32 } else { Target::Lp64 }
}

/// Reads, links and translates files.
pub fn translated(files: &[String], start: Start<'_>, options: &COptions) -> Result<Translated, Refused> {
    let units = read_together(files, &options.reading())?;
    let translated = translate(&Source::of(units, target(options)), start, options.malloc_may_fail);
    translated.map_err(|rejected| refused(rejected, options))
}

/// A program that cannot be checked, with the reasons.
pub fn refused(rejected: Rejected, options: &COptions) -> Refused {
    match rejected {
        Rejected::Text(failure) => Refused(failure.render(options.color.wanted())),
        Rejected::Because(why) => Refused::new(why),
        stopped @ Rejected::Stopped(_) => Refused(stopped.render(options.color.wanted())),
    }
}

//! `trifold explain`: the meanings of the kinds of findings.

use crate::arguments::ExplainOptions;
use crate::{Outcome, Refused};
use trifold_check::explain::{list, page};
use trifold_machine::disk;

pub fn run(options: &ExplainOptions) -> Result<Outcome, Refused> {
    disk::print(&options.kind.map_or_else(list, page))?;
    Ok(Outcome::Success)
}

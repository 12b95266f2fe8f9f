//! `trifold completions`: scripts with which shells complete our command line, and its manual page.

use crate::arguments::{Arguments, CompletionsOptions};
use crate::{Outcome, Refused};
use clap::{Command, CommandFactory};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use trifold_machine::disk;

pub fn run(options: &CompletionsOptions) -> Result<Outcome, Refused> {
    let mut text = Vec::new();
    let mut command = Arguments::command();
    match (Option::<Shell>::from(options.shell), &options.command) {
        (Some(shell), None) => generate(shell, &mut command, "trifold", &mut text),
        (Some(_), Some(_)) => {
            return Err(Refused::new("completions are for all commands; only manual pages are about one"));
        }
        (None, name) => Man::new(page(command, name.as_deref())?).render(&mut text).map_err(Refused::new)?,
    }
    disk::print(&String::from_utf8_lossy(&text))?;
    Ok(Outcome::Success)
}

/// The command that a manual page is about.
fn page(mut command: Command, name: Option<&str>) -> Result<Command, Refused> {
    let Some(name) = name else { return Ok(command) };
    command.build();
    let found = command.find_subcommand(name).cloned();
    let found = found.ok_or_else(|| Refused::new(format!("there is no command `{name}`")))?;
    Ok(found.display_name(format!("trifold-{name}")))
}

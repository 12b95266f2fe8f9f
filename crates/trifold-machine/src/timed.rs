//! A program that has only so much time.

use std::fs::File;
use std::io::{Read, Seek};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How a program ended.
pub(crate) struct Ended {
    /// None, if it was ended because its time was up.
    pub status: Option<ExitStatus>,
    /// What it printed to standard error, as far as it is kept.
    pub errors: String,
}

/// So much of the output is kept.
const KEPT: u64 = 1 << 16;

/// Runs a program. Its output goes through a file, so that no pipe fills up.
pub(crate) fn run(command: &mut Command, time: Duration) -> std::io::Result<Ended> {
    let mut errors = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors.try_clone()?);
    let status = wait(command.spawn()?, time)?;
    Ok(Ended { status, errors: read(&mut errors)? })
}

fn read(file: &mut File) -> std::io::Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(KEPT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Waits until the time is up, then ends the program.
fn wait(mut child: Child, time: Duration) -> std::io::Result<Option<ExitStatus>> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() > time {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

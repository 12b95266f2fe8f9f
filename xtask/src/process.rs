//! Processes under observation: how long they take, how much memory they have, and an end when it takes too long.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The end of a process, and its figures.
pub struct Finished {
    /// Its exit status; none when it was ended.
    pub status: Option<i32>,
    pub output: String,
    pub errors: String,
    pub seconds: f64,
    /// The most memory that was seen; none where the system does not say, or the process was gone before it was asked.
    pub memory_mb: Option<f64>,
    /// The seconds of all processors that were seen; none where the system does not say.
    pub cpu: Option<f64>,
}

/// Memory and end of a process are looked at this often. Memory that a process takes in its last moment is not seen.
const INTERVAL: Duration = Duration::from_millis(2);

/// Runs a command to its end, or to the limit.
pub fn observe(command: &mut Command, limit: Duration) -> std::io::Result<Finished> {
    let started = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // Read on threads, so that neither pipe fills up.
    let output = reader(child.stdout.take());
    let errors = reader(child.stderr.take());
    let (mut memory_mb, mut cpu): (Option<f64>, Option<f64>) = (None, None);
    let status = loop {
        // The peak only grows, so the last answer is the one to keep.
        memory_mb = peak_memory(&child).or(memory_mb);
        cpu = cpu_time(&child).or(cpu);
        if let Some(status) = child.try_wait()? {
            break status.code();
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(INTERVAL);
    };
    let seconds = started.elapsed().as_secs_f64();
    let text = |thread: std::thread::JoinHandle<String>| thread.join().expect("reading does not panic");
    Ok(Finished { status, output: text(output), errors: text(errors), seconds, memory_mb, cpu })
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // The bytes that were read before an error are kept.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn peak_memory(child: &Child) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = peak.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// The time of all processors so far, with that of processes which it waited for.
fn cpu_time(child: &Child) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name, in parentheses, may have spaces. There are a hundred ticks in a second on all systems with /proc.
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks = rest.split_whitespace().skip(11).take(4).map(|field| field.parse::<f64>().ok());
    Some(ticks.sum::<Option<f64>>()? / 100.0)
}

/// A properties file that switches the output files of both tools off; it goes away with this value.
pub struct Scratch(tempfile::NamedTempFile);

impl Scratch {
    pub fn new() -> std::io::Result<Scratch> {
        let mut file = tempfile::Builder::new().prefix("trifold-bench-").suffix(".properties").tempfile()?;
        file.write_all(b"tvla.tvs.enabled = false\ntvla.dot.enabled = false\n")?;
        Ok(Scratch(file))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

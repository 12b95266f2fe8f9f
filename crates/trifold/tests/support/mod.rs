//! The common part of the tests of the command line: running the built program, with a deadline and little memory, and
//! the example files.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// No run of the program may take longer than this.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// The root of the workspace, which is also the working directory of the program under test.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

/// The files of a directory of the workspace that have an extension, as sorted paths within the workspace.
pub fn files(directory: &str, extension: &str) -> Vec<String> {
    let root = workspace();
    let mut found = Vec::new();
    let mut directories = vec![root.join(directory)];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).expect("a directory").flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// An example program as its header describes it.
pub struct Example {
    pub path: String,
    pub input: String,
    pub options: Vec<String>,
    /// The texts of the `expect` lines.
    pub expectations: Vec<String>,
    /// The texts of the `prove` lines: a formula and a location.
    pub goals: Vec<String>,
    /// The macro of each `bug` line, which plants it.
    pub bugs: Vec<String>,
    /// The macro of each `also` line, with which everything else is the same.
    pub also: Vec<String>,
}

impl Example {
    /// All programs of `examples/tvp`.
    pub fn all() -> Vec<Example> {
        files("examples/tvp", "tvp").into_iter().map(Example::read).collect()
    }

    pub fn read(path: String) -> Example {
        let text = std::fs::read_to_string(workspace().join(&path)).unwrap();
        let field = |name: &str| -> Vec<String> {
            let prefix = format!("// {name}:");
            text.lines().filter_map(|line| line.strip_prefix(&prefix)).map(|rest| rest.trim().to_string()).collect()
        };
        let macros =
            |name| field(name).iter().filter_map(|line| line.split_whitespace().next()).map(String::from).collect();
        let [input] = field("input").try_into().unwrap_or_else(|_| panic!("{path}: one `// input:` line is needed"));
        let directory = path.rsplit_once('/').expect("in a directory").0;
        Example {
            input: format!("{directory}/{input}"),
            options: field("options").iter().flat_map(|line| line.split_whitespace()).map(String::from).collect(),
            expectations: field("expect"),
            goals: field("prove"),
            bugs: macros("bug"),
            also: macros("also"),
            path,
        }
    }

    /// The arguments of `trifold` that analyse it.
    pub fn arguments(&self) -> Vec<&str> {
        let files = ["analyze", &self.path, &self.input];
        let goals = self.goals.iter().flat_map(|goal| ["--prove", goal]);
        files.into_iter().chain(self.options.iter().map(String::as_str)).chain(goals).collect()
    }
}

/// How a run of the program ended.
#[derive(Debug)]
pub struct Run {
    /// The exit status; `None` after a signal.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub time: Duration,
    pub timed_out: bool,
}

impl Run {
    /// The run, which must have had this exit status.
    #[track_caller]
    pub fn expect(self, status: i32) -> Run {
        assert!(!self.timed_out, "timed out; stderr:\n{}", self.stderr);
        assert_eq!(self.status, Some(status), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in:\n{}", self.stdout))
    }
}

/// Runs the program.
pub fn trifold<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trifold"));
    command.args(arguments);
    run(command, DEADLINE)
}

/// Runs the program with this much address space, where the shell can limit it.
pub fn trifold_within<A: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = A>,
    mebibytes: u64,
    deadline: Duration,
) -> Run {
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!(r#"ulimit -v {} 2>/dev/null; exec "$0" "$@""#, mebibytes << 10));
        shell.arg(env!("CARGO_BIN_EXE_trifold"));
        shell
    } else {
        Command::new(env!("CARGO_BIN_EXE_trifold"))
    };
    command.args(arguments);
    run(command, deadline)
}

/// Runs a command in the workspace until the deadline. Its output goes through files, so that no pipe fills up.
pub fn run(mut command: Command, deadline: Duration) -> Run {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let paths = ["stdout", "stderr"].map(|name| directory.path().join(name));
    let [stdout, stderr] = paths.each_ref().map(|path| File::create(path).expect("a file"));
    command.current_dir(workspace()).stdin(Stdio::null()).stdout(stdout).stderr(stderr);
    command.env_remove("NO_COLOR").env_remove("COLUMNS");
    let started = Instant::now();
    let child = command.spawn().expect("the program starts");
    let status = wait(child, deadline);
    let [stdout, stderr] = paths.map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned());
    Run { status: status.and_then(|s| s.code()), stdout, stderr, time: started.elapsed(), timed_out: status.is_none() }
}

/// Waits until the deadline, then kills the process.
fn wait(mut child: Child, deadline: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return Some(status);
        }
        if started.elapsed() > deadline {
            child.kill().expect("the child can be killed");
            child.wait().expect("a child");
            return None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// A directory with files, deleted at the end.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    pub fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("a temporary directory"))
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.path().join(name), content).expect("a file");
        self.path(name)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a UTF-8 path").to_string()
    }
}

//! Options that several commands have.

use clap::{Args, ValueEnum};
use std::io::IsTerminal;
use std::time::Duration;
use trifold_machine::java::Settings;
use trifold_machine::programs::Reading;

/// The memory of an analysis, in MiB. Hard programs would take all that there is.
const MEMORY: u64 = 4096;

/// Options of everything that reads TVP or TVS text.
#[derive(Args, Debug, Clone)]
pub struct ReadOptions {
    /// Define a macro for the preprocessor (also NAME(VALUE))
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Search included files in this directory too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
}

impl ReadOptions {
    pub fn preprocessor(&self) -> trifold_tvp::Options {
        let mut options = trifold_tvp::Options { include_paths: self.include.clone(), ..Default::default() };
        self.define.iter().for_each(|option| options.define(option));
        options
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colour {
    #[default]
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Are diagnostics on standard error coloured?
    pub fn wanted(self) -> bool {
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && std::io::stderr().is_terminal()
            }
        }
    }
}

/// Options of everything that reads C or Java.
#[derive(Args, Debug, Clone, Default)]
pub struct COptions {
    /// Define a macro for the preprocessor
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Undefine a macro for the preprocessor
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Search included files in this directory too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    /// Include this file before the text of each C file
    #[arg(long = "include", value_name = "FILE")]
    pub include_file: Vec<String>,
    /// Flags of a compilation database, before the others
    #[arg(skip)]
    pub flags: Vec<String>,
    /// C: how many bits `long` and pointers have, 32 or 64
    #[arg(short = 'm', long, value_name = "BITS", default_value_t = 64, value_parser = bits)]
    pub bits: u8,
    /// malloc and its like may return a null pointer
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Java: report objects to which the last reference is lost, as if there were no garbage collector
    #[arg(long)]
    pub lost_objects: bool,
    /// Java: the compiler; without it that of JAVA_HOME, or `javac`
    #[arg(long, value_name = "PROGRAM")]
    pub javac: Option<String>,
    /// Java: directories and archives with further classes
    #[arg(long, value_name = "PATHS")]
    pub classpath: Option<String>,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
}

impl COptions {
    /// How programs are read.
    pub fn reading(&self) -> Reading {
        let changing = [&self.flags, &self.define, &self.undefine, &self.include_file];
        Reading {
            flags: self.preprocessor(),
            may_change_text: changing.iter().any(|words| !words.is_empty()),
            bits: self.bits,
            java: Settings { javac: self.javac.clone(), classpath: self.classpath.clone() },
        }
    }

    /// What the preprocessor is told.
    pub fn preprocessor(&self) -> Vec<String> {
        let mut words = self.flags.clone();
        let named =
            [("-I", &self.include), ("-D", &self.define), ("-U", &self.undefine), ("-include", &self.include_file)];
        for (flag, values) in named {
            words.extend(values.iter().flat_map(|value| [flag.to_string(), value.clone()]));
        }
        words
    }
}

/// A program in C or Java, and where its execution starts.
#[derive(Args, Debug)]
pub struct ProgramOptions {
    /// The program, in C or Java; several files of C are linked
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// The function where execution starts
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,
    #[command(flatten)]
    pub source: COptions,
}

/// Limits of everything that takes long.
#[derive(Args, Debug, Clone)]
pub struct LimitOptions {
    /// Threads to compute with; the result does not depend on it
    #[arg(long, help_heading = "Limits", value_name = "N", default_value_t = default_threads(), hide_default_value = true, value_parser = threads)]
    pub threads: usize,
    /// Stop when this many structures have been created
    #[arg(long, help_heading = "Limits", value_name = "N")]
    pub max_structures: Option<usize>,
    /// Stop after this many seconds
    #[arg(long, help_heading = "Limits", value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stop when the process has this much memory, in MiB; 0 for no limit
    #[arg(long, help_heading = "Limits", value_name = "MIB", default_value_t = MEMORY)]
    pub memory: u64,
}

/// A number of bits that a target can have.
fn bits(text: &str) -> Result<u8, String> {
    match text {
        "32" => Ok(32),
        "64" => Ok(64),
        _ => Err("is neither 32 nor 64".to_string()),
    }
}

fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS)
}

/// More threads than this only cost memory.
const MAX_THREADS: usize = 1024;

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=MAX_THREADS) => Ok(threads),
        _ => Err(format!("not a number from 1 to {MAX_THREADS}")),
    }
}

pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

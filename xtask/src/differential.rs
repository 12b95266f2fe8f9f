//! `cargo xtask differential`: random programs, examples and changed examples as the concrete interpreter runs them,
//! against what `cc` or `javac` makes of them. For example, `cargo xtask differential java --programs 10000` compares
//! ten thousand Java programs.

use clap::{Parser, ValueEnum};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trifold_oracle::differential::{self, C, Java, Language, Programs};

/// Compare random programs with what a compiler makes of them.
#[derive(Parser, Debug)]
#[command(name = "cargo xtask differential")]
struct Options {
    /// The language
    language: Name,
    /// So many programs
    #[arg(long, value_name = "N", default_value_t = 1000)]
    programs: usize,
    /// The seed of the first program; the others have those that follow
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// So many programs are compiled together
    #[arg(long, value_name = "N", default_value_t = 100)]
    batch: usize,
    /// Analyse one in so many small programs, beside all those that fail; 0 is none at all
    #[arg(long, value_name = "N", default_value_t = 10)]
    analysed: usize,
    /// Shrink and show so many disagreements
    #[arg(long, value_name = "N", default_value_t = 5)]
    shown: usize,
    /// Write the programs on which the two sides disagree to this directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Compare this program instead, as it was kept
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Take the examples, first as they are, then with random changes, instead of generated programs
    #[arg(long)]
    examples: bool,
    /// Compile C with optimisation, too, and with `clang` where it is installed: all must agree
    #[arg(long)]
    all_compilers: bool,
    /// Only print the program of the seed
    #[arg(long)]
    print: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Name {
    C,
    Java,
}

/// Runs a campaign, and prints what became of it.
pub fn run(arguments: &[String]) -> ExitCode {
    let name = std::iter::once("differential".to_string());
    let options = match Options::try_parse_from(name.chain(arguments.iter().cloned())) {
        Ok(options) => options,
        Err(error) => error.exit(),
    };
    match campaign(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Do the two sides agree?
fn campaign(options: &Options) -> Result<bool, String> {
    let c = if options.all_compilers { C::with_all_compilers() } else { C::default() };
    let java = matches!(options.language, Name::Java).then(Java::start).transpose()?;
    let (language, ending): (&dyn Language, &str) = match &java {
        None => (&c, "c"),
        Some(java) => (java, "java"),
    };
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let source = match options.examples {
        true => Programs::of_workspace(language, workspace),
        false => Programs::Generated,
    };
    if options.print {
        print!("{}", source.write(language, options.seed, &format!("p{}", options.seed)));
        return Ok(true);
    }
    if let Some(file) = &options.file {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let comparison = differential::compare(language, &name, &crate::read(file)?)?;
        println!("{comparison:?}");
        return Ok(!matches!(comparison, differential::Comparison::Differs(_)));
    }
    let Options { programs, seed, batch, analysed, shown, .. } = *options;
    let tally =
        differential::run(language, &source, &differential::Options { programs, seed, batch, analysed, shown })?;
    println!("{tally}");
    if let Some(directory) = &options.keep {
        std::fs::create_dir_all(directory).map_err(|error| error.to_string())?;
        for disagreement in &tally.disagreements {
            let path = directory.join(format!("p{}.{ending}", disagreement.seed));
            std::fs::write(path, &disagreement.text).map_err(|error| error.to_string())?;
        }
    }
    Ok(tally.disagreements.is_empty())
}

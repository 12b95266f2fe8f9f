//! Writes the examples into `target/corpus`, a directory for each target: `cargo run --bin seed`, in the directory of
//! this package.

use std::path::Path;
use trifold_oracle::fuzz::seeds;

fn main() -> std::io::Result<()> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = package.join("..");
    for seed in seeds::all(&workspace).into_iter().chain(seeds::programs(&workspace)) {
        let directory = package.join("target/corpus").join(seed.target);
        std::fs::create_dir_all(&directory)?;
        std::fs::write(directory.join(&seed.name), seed.bytes)?;
    }
    Ok(())
}

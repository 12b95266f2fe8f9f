//! Writes the examples into `target/corpus`, a directory for each target: `cargo run --bin seed`, in the directory of this package.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for seed in trifold_fuzz::seeds::all(&package.join("..")) {
        let directory = package.join("target/corpus").join(seed.target);
        std::fs::create_dir_all(&directory)?;
        std::fs::write(directory.join(&seed.name), seed.bytes)?;
    }
    Ok(())
}

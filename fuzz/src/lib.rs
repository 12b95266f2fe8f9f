//! The functions of the fuzz targets, and their seeds. The tests of the command line use the same files, so that
//! everything runs with a stable compiler too.

pub mod digest;
mod judge;
pub mod mutate;
pub mod seeds;

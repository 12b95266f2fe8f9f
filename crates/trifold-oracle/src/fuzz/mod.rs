//! Any bytes: the functions of the fuzz targets, their first inputs, and mutations for where libFuzzer is not at hand.
//! For example, `digest::c` takes any bytes for a C program, and judges it if it is one.

pub mod digest;
#[cfg(feature = "differential")]
pub mod java;
mod judge;
pub mod mutate;
pub mod seeds;

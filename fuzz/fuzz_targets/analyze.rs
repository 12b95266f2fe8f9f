//! Programs with their inputs: a whole analysis, with small limits.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trifold_oracle::fuzz::digest::analyze(bytes));

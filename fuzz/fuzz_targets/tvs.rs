//! Structures: reading, writing and reading again.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trifold_oracle::fuzz::digest::tvs(bytes));

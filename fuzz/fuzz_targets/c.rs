//! C programs: reading, resolving and typing.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(trifold_oracle::fuzz::digest::c(bytes)));

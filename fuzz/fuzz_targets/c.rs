//! C programs: reading, resolving and typing.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trifold_fuzz::digest::c(bytes));

//! Programs: loading, printing and loading again.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trifold_oracle::fuzz::digest::tvp(bytes));

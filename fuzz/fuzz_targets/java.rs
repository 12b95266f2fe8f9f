//! Java programs: reading and translating.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trifold_fuzz::digest::java(bytes));

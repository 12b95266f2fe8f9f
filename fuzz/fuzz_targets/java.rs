//! Java programs: reading and translating.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(trifold_oracle::fuzz::digest::java(bytes)));

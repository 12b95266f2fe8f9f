//! Class files: reading and translating.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(trifold_oracle::fuzz::java::class(bytes)));

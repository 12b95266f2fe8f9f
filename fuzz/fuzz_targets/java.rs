//! Java programs: compiling, reading and translating.

#![no_main]

use std::cell::RefCell;
use trifold_oracle::fuzz::java::java;
use trifold_machine::java::{Compiler, Settings};

thread_local! {
    static COMPILER: RefCell<Compiler> = RefCell::new(Compiler::start(&Settings::default()).expect("a JDK"));
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| COMPILER.with_borrow_mut(|compiler| drop(java(bytes, compiler))));

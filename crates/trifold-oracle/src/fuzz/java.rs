//! The functions under test for Java: any text, which the compiler of the machine turns into class files if it is a
//! program; and any bytes as a class file. For example, bytes that are no class file end in a diagnostic.

use super::digest::refused;
use super::judge;
use crate::oracle::Tally;
use std::collections::BTreeMap;
use trifold_check::source::ClassFiles;
use trifold_jvm::{ClassPath, Entry, Input, Loaded, class_name, load};
use trifold_machine::java::Compiler;

/// Reads a Java program, and judges it from `main`, or from each method. Memory is collected, so there are no leaks.
pub fn java(bytes: &[u8], compiler: &mut Compiler) -> Tally {
    let text = String::from_utf8_lossy(bytes).into_owned();
    match compiler.compile(&[("A.java".to_string(), text)]).remove(0) {
        Ok(ClassFiles { names, texts, path, .. }) => judged(&Input { classes: &names, texts: &texts, path: &*path }),
        Err(why) => {
            assert!(!why.is_empty());
            Tally::default()
        }
    }
}

/// Reads a class file without a library.
pub fn class(bytes: &[u8]) -> Tally {
    let name = class_name(bytes).unwrap_or("A".to_string());
    let classes: BTreeMap<String, Vec<u8>> = BTreeMap::from([(name.clone(), bytes.to_vec())]);
    assert!(classes.bytes(&name).is_some());
    judged(&Input { classes: &[name], texts: &[], path: &classes })
}

fn judged(input: &Input<'_>) -> Tally {
    let Loaded { program, is_library, .. } = match load(input, Entry::MethodOrLibrary("main")) {
        Ok(loaded) => loaded,
        Err(failure) => return refused(&failure),
    };
    if !is_library {
        return judge::program(program, None, false);
    }
    match load(input, Entry::Library) {
        Ok(library) => {
            let callable = library.methods.iter().filter(|method| method.no_arguments.is_none());
            let methods = callable.map(|method| method.procedure).collect();
            judge::program(library.program, Some(methods), false)
        }
        Err(failure) => refused(&failure),
    }
}

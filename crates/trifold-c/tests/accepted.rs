//! Programs that must be accepted: the files of `tests/accepted`. They check types, sizes and constants themselves,
//! with static assertions, and GCC agrees with them (but for the words of C23 that GCC 12 does not know).

use std::path::PathBuf;

#[test]
fn files_are_accepted_without_warnings() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/accepted");
    let mut count = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        match trifold_c::load(&path.file_name().unwrap().to_string_lossy(), &text) {
            Ok(loaded) => assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings),
            Err(failure) => panic!("\n{}", failure.render(false)),
        }
        count += 1;
    }
    assert!(count >= 4);
}

/// The assertions are really checked: their negations fail.
#[test]
fn assertions_can_fail() {
    for wrong in [
        "_Static_assert(sizeof(long) == 4, \"\");",
        "_Static_assert(__builtin_types_compatible_p(typeof(1 + 1u), int), \"\");",
        "struct s { char c; int i; }; _Static_assert(sizeof(struct s) == 5, \"\");",
    ] {
        let failure = trifold_c::load("wrong.c", wrong).unwrap_err();
        assert_eq!(failure.diagnostics[0].code, "static-assert");
    }
}

#[test]
fn only_directives_need_a_preprocessor() {
    for text in ["int x;", "# 1 \"a.c\"\nint x;", "#pragma once\n", "/* \n#if 0\n */", "char *s = \"\\\n#if 0\";"] {
        assert!(!trifold_c::needs_preprocessor(text), "{text}");
    }
    for text in ["#include <a.h>", "int x;\n  # define A", "/* */ #ifdef X", "%:define X"] {
        assert!(trifold_c::needs_preprocessor(text), "{text}");
    }
}

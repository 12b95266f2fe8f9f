//! Any bytes give a program or diagnostics: class files that are cut off, damaged or senseless, and what `javac` makes
//! of a large program. Nothing panics, and what is translated is well formed.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use support::{Compiled, Jdk, compile, read};
use trifold_examples::tools::require;
use trifold_jvm::{Entry, HEADER, Image, Input, load};

/// The SplitMix64 generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Loads classes as a program and as a library; whether they were translated.
fn digest(compiled: &Compiled) -> bool {
    let mut is_translated = false;
    for entry in [Entry::Library, Entry::Method("main")] {
        match load(&Input { classes: &compiled.names, texts: &[], path: compiled }, entry) {
            Ok(loaded) => {
                if let Err(errors) = trifold_ir::validate(&loaded.program) {
                    panic!("not well formed: {errors:?}");
                }
                is_translated = true;
            }
            Err(failure) => assert!(failure.errors().next().is_some()),
        }
    }
    is_translated
}

fn sample() -> BTreeMap<String, Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/Robust.java");
    compile(&[path], directory.path());
    read(directory.path()).classes
}

#[test]
fn damaged_class_files_are_diagnosed() {
    if !(require("javac") && require("java")) {
        return;
    }
    let classes = sample();
    let names: Vec<String> = classes.keys().cloned().collect();
    let mut compiled = Compiled { names: names.clone(), classes: classes.clone(), jdk: Jdk::find() };
    assert!(digest(&compiled));
    let (mut random, mut translated) = (Random(7), 0);
    for _ in 0..400 {
        let name = &names[random.below(names.len())];
        let mut bytes = classes[name].clone();
        match random.below(4) {
            0 => bytes.truncate(random.below(bytes.len())),
            _ => {
                for _ in 0..=random.below(4) {
                    let at = random.below(bytes.len());
                    bytes[at] = random.below(256) as u8;
                }
            }
        }
        compiled.classes.insert(name.clone(), bytes);
        translated += usize::from(digest(&compiled));
        compiled.classes.insert(name.clone(), classes[name].clone());
    }
    assert!(translated > 50, "only {translated} damaged programs were translated");
}

/// Without the library nothing is known of `Object`, and everything is still told.
#[test]
fn classes_without_a_library_are_diagnosed() {
    if !(require("javac") && require("java")) {
        return;
    }
    let classes = sample();
    let names: Vec<String> = classes.keys().cloned().collect();
    let loaded = load(&Input { classes: &names, texts: &[], path: &classes }, Entry::Method("main"));
    let program = loaded.unwrap_or_else(|failure| panic!("{}", failure.render(false))).program;
    assert!(trifold_ir::print(&program).contains("unsupported"), "{}", trifold_ir::print(&program));
}

#[test]
fn images_that_are_none_are_refused() {
    let mut random = Random(3);
    for length in [0, 5, HEADER, 200] {
        let mut bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        assert!(Image::new(bytes.clone()).is_none());
        if length >= HEADER {
            bytes[..4].copy_from_slice(&0xcafe_dada_u32.to_le_bytes());
            bytes[16..28].fill(0);
            bytes[16] = 3;
            let image = Image::new(bytes);
            let found = image.and_then(|image| image.class("java/lang/Object", &|_| Some(vec![0; 16])));
            assert!(found.is_none());
        }
    }
}

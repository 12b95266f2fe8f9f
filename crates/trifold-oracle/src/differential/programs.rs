//! Where the programs of a campaign come from. Each depends on nothing but its seed and, if there are such, the
//! programs that it is made from: those are run as they are, with their assignments noted, and changed.

use super::Language;
use super::mutate::{mutated, with_notes};
use super::random::Random;
use crate::fuzz::seeds;
use std::path::Path;

/// A change after which nothing is a program any more is tried again, so many times.
const TRIES: usize = 8;

/// The programs of a campaign.
#[derive(Clone, Debug, Default)]
pub enum Programs {
    /// The generator of the language writes them.
    #[default]
    Generated,
    /// They are made from these, in turn.
    From(Vec<String>),
}

impl Programs {
    /// Those made from the examples of a workspace and from the programs of the tests of the translation.
    pub fn of_workspace(language: &dyn Language, workspace: &Path) -> Programs {
        let tests = seeds::all(workspace).into_iter().filter(|seed| seed.name.starts_with("translate-"));
        let all = seeds::programs(workspace).into_iter().chain(tests);
        let all = all.filter(|seed| seed.target.eq_ignore_ascii_case(language.name()));
        let texts = all.map(|seed| String::from_utf8_lossy(&seed.bytes).into_owned());
        Programs::From(texts.filter(|text| can_run(language, &language.adapt(text, "p"))).collect())
    }

    /// Can it be that one of them is no program?
    pub fn may_be_rejected(&self) -> bool {
        matches!(self, Programs::From(_))
    }

    /// The program of a seed, in whose text all names that others could see begin with `name`.
    pub fn write(&self, language: &dyn Language, seed: u64, name: &str) -> String {
        let Programs::From(originals) = self else { return language.write(seed, name) };
        let Some(original) = originals.get(seed as usize % originals.len().max(1)) else { return String::new() };
        // A struct, for example, cannot be noted.
        let noted = |text: &str| {
            let noted = language.adapt(&with_notes(text, &|place| language.note(place)), name);
            if can_run(language, &noted) { noted } else { language.adapt(text, name) }
        };
        match seed as usize / originals.len() {
            0 => language.adapt(original, name),
            1 => noted(original),
            _ => {
                let mut random = Random::new(seed);
                let mut tries = (0..TRIES).map(|_| noted(&mutated(original, language.types(), &mut random)));
                tries.find(|text| can_run(language, text)).unwrap_or_else(|| noted(original))
            }
        }
    }
}

/// Is it a program, and no library? A change may leave out `main`.
fn can_run(language: &dyn Language, text: &str) -> bool {
    language.load(text).is_ok_and(|program| program.entry.is_some())
}

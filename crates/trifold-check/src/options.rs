//! The options of a check.

use crate::budget::Allowance;
use crate::domain::DomainName;
use std::time::Duration;
use trifold_heap_tvl::{NamedRoles, Precision};
use trifold_ir::FindingKind;

/// How to check a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function where execution starts: `main`, or else all functions in turn.
    pub entry: Option<String>,
    /// Is `main` a function like others, and the program used in any way?
    pub library: bool,
    /// May `malloc` and its like return a null pointer?
    pub malloc_may_fail: bool,
    /// Java: are objects reported to which the last reference is lost, as if they were not collected?
    pub lost_objects: bool,
    /// Are objects leaked that are still reachable from global variables when the program ends?
    pub leaks_at_exit: bool,
    /// The domain, if it is not to be chosen.
    pub domain: Option<DomainName>,
    /// Are runs looked for in which findings happen?
    pub confirm: bool,
    /// How much the three-valued domain tracks from the beginning.
    pub precision: Precision,
    /// Roles of links that are not to be chosen.
    pub roles: NamedRoles,
    /// Do variables keep their values where no later statement reads them?
    pub keep_dead: bool,
    /// Keep the shapes of all program points, for a page or a drawing?
    pub keep_shapes: bool,
    /// Keep the outputs of functions for their inputs?
    pub keep_summaries: bool,
    /// Threads to compute with; the result does not depend on it.
    pub threads: usize,
    /// At most so many structures.
    pub max_structures: Option<usize>,
    /// So many times the usual work may be done. Work is the same on every machine.
    pub work: u64,
    /// At most so much time, if the host has a clock.
    pub timeout: Option<Duration>,
    /// At most so much memory in MiB: of shapes, which is the same on every machine, and of the process, if the host
    /// can tell; 0 is no limit.
    pub memory: u64,
}

impl Options {
    /// How much a part of a check may take that has so much time.
    pub(crate) fn allowance(&self, time: Option<Duration>) -> Allowance {
        Allowance { time, mebibytes: self.memory, work: self.work }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            entry: None,
            library: false,
            malloc_may_fail: false,
            lost_objects: false,
            leaks_at_exit: false,
            domain: None,
            confirm: true,
            precision: Precision::default(),
            roles: NamedRoles::new(),
            keep_dead: false,
            keep_shapes: false,
            keep_summaries: false,
            threads: 1,
            max_structures: None,
            work: 1,
            timeout: None,
            memory: 0,
        }
    }
}

/// A source language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C11 with the extensions of GNU C, preprocessed.
    C,
    /// Java.
    Java,
}

impl Language {
    /// The language of a file, by its name.
    pub fn of(path: &str) -> Language {
        let is_java = [".java", ".class", ".jar"].iter().any(|ending| path.ends_with(ending));
        if is_java { Language::Java } else { Language::C }
    }

    /// Is this kind of finding one in this language? Where memory is collected nothing is leaked, unless that is asked
    /// for.
    pub fn counts(self, kind: FindingKind, lost_objects: bool) -> bool {
        self == Language::C || kind != FindingKind::Leak || lost_objects
    }
}

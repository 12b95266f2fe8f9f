//! The plan of a check: the entries from which a program is analysed.
//!
//! A program with `main` is analysed from there. A library is analysed from each function that can be called from
//! elsewhere, with arguments that the function itself describes by checkers or a contract, or that a [made-up
//! caller](add_caller) passes. For example, a file with `push(list, x)` alone has one entry: a caller of `push` that
//! makes a list.

use crate::domain::DomainName;
use crate::options::Options;
use crate::source::{Function, Rejected, Source, Start, Translated, translate};
use std::collections::BTreeSet;
use std::sync::Arc;
use trifold_heap_sl::unknown_assumption;
use trifold_heap_tvl::{NamedRoles, Precision, Unread, lower};
use trifold_ir::{ProcId, Program, validate};
use trifold_passes::{add_caller, clear_at_exit};

/// A place where an analysis starts.
pub struct Entry {
    /// The function.
    pub name: String,
    /// The procedure to start with, or why there is none.
    pub procedure: Result<ProcId, String>,
    /// Does the function describe its arguments with checkers, or in a contract?
    pub specified: bool,
    /// The function itself, if the program does not call it.
    pub function: Option<ProcId>,
}

/// The values of global variables when a function is called from elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Globals {
    /// They have been initialised, by this procedure if it takes one.
    Initialised(Option<ProcId>),
    /// Nothing is known of them: the program may have run for a while.
    Unknown,
}

/// Everything that is to be analysed.
pub struct Plan {
    /// The program, with callers for functions that have none.
    pub translated: Translated,
    /// Where analyses start.
    pub entries: Vec<Entry>,
    /// The values of global variables at the entries that are specified.
    pub globals: Globals,
    /// The assumptions about callers.
    pub assumptions: Vec<String>,
}

/// The assumption about functions that describe their arguments with checkers.
const SPECIFIED: &str = "functions that say with checkers what their arguments are get such ones, in memory of their own, \
    and fields that the checkers do not mention have some value";

/// The assumption about functions with contracts that may be called from elsewhere.
const CONTRACTS: &str = "functions with contracts are called where their preconditions hold";

/// The assumptions about other callers.
const CALLERS: [&str; 2] = [
    "pointer arguments are null, or lead to lists and trees that share nothing; void pointers are null",
    "when a function is called, global variables have the values that they are initialised with",
];

impl Plan {
    /// The links that roles can be given to, such as `node::next`.
    pub fn links(&self) -> BTreeSet<String> {
        let all = Precision { unread: Unread::Tracked, ..Precision::default() };
        let lowered = |entry: &ProcId| lower(&self.translated.program, *entry, all, &NamedRoles::new());
        let entries = self.entries.iter().filter_map(|entry| entry.procedure.as_ref().ok());
        entries.flat_map(|entry| lowered(entry).families.links().to_vec()).collect()
    }

    /// The plan for a text.
    pub fn new(source: &Source, options: &Options) -> Result<Plan, Rejected> {
        let start = match options.entry.as_deref() {
            None | Some("main") => Start::MainOrLibrary,
            Some(_) => Start::Library,
        };
        let translated = translate(source, start, options.malloc_may_fail)?;
        let mut plan = match translated.is_library {
            true => Plan::of_library(translated, options)?,
            false => Plan::of_program(translated, options)?,
        };
        let Translated { program, functions, .. } = &mut plan.translated;
        // A procedure that stands for a function is part of it.
        for (stands, contract) in &program.contracts {
            let meant = functions.iter_mut().find(|function| function.procedures.contains(&contract.of));
            meant.into_iter().for_each(|function| function.procedures.push(*stands));
        }
        // A translation that is not well formed is a mistake of the translator, which must not look like a result.
        validate(program).map_err(|errors| {
            let texts: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
            Rejected::Because(format!("the translation of {} is not well formed: {}", source.path, texts.join("; ")))
        })?;
        Ok(plan)
    }

    /// From `main`.
    fn of_program(mut translated: Translated, options: &Options) -> Result<Plan, Rejected> {
        if options.leaks_at_exit {
            clear_at_exit(Arc::make_mut(&mut translated.program));
        }
        let Some(main) = translated.program.entry else {
            return Err(Rejected::Because("the program has no entry".to_string()));
        };
        let mut entries = bodies(&translated, options);
        entries.push(Entry { name: "main".to_string(), procedure: Ok(main), specified: false, function: None });
        Ok(Plan { translated, entries, globals: Globals::Unknown, assumptions: Vec::new() })
    }

    /// From one function, or from all that can be called from elsewhere.
    fn of_library(mut translated: Translated, options: &Options) -> Result<Plan, Rejected> {
        let wanted = Wanted::new(&translated, options);
        let functions: Vec<Function> = translated.functions.iter().filter(|f| wanted.is_entry(f)).cloned().collect();
        let first = translated.program.entry;
        let mut entries = bodies(&translated, options);
        let has_contracts = !entries.is_empty();
        for function in &functions {
            if entries.iter().all(|entry| entry.name != function.name) {
                let program = Arc::make_mut(&mut translated.program);
                entries.extend(wanted.entry(function, program, first));
            }
        }
        if entries.is_empty() {
            let file = &translated.path;
            return Err(Rejected::Because(match &options.entry {
                Some(entry) => format!("{file} defines no function `{entry}`"),
                None => format!(
                    "{file} defines no function that can be called from elsewhere, so there is nothing to check"
                ),
            }));
        }
        let mut assumptions = Vec::new();
        if has_contracts {
            assumptions.push(CONTRACTS.to_string());
        } else if entries.iter().any(|entry| entry.specified) {
            assumptions.push(SPECIFIED.to_string());
        }
        if entries.iter().any(|entry| !entry.specified) {
            assumptions.extend(CALLERS.map(str::to_string));
        }
        Ok(Plan { translated, entries, globals: Globals::Initialised(first), assumptions })
    }
}

/// Functions with contracts, whose bodies are verified by themselves wherever they are called from.
fn bodies(translated: &Translated, options: &Options) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (stands, contract) in &translated.program.contracts {
        let meant = |function: &&Function| function.procedures.contains(&contract.of);
        let Some(function) = translated.functions.iter().find(meant) else { continue };
        let procedure = match options.domain {
            Some(DomainName::ThreeValued) => Err("contracts are verified in the domain of checkers".to_string()),
            _ => Ok(*stands),
        };
        entries.push(Entry { name: function.name.clone(), procedure, specified: true, function: Some(*stands) });
    }
    entries
}

/// Which functions of a library are analysed by themselves.
struct Wanted {
    only: Option<String>,
    /// Functions that describe their arguments with checkers.
    specified: Vec<ProcId>,
    checkers: Vec<ProcId>,
    /// Does a domain know what checkers mean?
    with_checkers: bool,
}

impl Wanted {
    fn new(translated: &Translated, options: &Options) -> Wanted {
        let program = &translated.program;
        let (specified, checkers) = match options.domain {
            Some(DomainName::ThreeValued) => Default::default(),
            _ => (trifold_heap_sl::specified(program), trifold_heap_sl::checkers(program)),
        };
        let (specified, checkers) = (specified.into_iter().collect(), checkers.into_iter().collect());
        let with_checkers = options.domain != Some(DomainName::ThreeValued);
        Wanted { only: options.entry.clone(), specified, checkers, with_checkers }
    }

    fn is_entry(&self, function: &Function) -> bool {
        match &self.only {
            Some(only) => *only == function.name,
            None => function.is_root || function.procedures.iter().any(|p| self.specified.contains(p)),
        }
    }

    /// The entry of a function, unless it is a checker, which is analysed where it is used.
    fn entry(&self, function: &Function, program: &mut Program, first: Option<ProcId>) -> Option<Entry> {
        let (name, itself) = (function.name.clone(), function.procedures.first().copied());
        let is_checker = self.only.is_none() && itself.is_some_and(|itself| self.checkers.contains(&itself));
        let assumed = itself.and_then(|itself| unknown_assumption(program, itself, self.with_checkers));
        if let Some(assumed) = assumed.filter(|_| !is_checker) {
            let why = match self.with_checkers {
                true => format!("it assumes `{}`, which is no checker", program[assumed].name),
                false => format!("it assumes `{}`, which the domain of checkers knows", program[assumed].name),
            };
            return Some(Entry { name, procedure: Err(why), specified: false, function: itself });
        }
        let procedure = match function.procedures[..] {
            [procedure] if self.specified.contains(&procedure) => {
                return Some(Entry { name, procedure: Ok(procedure), specified: true, function: itself });
            }
            [procedure] if self.only.is_none() && self.checkers.contains(&procedure) => return None,
            [procedure] => add_caller(program, procedure, first).map_err(|no| {
                let parameter = &program[no.parameter].name;
                format!("there are no arguments to call it with: `{parameter}`, {}", no.why)
            }),
            [] => return None,
            _ => Err("its arguments decide what it allocates or calls".to_string()),
        };
        Some(Entry { name, procedure, specified: false, function: itself })
    }
}

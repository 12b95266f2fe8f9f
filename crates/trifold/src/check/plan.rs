//! Where the analysis of a file starts.

use crate::Refused;
use crate::arguments::{CheckOptions, DomainChoice};
use crate::source::{self, Function, Translated};
use trifold_ir::{ProcId, validate};
use trifold_passes::add_caller;

/// Where an analysis starts.
pub struct Root {
    /// The function.
    pub name: String,
    /// The procedure to start with, or why there is none.
    pub procedure: Result<ProcId, String>,
    /// Does the function say with checkers what its arguments are?
    pub specified: bool,
    /// The function itself, if nobody in the program calls it.
    pub function: Option<ProcId>,
}

/// What is known about global variables when a function is called from elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Globals {
    /// They have been initialised, by this procedure if it takes one.
    Initialised(Option<ProcId>),
    /// Nothing: whatever the program did before.
    Unknown,
}

/// What is to be analysed.
pub struct Plan {
    pub translated: Translated,
    pub roots: Vec<Root>,
    pub globals: Globals,
    pub assumptions: Vec<String>,
}

/// What is assumed of functions that say with checkers what their arguments are.
const SPECIFIED: &str = "functions that say with checkers what their arguments are get such ones, in memory of their own, \
    and fields that the checkers do not mention have some value";

/// What is assumed of functions with contracts that may be called from elsewhere.
const CONTRACTS: &str = "functions with contracts are called where what they require is the case";

/// What callers are assumed to do.
const CALLERS: [&str; 2] = [
    "pointer arguments are null, or lead to lists and trees that share nothing; void pointers are null",
    "when a function is called, global variables have the values that they are initialised with",
];

/// Functions with contracts, whose bodies are verified by themselves wherever they are called from.
fn bodies(translated: &Translated, options: &CheckOptions) -> Vec<Root> {
    let mut roots = Vec::new();
    for (stands, contract) in &translated.program.contracts {
        let meant = |function: &&Function| function.procedures.contains(&contract.of);
        let Some(function) = translated.functions.iter().find(meant) else { continue };
        let procedure = match options.domain {
            DomainChoice::Tvl => Err("contracts are verified in the domain of checkers".to_string()),
            _ => Ok(*stands),
        };
        roots.push(Root { name: function.name.clone(), procedure, specified: true, function: Some(*stands) });
    }
    roots
}

impl Plan {
    pub fn new(file: &str, options: &CheckOptions) -> Result<Plan, Refused> {
        let plan = match options.entry.as_deref() {
            None | Some("main") => Plan::program(file, options)?,
            Some(_) => None,
        };
        let mut plan = plan.map_or_else(|| Plan::functions(file, options), Ok)?;
        // What stands for a function is part of it.
        let Translated { program, functions, .. } = &mut plan.translated;
        for (stands, contract) in &program.contracts {
            let meant = functions.iter_mut().find(|function| function.procedures.contains(&contract.of));
            meant.into_iter().for_each(|function| function.procedures.push(*stands));
        }
        // A translation that is not well formed is a mistake of this program, which must not look like a result.
        match validate(&plan.translated.program) {
            Ok(()) => Ok(plan),
            Err(errors) => {
                let texts: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
                Err(Refused::new(format!("the translation of {file} is not well formed: {}", texts.join("; "))))
            }
        }
    }

    /// From `main`, if there is one.
    fn program(file: &str, options: &CheckOptions) -> Result<Option<Plan>, Refused> {
        let mut translated = source::read(file, Some("main"), &options.source)?;
        if translated.program.entry.is_some() && options.leaks_at_exit {
            trifold_passes::clear_at_exit(&mut translated.program);
        }
        let Some(entry) = translated.program.entry else { return Ok(None) };
        let mut roots = bodies(&translated, options);
        roots.push(Root { name: "main".to_string(), procedure: Ok(entry), specified: false, function: None });
        Ok(Some(Plan { translated, roots, globals: Globals::Unknown, assumptions: Vec::new() }))
    }

    /// From one function, or from all that can be called from elsewhere.
    fn functions(file: &str, options: &CheckOptions) -> Result<Plan, Refused> {
        let mut translated = source::read(file, None, &options.source)?;
        let (specified, checkers) = match options.domain {
            DomainChoice::Tvl => Default::default(),
            _ => (trifold_heap_sl::specified(&translated.program), trifold_heap_sl::checkers(&translated.program)),
        };
        let says = |procedure: &ProcId| specified.contains(procedure);
        let wanted = |function: &&Function| match options.entry.as_deref() {
            Some(entry) => entry == function.name,
            None => function.is_root || function.procedures.iter().any(says),
        };
        let wanted: Vec<Function> = translated.functions.iter().filter(wanted).cloned().collect();
        let first = translated.program.entry;
        let mut roots = bodies(&translated, options);
        let has_contracts = !roots.is_empty();
        for function in &wanted {
            if roots.iter().any(|root| root.name == function.name) {
                continue;
            }
            if let [procedure] = function.procedures[..] {
                if says(&procedure) {
                    let (name, itself) = (function.name.clone(), Some(procedure));
                    roots.push(Root { name, procedure: Ok(procedure), specified: true, function: itself });
                    continue;
                }
                // A checker is looked at where it is used.
                if options.entry.is_none() && checkers.contains(&procedure) {
                    continue;
                }
            }
            let procedure = match function.procedures[..] {
                [procedure] => add_caller(&mut translated.program, procedure, first).map_err(|no| {
                    format!(
                        "there are no arguments to call it with: `{}`, {}",
                        translated.program[no.parameter].name, no.why
                    )
                }),
                [] => continue,
                _ => Err("its arguments decide what it allocates or calls".to_string()),
            };
            let itself = function.procedures.first().copied();
            roots.push(Root { name: function.name.clone(), procedure, specified: false, function: itself });
        }
        if roots.is_empty() {
            return Err(Refused::new(match &options.entry {
                Some(entry) => format!("{file} defines no function `{entry}`"),
                None => format!(
                    "{file} defines no function that can be called from elsewhere, so there is nothing to check"
                ),
            }));
        }
        let mut assumptions = Vec::new();
        if has_contracts {
            assumptions.push(CONTRACTS.to_string());
        } else if roots.iter().any(|root| root.specified) {
            assumptions.push(SPECIFIED.to_string());
        }
        if roots.iter().any(|root| !root.specified) {
            assumptions.extend(CALLERS.map(str::to_string));
        }
        Ok(Plan { translated, roots, globals: Globals::Initialised(first), assumptions })
    }
}

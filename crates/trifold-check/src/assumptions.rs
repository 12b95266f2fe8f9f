//! The assumptions about callers that a report names. For example, that a module is used by one thread.

use crate::options::Language;
use crate::plan::{Globals, Plan};
use crate::report::{EntryReport, Manner};

/// The assumption about functions that describe their arguments with checkers.
const SPECIFIED: &str = "functions that say with checkers what their arguments are get such ones, in memory of their own, \
    and fields that the checkers do not mention have some value";

/// The assumption about functions with contracts that may be called from elsewhere.
const CONTRACTS: &str = "functions with contracts are called where their preconditions hold";

/// The assumption about users of an interface.
const INTERFACE: &str = "proved means for every use of the interface by one thread: objects are made, used in any order and ended by \
    its own functions, as in the client that `trifold client` shows";

/// The assumptions about users of classes in Java.
const CLASSES: [&str; 2] = [
    "proved means for every use of these classes by one thread: objects are made by constructors, and public methods are called in any \
     order, until one throws an exception on purpose",
    "arguments are not null; elements, and objects that implement interfaces, have methods with any result, which change nothing",
];

/// Said if clients let allocations fail.
const ALLOCATIONS: &str = "allocations may fail, since the module looks whether they do";

/// The assumptions about other callers.
const CALLERS: [&str; 2] = [
    "functions that nothing calls get arguments that are made up: pointers are null, or lead to lists and trees",
    "when a function is called, global variables have the values that they are initialised with",
];

/// What a verdict on a function says if the program was too large.
const PARTS: &str = "the program is too large to be analysed from `main`, so its functions were analysed one by one: \
    what is said of each of them holds for itself, and the program is not proved by it";

/// The assumptions about callers that these analyses rely on.
pub fn assumptions(plan: &Plan, analyses: &[EntryReport]) -> Vec<String> {
    if !plan.translated.is_library && !plan.is_of_parts {
        return Vec::new();
    }
    let mut assumptions = Vec::new();
    if plan.is_of_parts {
        assumptions.push(PARTS.to_string());
    } else if !plan.translated.program.contracts.is_empty() {
        assumptions.push(CONTRACTS.to_string());
    } else if plan.entries.iter().any(|entry| entry.specified) {
        assumptions.push(SPECIFIED.to_string());
    }
    let has = |manner: Manner| analyses.iter().any(|analysis| analysis.manner == manner);
    if has(Manner::Client) && plan.translated.language == Language::Java {
        assumptions.extend(CLASSES.map(String::from));
    } else if has(Manner::Client) {
        assumptions.push(INTERFACE.to_string());
        if plan.translated.client.as_ref().is_some_and(|code| code.clients.allocations_may_fail) {
            assumptions.push(ALLOCATIONS.to_string());
        }
    }
    if has(Manner::Caller) || plan.is_of_parts {
        assumptions.push(CALLERS[0].to_string());
    }
    if has(Manner::Caller) && matches!(plan.globals, Globals::Initialised(Some(_))) {
        assumptions.push(CALLERS[1].to_string());
    }
    assumptions
}

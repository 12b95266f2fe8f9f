//! The assumptions that a report names, most of them about callers. For example, that a module is used by one thread.

use crate::options::Language;
use crate::plan::{Globals, Plan};
use crate::report::{EntryReport, Manner};
use trifold_heap_sl::MAX_LENGTH;

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
    "arguments are not null, and arrays are of the class that is declared; elements, and objects that implement interfaces, have methods with any result, which change nothing",
];

/// Said if objects that clients make meet.
const APART: &str = "without sharing: an object that is given to another one is not used by itself any more, none is given twice, \
    a list is not changed while an iterator is on it, and static variables belong to one object";

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

/// The assumptions that these analyses rely on.
pub fn assumptions(plan: &Plan, analyses: &[EntryReport]) -> Vec<String> {
    let mut assumptions = about_callers(plan, analyses);
    let mut outcomes = analyses.iter().filter_map(|analysis| analysis.outcome.as_ref().ok());
    if outcomes.any(|outcome| outcome.counts_lengths) {
        assumptions.push(format!("no list has more than {MAX_LENGTH} elements, which would be 32 GB of memory"));
    }
    assumptions
}

fn about_callers(plan: &Plan, analyses: &[EntryReport]) -> Vec<String> {
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
    let is_client = has(Manner::Client) || has(Manner::ClientApart);
    if has(Manner::ClientApart) {
        assumptions.push(APART.to_string());
    }
    if is_client && plan.translated.language == Language::Java {
        assumptions.extend(CLASSES.map(String::from));
    } else if is_client {
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

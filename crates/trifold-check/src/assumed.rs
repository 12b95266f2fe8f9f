//! Functions that are defined nowhere, and the assumption about them on which a result depends. For example, a call of
//! `log_value(3)` without a definition of it is listed with its place.

use crate::source::Translated;
use serde::Serialize;
use std::collections::BTreeSet;
use trifold_ir::ProcId;

/// So many are named.
const SHOWN: usize = 5;

/// A function that is defined nowhere: what is said of the program holds if it does what is assumed.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct AssumedFunction {
    /// Its name.
    pub function: String,
    /// The file of its first call that is reached.
    pub path: String,
    /// The line of that.
    pub line: usize,
}

/// The functions that are defined nowhere and called in procedures that are reached.
pub(crate) fn assumed(translated: &Translated, reached: &BTreeSet<ProcId>) -> Vec<AssumedFunction> {
    let mut functions: Vec<AssumedFunction> = Vec::new();
    for call in translated.assumed.iter().filter(|call| reached.contains(&call.procedure)) {
        if functions.iter().all(|known| known.function != call.name) {
            let (path, at) = translated.sources.locate(call.span);
            functions.push(AssumedFunction { function: call.name.clone(), path: path.to_string(), line: at.line });
        }
    }
    functions
}

/// What is assumed of functions that are defined nowhere.
pub(crate) fn assumption(assumed: &[AssumedFunction]) -> Option<String> {
    let names: Vec<String> = assumed.iter().take(SHOWN).map(|known| format!("`{}`", known.function)).collect();
    let more = match assumed.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!names.is_empty()).then(|| format!("{}{more}, defined nowhere: {ASSUMED}", names.join(", ")))
}

/// What is assumed of a function that is defined nowhere.
const ASSUMED: &str = "such a function returns any value of its type, may change numbers whose addresses it gets or \
    that other files know, frees nothing, keeps no pointer and calls no function of the program";

//! What is known of the classes of objects beyond the types of class files. For example, a field `Object item` that
//! only ever has texts.

use crate::classes::MethodId;
use std::collections::BTreeMap;

/// Classes that are more special than the types of class files.
#[derive(Debug, Default)]
pub(crate) struct Refined {
    /// What an instruction computes.
    pub values: BTreeMap<(MethodId, usize), String>,
    /// Parameters, without the receiver.
    pub parameters: BTreeMap<(MethodId, usize), String>,
    pub results: BTreeMap<MethodId, String>,
    /// By class, name and descriptor.
    pub fields: BTreeMap<(String, String, String), String>,
    pub elements: Option<String>,
}

//! Elements of [arrays of pointers](super::pointer_array), and the [cursors](super::counted_loop) of loops over them.
//!
//! For example, `struct node *table[64]` is an object of the struct `array`, with 64 objects of the struct `element`.

use crate::typed::DeclarationId;
use trifold_ir::{Condition, FieldId, Operand, StructId, VarId};

/// The structs of the arrays of pointers of one type, with their fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointerArray {
    pub array: StructId,
    pub count: FieldId,
    pub before: FieldId,
    pub finger: FieldId,
    pub at: FieldId,
    pub element: StructId,
    pub value: FieldId,
    pub next: FieldId,
}

/// The element of an array that a loop has come to.
#[derive(Clone)]
pub(super) struct Cursor {
    /// The index of the loop.
    pub counter: DeclarationId,
    /// The expression that leads to the array.
    pub path: Vec<usize>,
    pub known: PointerArray,
    pub element: VarId,
    /// Is there an element yet?
    pub is_set: VarId,
    /// The length of the array.
    pub length: VarId,
}

/// A pointer to an element is not at the end.
pub(super) fn is_element(pointer: VarId) -> Condition {
    Condition::Pointers { left: Operand::Pointer(pointer), right: Operand::Null, equal: false }
}

//! Limits that keep any input, however adversarial, from exhausting memory or the stack.
//!
//! Each is far above the needs of real programs, and exceeding one is a diagnostic, not a silent cut.

/// Nesting of constructs that the parser reads by recursion: parentheses, braces, declarators, statements, operands of
/// unary operators.
pub const MAX_DEPTH: u32 = 200;
/// Height of an expression's tree. Chains such as `a + b + c` are read without recursion, but later passes are
/// recursive.
pub const MAX_HEIGHT: u16 = 400;
/// Pointers, arrays and functions within each other in one type.
pub const MAX_TYPE_DEPTH: u16 = 200;
/// Bytes of one object.
pub const MAX_OBJECT_SIZE: u64 = i64::MAX as u64;
/// Bytes of text of one translation unit.
pub const MAX_BYTES: usize = 256 << 20;

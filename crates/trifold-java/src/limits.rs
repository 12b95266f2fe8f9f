//! Limits that keep any input, however adversarial, from exhausting memory or the stack. Exceeding one is a diagnostic.

/// Nesting of constructs that the parser reads by recursion: parentheses, braces, statements, classes.
pub const MAX_DEPTH: u32 = 150;
/// Height of an expression's tree. Chains such as `a + b + c` are read without recursion, but translation is recursive.
pub const MAX_HEIGHT: u16 = 300;
/// Bytes of a file.
pub const MAX_BYTES: usize = 16 << 20;

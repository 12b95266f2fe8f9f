//! Limits that keep any input, however adversarial, from exhausting memory, stack or patience.
//!
//! Each is far above the needs of real specifications, and exceeding one is a diagnostic, not a silent cut.

/// Files included within each other.
pub const MAX_INCLUDE_DEPTH: usize = 64;
/// `#include` directives carried out in one run.
pub const MAX_INCLUDES: usize = 10_000;
/// Bytes of text read in one run.
pub const MAX_BYTES: usize = 32 << 20;
/// Tokens of one directive, or of the arguments of one macro call.
pub const MAX_LINE_TOKENS: usize = 1_000_000;
/// Parameters of a macro.
pub const MAX_MACRO_PARAMETERS: usize = 256;
/// Tokens that reach the parser.
pub const MAX_TOKENS: usize = 4_000_000;
/// Tokens, and bytes of pasted text, produced by macros in one run.
pub const MAX_MACRO_OUTPUT: usize = 2_000_000;
/// Macros expanded within each other's expansions.
pub const MAX_MACRO_DEPTH: u32 = 200;
/// Nesting of parentheses, quantifiers, negations and the like, also of `foreach` and names.
pub const MAX_DEPTH: u32 = 200;
/// Nodes of one formula after expansion, shared subformulas counted at each occurrence.
pub const MAX_FORMULA_NODES: u64 = 20_000;
/// Free variables of one formula.
pub const MAX_FREE_VARIABLES: usize = 100;
/// Work of expansion in one run: formula nodes, set members, and more for iterations and declarations.
pub const MAX_EXPANSION: u64 = 6_000_000;
/// Bytes of a name with brackets after expansion.
pub const MAX_NAME_BYTES: usize = 4096;
/// Words of all structures read from one file.
pub const MAX_STRUCTURE_WORDS: u64 = 64 << 20;

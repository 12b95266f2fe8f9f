//! Computations: what a run computes where an analysis takes any value.
//!
//! Heap programs have integers and pointers. A front end expresses the other numbers of its language as integers of
//! which an analysis knows nothing, `i = nondet as float_less_64(x, y)`: any value for an analysis, and just the one
//! that the program computes for a [run](crate::interpret). So an analysis never sees more than [`Meaning`], and what
//! a run shows is real.
//!
//! | number | is in a run |
//! | --- | --- |
//! | a float | the bits of its IEEE 754 format |
//! | a block of memory: a long array, a union | the name of its bytes, or eight bytes that are repeated |
//! | text | a block, or a pointer to its first character |
//!
//! Where nobody computes a value, as that of `sin(x)`, it is [unknown](Operation::Unknown): a run takes some value, and
//! is inexact as soon as its way depends on it. An inexact run proves nothing.

use crate::ids::VarId;
use crate::operand::Operand;

/// What any value of an analysis is in a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    /// It is open, as input is: each value is that of some run.
    Open,
    /// A run computes it.
    Computed(Operation, Vec<Operand>),
}

impl Meaning {
    /// A value that nobody computes.
    pub fn unknown(cause: Cause) -> Meaning {
        Meaning::Computed(Operation::Unknown(cause), Vec::new())
    }

    /// Calls `visit` with every variable that a run reads. An analysis reads none of them.
    pub fn for_each_variable(&self, visit: &mut dyn FnMut(VarId)) {
        if let Meaning::Computed(_, arguments) = self {
            arguments.iter().for_each(|argument| argument.for_each_variable(visit));
        }
    }
}

/// Why a value is not computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// A float of a format that is not computed, or a function of floats.
    Float,
    /// Characters that are not kept.
    Text,
    /// Memory that is not kept byte by byte.
    Memory,
    /// What a library function returns or writes.
    Library,
    /// An element of an array that is not kept.
    Element,
    /// Memory that has no value yet.
    Uninitialised,
}

impl Cause {
    /// All of them with their names in the text of heap programs, and for people.
    const ALL: [(Cause, &'static str, &'static str); 6] = [
        (Cause::Float, "float", "a float that is not computed"),
        (Cause::Text, "text", "characters that are not kept"),
        (Cause::Memory, "memory", "memory that is not kept byte by byte"),
        (Cause::Library, "library", "the result of a function that is not computed"),
        (Cause::Element, "element", "an element of an array that is not kept"),
        (Cause::Uninitialised, "uninitialised", "memory that has no value yet"),
    ];

    /// What a run depends on then.
    pub fn text(self) -> &'static str {
        Cause::ALL.iter().find(|(cause, ..)| *cause == self).map_or("", |(.., text)| text)
    }
}

/// A format of floats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// Of 32 bits.
    Single,
    /// Of 64 bits.
    Double,
}

impl Format {
    /// Its bits.
    pub fn bits(self) -> u8 {
        match self {
            Format::Single => 32,
            Format::Double => 64,
        }
    }
}

macro_rules! operations {
    ($(#[$doc:meta])* $name:ident { $($(#[$case_doc:meta])* $case:ident = $text:literal, $arity:expr;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name {
            $($(#[$case_doc])* $case,)*
        }

        impl $name {
            /// All of them with their names, and how many arguments they have.
            const ALL: &'static [($name, &'static str, usize)] = &[$(($name::$case, $text, $arity),)*];
        }
    };
}

operations! {
    /// What is done with floats of a format.
    FloatOp {
        /// `x + y`
        Add = "add", 2;
        /// `x - y`
        Subtract = "subtract", 2;
        /// `x * y`
        Multiply = "multiply", 2;
        /// `x / y`
        Divide = "divide", 2;
        /// `-x`
        Negate = "negate", 1;
        /// `x == y`
        Equal = "equal", 2;
        /// `x != y`
        NotEqual = "not_equal", 2;
        /// `x < y`
        Less = "less", 2;
        /// `x <= y`
        LessEqual = "less_equal", 2;
        /// `x > y`
        Greater = "greater", 2;
        /// `x >= y`
        GreaterEqual = "greater_equal", 2;
        /// From an integer, rounded.
        FromInteger = "from_integer", 1;
        /// To an integer, towards zero. A number that is none of the type's is not computed.
        ToInteger = "to_integer", 1;
        /// To the other format, rounded.
        Resize = "resize", 1;
        /// The absolute value.
        Absolute = "absolute", 1;
        /// The square root.
        SquareRoot = "square_root", 1;
        /// The greatest integer that is not greater.
        Floor = "floor", 1;
        /// The least integer that is not less.
        Ceiling = "ceiling", 1;
    }
}

operations! {
    /// What is done with text. Each text is two arguments: a block and how many bytes it has, or a pointer to the first
    /// character and a number that does not count.
    TextOp {
        /// `strlen(s)`
        Length = "length", 2;
        /// `strnlen(s, n)`
        LengthAtMost = "length_at_most", 3;
        /// `strcmp(s, t)`: -1, 0 or 1
        Compare = "compare", 4;
        /// `strncmp(s, t, n)`
        CompareAtMost = "compare_at_most", 5;
        /// `strcasecmp(s, t)`
        CompareLetters = "compare_letters", 4;
        /// `strncasecmp(s, t, n)`
        CompareLettersAtMost = "compare_letters_at_most", 5;
        /// `memcmp(s, t, n)`
        CompareBytes = "compare_bytes", 5;
        /// `strspn(s, t)`
        Span = "span", 4;
        /// `strcspn(s, t)`
        SpanWithout = "span_without", 4;
        /// `atoi(s)`
        Number = "number", 2;
        /// The text without its first character, as a block
        Rest = "rest", 2;
        /// The block of `strcpy(s, t)`
        Copy = "copy", 4;
        /// The block of `strncpy(s, t, n)`
        CopyAtMost = "copy_at_most", 5;
    }
}

/// What a run computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// Nothing: it takes some value.
    Unknown(Cause),
    /// On floats.
    Float(FloatOp, Format),
    /// On text.
    Text(TextOp),
    /// The integer that is so many bytes of a block, from an offset on: `read_4(block, offset)`. The least byte comes
    /// first.
    Read(u8),
    /// The block after so many bytes of it are those of an integer: `write_4(block, offset, value)`.
    Write(u8),
    /// A block of integers of so many bytes each.
    Pack(u8),
    /// The block after bytes of another one were copied to it: `move(block, offset, from, offset, count)`.
    Move,
    /// The block after bytes of it were set: `fill(block, offset, byte, count)`.
    Fill,
}

/// The sizes of numbers in blocks.
const SIZES: [u8; 4] = [1, 2, 4, 8];

impl Operation {
    /// All of them, with their names and how many arguments they have; any number if that is not said.
    fn all() -> impl Iterator<Item = (Operation, String, Option<usize>)> {
        let unknown =
            Cause::ALL.iter().map(|(cause, name, _)| (Operation::Unknown(*cause), format!("unknown_{name}"), Some(0)));
        let formats = [Format::Single, Format::Double];
        let floats = FloatOp::ALL.iter().flat_map(move |(op, name, arity)| {
            formats.map(|f| (Operation::Float(*op, f), format!("float_{name}_{}", f.bits()), Some(*arity)))
        });
        let texts =
            TextOp::ALL.iter().map(|(op, name, arity)| (Operation::Text(*op), format!("text_{name}"), Some(*arity)));
        let blocks = SIZES.into_iter().flat_map(|size| {
            [
                (Operation::Read(size), format!("read_{size}"), Some(2)),
                (Operation::Write(size), format!("write_{size}"), Some(3)),
                (Operation::Pack(size), format!("pack_{size}"), None),
            ]
        });
        let whole = [(Operation::Move, "move".to_string(), Some(5)), (Operation::Fill, "fill".to_string(), Some(4))];
        unknown.chain(floats).chain(texts).chain(blocks).chain(whole)
    }

    /// The name in the text of a heap program.
    pub fn name(self) -> String {
        Operation::all().find(|(operation, ..)| *operation == self).map(|(_, name, _)| name).unwrap_or_default()
    }

    /// The operation with a name.
    pub fn named(name: &str) -> Option<Operation> {
        Operation::all().find(|(_, known, _)| known == name).map(|(operation, ..)| operation)
    }

    /// How many arguments it has; any number if that is not said.
    pub fn arity(self) -> Option<usize> {
        Operation::all().find(|(operation, ..)| *operation == self).and_then(|(.., arity)| arity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for (operation, name, _) in Operation::all() {
            assert_eq!((Operation::named(&name), operation.name()), (Some(operation), name.clone()));
        }
    }
}

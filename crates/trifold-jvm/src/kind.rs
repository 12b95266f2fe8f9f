//! Kinds of values: what the Java machine tells apart on its stack, and in arrays. For example, a `char` is an `int` on
//! the stack, and has two bytes in an array.

/// A kind of values on the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Int,
    Long,
    Float,
    Double,
    Ref,
}

impl Kind {
    pub fn is_wide(self) -> bool {
        matches!(self, Kind::Long | Kind::Double)
    }
}

/// What the elements of an array are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Element {
    /// Bytes and Booleans, which have the same instructions.
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Ref,
}

impl Element {
    pub fn kind(self) -> Kind {
        match self {
            Element::Byte | Element::Char | Element::Short | Element::Int => Kind::Int,
            Element::Long => Kind::Long,
            Element::Float => Kind::Float,
            Element::Double => Kind::Double,
            Element::Ref => Kind::Ref,
        }
    }

    /// How many bytes a number has.
    pub fn size(self) -> u8 {
        match self {
            Element::Byte => 1,
            Element::Char | Element::Short => 2,
            Element::Int | Element::Float => 4,
            Element::Long | Element::Double | Element::Ref => 8,
        }
    }
}

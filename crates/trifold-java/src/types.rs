//! Types of values, with generics erased. For example, `List<String>` is the class `List`.

use trifold_ir::Scalar;

/// A class or interface of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ClassId(pub usize);

/// A class of the library whose objects hold nothing that is analysed: strings, boxed numbers, arrays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LibraryId(pub usize);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Type {
    Void,
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    /// The values of floating numbers are not kept.
    Float,
    Double,
    /// That of `null`.
    Null,
    Class(ClassId),
    Library(LibraryId),
    /// Any reference: `Object`, a type variable, a class that is not known here.
    Object,
}

impl Type {
    pub fn primitive(name: &str) -> Type {
        match name {
            "boolean" => Type::Boolean,
            "byte" => Type::Byte,
            "short" => Type::Short,
            "char" => Type::Char,
            "int" => Type::Int,
            "long" => Type::Long,
            "float" => Type::Float,
            "double" => Type::Double,
            _ => Type::Void,
        }
    }

    /// The scalar of heap programs, if values are kept.
    pub fn scalar(self) -> Option<Scalar> {
        let int = |signed, bits| Some(Scalar::Int { signed, bits });
        match self {
            Type::Boolean => Some(Scalar::Bool),
            Type::Byte => int(true, 8),
            Type::Short => int(true, 16),
            Type::Char => int(false, 16),
            Type::Int => int(true, 32),
            Type::Long => int(true, 64),
            _ => None,
        }
    }

    pub fn is_reference(self) -> bool {
        matches!(self, Type::Null | Type::Class(_) | Type::Library(_) | Type::Object)
    }

    pub fn is_numeric(self) -> bool {
        self.rank().is_some()
    }

    pub fn is_floating(self) -> bool {
        matches!(self, Type::Float | Type::Double)
    }

    /// Numbers convert to those of higher rank.
    fn rank(self) -> Option<u8> {
        Some(match self {
            Type::Byte => 1,
            Type::Short => 2,
            Type::Char => 2,
            Type::Int => 3,
            Type::Long => 4,
            Type::Float => 5,
            Type::Double => 6,
            _ => return None,
        })
    }

    /// The type in which numbers of these two are added.
    pub fn promoted(self, other: Type) -> Type {
        [Type::Double, Type::Float, Type::Long].into_iter().find(|t| [self, other].contains(t)).unwrap_or(Type::Int)
    }

    /// Does a number of this type become one of the other without a cast?
    pub fn widens_to(self, other: Type) -> bool {
        let both = self.rank().zip(other.rank());
        self == other || other != Type::Char && both.is_some_and(|(from, to)| from < to)
    }
}

//! Class files as they are used: names are text, jumps lead to positions in the list of instructions.
//!
//! For example, `x = x.next` of a method is `Load(Ref, 0)`, `GetField(List.next)`, `Store(Ref, 0)`.

use crate::descriptor::MethodDescriptor;
pub(crate) use crate::kind::{Element, Kind};

/// Flags of classes, fields and methods.
pub(crate) mod access {
    pub const PRIVATE: u16 = 0x0002;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const SYNTHETIC: u16 = 0x1000;
}

/// A class or interface.
#[derive(Debug)]
pub(crate) struct ClassFile {
    /// With slashes, `java/util/List`.
    pub name: String,
    pub superclass: Option<String>,
    pub interfaces: Vec<String>,
    pub access: u16,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    /// The file that it was compiled from, without its directory.
    pub source: Option<String>,
    /// If it is declared inside of another one: how.
    pub nested: Option<Nested>,
}

/// How a class is declared inside of another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nested {
    pub access: u16,
    /// Does it have a name there? Local and anonymous classes have none.
    pub is_member: bool,
}

impl ClassFile {
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    pub fn is_abstract(&self) -> bool {
        self.access & (access::ABSTRACT | access::INTERFACE) != 0
    }
}

#[derive(Debug)]
pub(crate) struct Field {
    pub name: String,
    pub descriptor: String,
    pub access: u16,
    /// Its value from the beginning on, if it is static.
    pub constant: Option<Constant>,
}

impl Field {
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }
}

#[derive(Debug)]
pub(crate) struct Method {
    pub name: String,
    pub descriptor: String,
    pub signature: MethodDescriptor,
    pub access: u16,
    /// Nothing for methods that are abstract or native; a reason where it cannot be read.
    pub code: Result<Option<Code>, String>,
}

impl Method {
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }

    pub fn is_private(&self) -> bool {
        self.access & access::PRIVATE != 0
    }

    pub fn is_abstract(&self) -> bool {
        self.access & access::ABSTRACT != 0
    }
}

#[derive(Debug, Default)]
pub(crate) struct Code {
    pub max_locals: u16,
    pub instructions: Vec<Instruction>,
    /// In the order in which they are asked.
    pub handlers: Vec<Handler>,
    /// From which position on which line; sorted.
    pub lines: Vec<(usize, u32)>,
    pub locals: Vec<LocalName>,
}

impl Code {
    /// The line of an instruction.
    pub fn line(&self, at: usize) -> Option<u32> {
        let after = self.lines.partition_point(|(start, _)| *start <= at);
        after.checked_sub(1).map(|index| self.lines[index].1)
    }

    /// The name and the descriptor of a local variable.
    pub fn local(&self, slot: u16, at: usize) -> Option<&LocalName> {
        self.locals.iter().find(|local| local.slot == slot && (local.start..local.end).contains(&at))
    }

    /// The handlers of an instruction, in their order.
    pub fn handlers_at(&self, at: usize) -> impl Iterator<Item = &Handler> {
        self.handlers.iter().filter(move |handler| (handler.start..handler.end).contains(&at))
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Instruction {
    pub op: Op,
}

#[derive(Debug, Clone)]
pub(crate) struct Handler {
    /// The instructions that it is for; the end is not one of them.
    pub start: usize,
    pub end: usize,
    pub handler: usize,
    /// Nothing: whatever is thrown.
    pub catches: Option<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct LocalName {
    pub slot: u16,
    pub start: usize,
    pub end: usize,
    pub name: String,
    pub descriptor: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    GreaterEqual,
    Greater,
    LessEqual,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Constant {
    Null,
    Int(i32),
    Long(i64),
    /// The bits.
    Float(u32),
    Double(u64),
    /// The units of UTF-16.
    Text(Vec<u16>),
    Class(String),
    /// A method handle, a method type, or a constant that a method computes.
    Other(&'static str),
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MemberRef {
    pub class: String,
    pub name: String,
    pub descriptor: String,
    /// Does the class file say that the class is an interface?
    pub is_interface: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Invoke {
    Virtual,
    Special,
    Static,
}

/// A call site whose target a bootstrap method finds.
#[derive(Debug, Clone)]
pub(crate) struct Dynamic {
    pub name: String,
    pub descriptor: String,
    /// The class and the name of the bootstrap method.
    pub bootstrap: (String, String),
    pub arguments: Vec<BootstrapArgument>,
}

#[derive(Debug, Clone)]
pub(crate) enum BootstrapArgument {
    Constant,
    /// `invokeStatic` and so on, with its number in the class file format.
    Handle(u8, MemberRef),
    MethodType(String),
}

#[derive(Debug, Clone)]
pub(crate) enum Op {
    Nop,
    Const(Constant),
    Load(Kind, u16),
    Store(Kind, u16),
    ArrayLoad(Element),
    ArrayStore(Element),
    ArrayLength,
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
    Binary(Arithmetic, Kind),
    Negate(Kind),
    Increment(u16, i32),
    Convert(Kind, Kind),
    /// To a byte, a character or a short number, and back to `int`.
    Narrow(Element),
    CompareLong,
    /// The result if one of them is no number.
    CompareFloat(Kind, i32),
    /// A number with zero.
    If(Comparison, usize),
    /// Two numbers.
    IfInt(Comparison, usize),
    /// Two references: are they the same?
    IfRef(bool, usize),
    /// Is it null?
    IfNull(bool, usize),
    Goto(usize),
    Switch(Vec<(i32, usize)>, usize),
    Return(Option<Kind>),
    GetStatic(MemberRef),
    PutStatic(MemberRef),
    GetField(MemberRef),
    PutField(MemberRef),
    Invoke(Invoke, MemberRef),
    InvokeDynamic(Box<Dynamic>),
    New(String),
    /// Of a class of arrays, such as `[I`.
    NewArray(String),
    MultiNewArray(String, u8),
    CheckCast(String),
    InstanceOf(String),
    Monitor,
    Throw,
}

impl Op {
    /// Where a jump may lead, and whether the next instruction may follow.
    pub fn successors(&self) -> (Vec<usize>, bool) {
        match self {
            Op::If(_, to) | Op::IfInt(_, to) | Op::IfRef(_, to) | Op::IfNull(_, to) => (vec![*to], true),
            Op::Goto(to) => (vec![*to], false),
            Op::Switch(cases, default) => (cases.iter().map(|(_, to)| *to).chain([*default]).collect(), false),
            Op::Return(_) | Op::Throw => (Vec::new(), false),
            _ => (Vec::new(), true),
        }
    }
}

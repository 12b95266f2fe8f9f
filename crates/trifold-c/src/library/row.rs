//! The columns of the table of library functions.
//!
//! Arguments are numbered from zero.

use trifold_ir::Region;

/// What is known about a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// A star at the end stands for any further characters.
    pub name: &'static str,
    /// Who declares it.
    pub header: Header,
    pub parameters: &'static [Parameter],
    /// What further arguments are, if there can be some.
    pub rest: Option<Parameter>,
    pub result: Returned,
    /// How a call is translated, if that does not follow from the other columns.
    pub special: Option<Special>,
    /// Does the name say that a call may be a failure, whatever the body is? Programs that are written to be verified
    /// define such functions only so that they can be compiled. All others do what their bodies say.
    pub overrides_body: bool,
}

impl Row {
    /// What rows of a header have in common.
    pub const fn of(header: Header) -> Row {
        let (parameters, rest, result) = (&[], None, Returned::Nothing);
        Row { name: "", header, parameters, rest, result, special: None, overrides_body: false }
    }
}

/// Who declares a function, and so who can say whether a row is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Header {
    /// A header of the system.
    System(&'static str),
    /// A header of the system, which defines it as a macro.
    Macro(&'static str),
    /// GNU C has it built in: `prelude.h` declares it.
    BuiltIn,
    /// Programs themselves: who verifies programs has agreed on the name.
    Verifier,
    /// The kernel of Linux.
    Kernel,
    /// Headers of former times.
    Former,
}

/// What an argument must be, and what happens to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parameter {
    pub role: Role,
    pub null: Null,
}

/// May a pointer be null?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Null {
    /// Then the behaviour is undefined.
    Never,
    Allowed,
    /// If its size is zero.
    IfEmpty,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// An integer, of which only the value counts.
    Number,
    /// A floating number.
    Real,
    /// A pointer that is not followed.
    Address,
    /// Text that is read up to its zero.
    Text,
    /// The same, but no more characters than an argument says.
    TextAtMost(usize),
    /// Memory that is read.
    Read(Size),
    /// Memory that is written, as a whole or a part of it. It need not be initialised.
    Written(Size),
    /// An object on the heap, which is freed.
    Freed,
    /// An object on the heap, which is freed if there is memory for a new one with the same contents.
    Resized,
    /// An open stream.
    Stream,
    /// An open stream, which is closed.
    Closed,
    /// A format of `printf`, and what it asks for.
    PrintFormat,
    Printed,
    /// A format of `scanf`, and what it asks for: pointers to what is written.
    ScanFormat,
    Scanned,
    /// A list of further arguments.
    ArgumentList,
    /// Anything that has a value.
    Any,
}

/// How many bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    /// What an argument says.
    Argument(usize),
    /// What two arguments say, multiplied.
    Product(usize, usize),
    /// What the text of an argument has, with its zero.
    OfText(usize),
    /// The same, but no more characters than another argument says, and a zero.
    OfTextAtMost(usize, usize),
    /// One object of the type that the parameter points to.
    Object,
}

/// What comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Returned {
    /// It returns, without a value.
    Nothing,
    /// It does not return.
    Never,
    /// An integer, which follows from the arguments and from what was done before.
    Number,
    /// A floating number.
    Real,
    /// A value from outside, another one each time: any of its type, or one from the first to the second.
    Input(Option<(i128, i128)>),
    /// An argument.
    SameAs(usize),
    /// A new object; null instead, if it may fail.
    Fresh { size: Size, zeroed: bool, region: Region, may_fail: bool },
    /// That is not known.
    Unknown,
}

/// Treatments that are functions of their own in the translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Special {
    /// Runs in which the argument is zero do not count.
    Assume,
    /// The argument must not be zero.
    Assert,
    /// To be called is the error.
    Fail,
    /// Its first argument, also where that decides how execution goes on.
    Expect,
    /// Writes numbers by a format.
    Scan,
    /// Writes one byte everywhere.
    Fill,
    Copy,
    /// Arguments are computed, and that is all. What they lead to is not asked for, not even of text.
    ValuesOnly,
    /// Not analysed; this is what the function does.
    Unsupported(&'static str),
}

const fn never_null(role: Role) -> Parameter {
    Parameter { role, null: Null::Never }
}

pub(crate) const NUMBER: Parameter = never_null(Role::Number);
pub(crate) const REAL: Parameter = never_null(Role::Real);
pub(crate) const ADDRESS: Parameter = never_null(Role::Address);
pub(crate) const TEXT: Parameter = never_null(Role::Text);
pub(crate) const FREED: Parameter = never_null(Role::Freed);
pub(crate) const RESIZED: Parameter = never_null(Role::Resized);
pub(crate) const STREAM: Parameter = never_null(Role::Stream);
pub(crate) const CLOSED: Parameter = never_null(Role::Closed);
pub(crate) const PRINT_FORMAT: Parameter = never_null(Role::PrintFormat);
pub(crate) const PRINTED: Option<Parameter> = Some(never_null(Role::Printed).or_null());
pub(crate) const SCAN_FORMAT: Parameter = never_null(Role::ScanFormat);
pub(crate) const SCANNED: Option<Parameter> = Some(never_null(Role::Scanned));
pub(crate) const ARGUMENT_LIST: Parameter = never_null(Role::ArgumentList);
pub(crate) const ANY: Parameter = never_null(Role::Any).or_null();

/// Text of which no more characters are read than an argument says.
pub(crate) const fn text_at_most(argument: usize) -> Parameter {
    never_null(Role::TextAtMost(argument))
}

pub(crate) const fn read(size: Size) -> Parameter {
    never_null(Role::Read(size))
}

pub(crate) const fn written(size: Size) -> Parameter {
    never_null(Role::Written(size))
}

impl Parameter {
    /// The same, or a null pointer.
    pub const fn or_null(self) -> Parameter {
        Parameter { null: Null::Allowed, ..self }
    }

    /// The same, or a null pointer if the size is zero.
    pub const fn or_null_if_empty(self) -> Parameter {
        Parameter { null: Null::IfEmpty, ..self }
    }
}

//! Syntax trees: the program as it is written, before names and types are resolved.
//!
//! The parser knows which names are types, because the grammar depends on it, and nothing else about their meaning. A
//! tree is never taller than [`crate::limits`] allow, so that recursive passes over it are safe.

use crate::literal::{IntegerLiteral, StringLiteral};
use crate::names::Symbol;
use crate::typed::{AssignOperator, BinaryOperator};
use crate::types::{Basic, FloatKind, Qualifiers};
use trifold_source::{Sink, Span};

/// A name at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub symbol: Symbol,
    pub span: Span,
}

/// The declarations of a file, in their order.
#[derive(Debug)]
pub(crate) struct TranslationUnit {
    pub items: Vec<Item>,
    /// Attributes that change the meaning of a program in ways that are not analysed.
    pub strange: Vec<(Span, &'static str)>,
    /// Errors in the bodies of functions, each of which costs its function only.
    pub in_bodies: Sink,
}

#[derive(Debug)]
pub(crate) enum Item {
    Declaration(Declaration),
    Function(FunctionDefinition),
    StaticAssert(StaticAssert),
    /// `asm("…");` outside of functions.
    Asm(Span),
}

/// `int *p = 0, f(void);`
#[derive(Debug)]
pub(crate) struct Declaration {
    pub specifiers: Specifiers,
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

/// One of the things a declaration declares.
#[derive(Debug)]
pub(crate) struct InitDeclarator {
    pub declarator: Declarator,
    /// `asm("name")`.
    pub assembler_name: Option<StringLiteral>,
    pub initializer: Option<Initializer>,
}

/// A function with its body.
#[derive(Debug)]
pub(crate) struct FunctionDefinition {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
    /// The declarations between `)` and `{` of a definition in the style before C89.
    pub old_style: Vec<Declaration>,
    pub body: Block,
    pub span: Span,
}

/// `_Static_assert(condition, "message")`.
#[derive(Debug)]
pub(crate) struct StaticAssert {
    pub condition: Expr,
    pub message: Option<StringLiteral>,
    pub span: Span,
}

/// Where an object lives or which linkage a name has, as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// The specifiers before the declarators.
#[derive(Debug)]
pub(crate) struct Specifiers {
    pub storage: Option<StorageClass>,
    pub thread_local: bool,
    pub inline: bool,
    pub qualifiers: Qualifiers,
    pub attributes: Vec<Attribute>,
    pub ty: TypeSpecifier,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum TypeSpecifier {
    /// No type is given: `int`, before C99.
    Missing,
    Basic(Basic),
    Named(Name),
    Record(RecordSpecifier),
    Enum(EnumSpecifier),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `_Atomic(int)`.
    Atomic(Box<TypeName>),
    /// `__auto_type`: the type of the initializer.
    Auto,
}

/// `struct` or `union`, with its members or without.
#[derive(Debug)]
pub(crate) struct RecordSpecifier {
    pub is_union: bool,
    pub tag: Option<Name>,
    pub members: Option<Vec<MemberDeclaration>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum MemberDeclaration {
    Members { specifiers: Specifiers, declarators: Vec<MemberDeclarator>, span: Span },
    StaticAssert(StaticAssert),
}

#[derive(Debug)]
pub(crate) struct MemberDeclarator {
    /// Without a name for unnamed bit-fields.
    pub declarator: Declarator,
    /// The width of a bit-field.
    pub width: Option<Expr>,
}

#[derive(Debug)]
pub(crate) struct EnumSpecifier {
    pub tag: Option<Name>,
    pub constants: Option<Vec<(Name, Option<Expr>)>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// How the declared name uses the specified type.
#[derive(Debug)]
pub(crate) struct Declarator {
    pub name: Option<Name>,
    /// From the name outwards: `*f(void)` is a function that returns a pointer.
    pub derivations: Vec<Derivation>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum Derivation {
    Pointer(Qualifiers),
    Array {
        size: ArraySize,
        /// `a[static 1]`: an argument leads to so many elements.
        is_static: bool,
        /// Those of the pointer that a parameter becomes: `a[const 3]`.
        qualifiers: Qualifiers,
        span: Span,
    },
    Function(Parameters, Span),
}

#[derive(Debug)]
pub(crate) enum ArraySize {
    /// `[]`.
    Unknown,
    /// `[*]`, in prototypes.
    Star,
    Expr(Box<Expr>),
}

#[derive(Debug)]
pub(crate) enum Parameters {
    Prototype {
        parameters: Vec<Parameter>,
        variadic: bool,
    },
    /// `()` or `(a, b)`: nothing is said about types.
    Names(Vec<Name>),
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
}

/// A type in a cast, in `sizeof` and the like.
#[derive(Debug)]
pub(crate) struct TypeName {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
}

/// An attribute that changes the meaning of a program; others are read and forgotten.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub kind: AttributeKind,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum AttributeKind {
    Packed,
    /// Without an argument the largest alignment of the machine.
    Aligned(Option<Expr>),
    AlignedAs(TypeName),
    Noreturn,
    VectorSize(Expr),
    /// `mode(DI)`: the type has the size of that machine mode.
    Mode(Symbol),
    TransparentUnion,
    /// The function to be called when the variable goes out of scope.
    Cleanup(Name),
    /// The function runs before or after `main`.
    Unasked,
    /// It is another name for the declaration with this name, or for one that is chosen when the program starts.
    Alias(crate::literal::StringLiteral),
    /// The part of the program that it is put into.
    Section(crate::literal::StringLiteral),
    /// It is used in a way that the program does not show.
    Used,
    /// If nothing defines it, its address is null.
    Weak,
    /// The function may return again.
    Twice,
    /// These parameters, counted from 1, are not NULL; without numbers, all pointers are not.
    NotNull(Vec<Expr>),
    /// `inline` has the meaning that it had in GNU C before C99.
    GnuInline,
    /// Of this name, and not analysed.
    Strange(&'static str),
}

#[derive(Debug)]
pub(crate) enum Initializer {
    Expr(Expr),
    List(InitializerList),
}

/// `{ 1, .x = 2, [3 ... 5] = 4 }`.
#[derive(Debug)]
pub(crate) struct InitializerList {
    pub items: Vec<(Vec<Designator>, Initializer)>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum Designator {
    Member(Name),
    Index(Expr),
    Range(Expr, Expr),
}

/// Statements in braces.
#[derive(Debug)]
pub(crate) struct Block {
    pub statements: Vec<Stmt>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum StmtKind {
    Empty,
    Expr(Expr),
    Block(Block),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    /// Labels and the statement they stand at.
    Labeled(Vec<Label>, Box<Stmt>),
    /// Conditions with the statements they guard, as many as there are `else if`s; and the last `else`.
    If(Vec<(Expr, Stmt)>, Option<Box<Stmt>>),
    Switch(Expr, Box<Stmt>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For(Box<For>),
    Goto(Name),
    GotoComputed(Expr),
    Continue,
    Break,
    Return(Option<Expr>),
    Asm(Asm),
    /// `__label__ a, b;`
    LocalLabels(Vec<Name>),
    /// In place of a body with an error, which says this.
    NotUnderstood(String),
}

#[derive(Debug)]
pub(crate) struct For {
    /// An expression, a declaration or nothing.
    pub initial: Stmt,
    pub condition: Option<Expr>,
    pub step: Option<Expr>,
    pub body: Stmt,
}

#[derive(Debug)]
pub(crate) enum Label {
    Named(Name),
    /// `case 1:`, or `case 1 ... 3:`.
    Case(Expr, Option<Expr>, Span),
    Default(Span),
}

/// `asm volatile ("template" : outputs : inputs : clobbers : labels)`.
#[derive(Debug)]
pub(crate) struct Asm {
    pub template: StringLiteral,
    pub outputs: Vec<(StringLiteral, Expr)>,
    pub inputs: Vec<(StringLiteral, Expr)>,
    pub clobbers: Vec<StringLiteral>,
    pub labels: Vec<Name>,
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// Of the tree.
    pub height: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryOperator {
    AddressOf,
    Deref,
    Plus,
    Minus,
    BitNot,
    Not,
    Real,
    Imag,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    /// `__extension__ x` is `x`.
    Extension,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Name(Symbol),
    Integer(IntegerLiteral),
    Float {
        value: f64,
        kind: FloatKind,
        imaginary: bool,
    },
    String(StringLiteral),
    Unary(UnaryOperator, Box<Expr>),
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    LogicalAnd(Box<Expr>, Box<Expr>),
    LogicalOr(Box<Expr>, Box<Expr>),
    Assign(AssignOperator, Box<Expr>, Box<Expr>),
    /// Without the middle operand it is the first one.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLiteral(Box<TypeName>, InitializerList),
    Call(Box<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Member {
        base: Box<Expr>,
        member: Name,
        arrow: bool,
    },
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    AlignofType(Box<TypeName>),
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    Statements(Block),
    LabelAddress(Name),
    VaArg(Box<Expr>, Box<TypeName>),
    Offsetof(Box<TypeName>, Vec<Designator>),
    TypesCompatible(Box<TypeName>, Box<TypeName>),
}

//! Typed trees: every expression has a type, every name its declaration, and conversions are explicit.
//!
//! A *place* is an expression that stands for an object: a variable, `*p`, `p[i]`, a member of a place. Where the
//! program uses the value in it, the tree has a [`ExprKind::Load`]; where an array or function becomes a pointer, a
//! [`ExprKind::Decay`]; where a value changes its type, a [`ExprKind::Convert`]. So `p->next` as a value is
//! `Load(Member(Deref(Load(p)), next))`.

use crate::literal::StringLiteral;
use crate::names::{Names, Symbol};
use crate::types::{TypeId, Types};
use std::collections::{BTreeMap, BTreeSet};
use trifold_passes::contracts::Written;
use trifold_source::Span;

/// A file, or several that are linked.
#[derive(Debug)]
pub struct Program {
    /// The texts of all symbols.
    pub names: Names,
    /// All types.
    pub types: Types,
    /// Everything that has a name, and all unnamed objects. Those of the prelude, which declares the names that GNU C
    /// has built in, come first.
    pub declarations: Vec<Declaration>,
    /// Variables outside of functions that are defined here, in the order of their definitions.
    pub globals: Vec<Global>,
    /// Functions with a body.
    pub functions: Vec<Function>,
    /// The lengths of arrays of variable length.
    pub lengths: Vec<Expr>,
    /// What is meant for the assembler or the linker alone: assembler text outside of functions, and pragmas that give
    /// names.
    pub linked: Vec<Span>,
    /// Attributes that change the meaning of the program in ways that are not analysed.
    pub strange: Vec<(Span, &'static str)>,
    /// The contracts of functions.
    pub contracts: BTreeMap<DeclarationId, Vec<Written>>,
    /// Functions with contracts that have an empty body, since they are defined elsewhere.
    pub declared: BTreeSet<DeclarationId>,
}

impl Program {
    /// The declaration of an id.
    pub fn declaration(&self, id: DeclarationId) -> &Declaration {
        &self.declarations[id.index()]
    }

    /// The function of a name; one that is known in other files, if there is one.
    pub fn function(&self, name: &str) -> Option<&Function> {
        let named = |id: DeclarationId| self.declaration(id).name.is_some_and(|symbol| self.text(symbol) == name);
        let external = |id| matches!(self.declaration(id).kind, DeclarationKind::Function { external: true, .. });
        let mut found = self.functions.iter().filter(|function| named(function.declaration));
        found.clone().find(|function| external(function.declaration)).or_else(|| found.next())
    }

    /// The text of a name.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    /// A type as it would be written.
    pub fn show(&self, ty: TypeId) -> String {
        self.types.show(ty, &self.names)
    }
}

/// Identifies a declaration. All declarations of a name with linkage are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeclarationId(pub(crate) u32);

impl DeclarationId {
    /// Its place in [`Program::declarations`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The meaning of a name, or of an unnamed object.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name; unnamed are compound literals and some parameters.
    pub name: Option<Symbol>,
    /// Its type; of a typedef, the type that it stands for.
    pub ty: TypeId,
    /// The kind of declaration.
    pub kind: DeclarationKind,
    /// Where it was first declared.
    pub span: Span,
    /// Its name for the assembler or the linker, if the program gives one.
    pub assembler_name: Option<String>,
    /// Does it not return?
    pub noreturn: bool,
    /// Is it a function that runs before or after `main`, although it is not called? Or a table of such functions?
    pub unasked: bool,
    /// Is it used in a way that the program does not show?
    pub kept: bool,
    /// Is its address null if nothing defines it?
    pub weak: bool,
    /// May it return several times?
    pub twice: bool,
    /// The parameters of a function that its declarations say are not NULL.
    pub not_null: NotNull,
    /// Is its body only for the calls of this file [C11 6.7.4]? Another file defines the function.
    pub inline_only: bool,
    /// Does a header of the system declare it?
    pub system: bool,
    /// Why nothing that uses it is analysed, if that is so. For example, its initializer is not understood.
    pub unclear: Option<String>,
    /// The function to be called with its address when it goes out of scope.
    pub cleanup: Option<DeclarationId>,
}

/// Parameters that are not NULL, by their number from 0.
#[derive(Clone, Default, Debug)]
pub struct NotNull {
    /// By the attribute `nonnull`: a call with NULL is an error.
    pub checked: BTreeSet<usize>,
    /// By `[static 1]`: an argument leads to one element at least. Nothing looks at that where NULL is passed.
    pub told: BTreeSet<usize>,
}

/// The kinds of declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclarationKind {
    /// A variable or an unnamed object.
    Variable(Storage),
    /// A parameter of a function with a body.
    Parameter,
    /// A function.
    Function {
        /// Is it known in other files?
        external: bool,
        /// Is it part of the compiler: declared by the prelude?
        builtin: bool,
    },
    /// A constant of an enumeration.
    Constant(i128),
    /// A name of a type.
    Typedef,
}

/// How long an object lives, and where its name is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// As long as its block runs.
    Automatic,
    /// For ever, known in this file or block only.
    Static,
    /// For ever, known in other files.
    External,
    /// As long as its thread runs.
    Thread,
}

/// A variable defined outside of functions. Without an initializer it is zero.
#[derive(Debug)]
pub struct Global {
    /// Which.
    pub declaration: DeclarationId,
    /// Its initial value.
    pub initializer: Option<Initializer>,
}

/// A function with its body.
#[derive(Debug)]
pub struct Function {
    /// Which.
    pub declaration: DeclarationId,
    /// Its parameters.
    pub parameters: Vec<DeclarationId>,
    /// Its labels, by [`LabelId`].
    pub labels: Vec<LabelName>,
    /// Its body.
    pub body: Block,
    /// Its head.
    pub span: Span,
}

/// Identifies a label of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub(crate) u32);

impl LabelId {
    /// Its place in [`Function::labels`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelName {
    /// Its name.
    pub name: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// Statements in braces.
#[derive(Debug)]
pub struct Block {
    /// In their order.
    pub statements: Vec<Stmt>,
    /// From brace to brace.
    pub span: Span,
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// The kind of statement.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statements. Conditions are scalar values, not yet compared with zero.
#[derive(Debug)]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// A value that is dropped.
    Expr(Expr),
    /// A block.
    Block(Block),
    /// A variable comes to life. The initializer of a static one is carried out before the program starts.
    Declare(DeclarationId, Option<Initializer>),
    /// Several statements for one that declares several things.
    Sequence(Vec<Stmt>),
    /// Labels and the statement they stand at.
    Labeled(Vec<Label>, Box<Stmt>),
    /// The first condition that is not zero chooses; else the last part is run.
    If(Vec<(Expr, Stmt)>, Option<Box<Stmt>>),
    /// Jumps to the label of the innermost cases in the statement that has the value.
    Switch(Expr, Box<Stmt>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do … while`.
    DoWhile(Box<Stmt>, Expr),
    /// `for`.
    For(Box<For>),
    /// A jump.
    Goto(LabelId),
    /// A jump to the address of a label.
    GotoComputed(Expr),
    /// To the next round of the innermost loop.
    Continue,
    /// Out of the innermost loop or switch.
    Break,
    /// Out of the function.
    Return(Option<Expr>),
    /// Assembler text.
    Asm(Asm),
    /// Something in the function is not understood, for this reason; there are no other statements in it.
    NotUnderstood(String),
}

/// A loop with its head.
#[derive(Debug)]
pub struct For {
    /// The statement before the first round.
    pub initial: Stmt,
    /// When to go on; always, if there is none.
    pub condition: Option<Expr>,
    /// The expression after each round.
    pub step: Option<Expr>,
    /// The round.
    pub body: Stmt,
}

/// A label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// For `goto`.
    Named(LabelId),
    /// For all values from the first to the last, in the type of the switch.
    Case(i128, i128),
    /// For all other values.
    Default,
}

/// Assembler text with its operands.
#[derive(Debug)]
pub struct Asm {
    /// The text.
    pub template: StringLiteral,
    /// Constraints and the places that are written.
    pub outputs: Vec<(StringLiteral, Expr)>,
    /// Constraints and operands that are read; places if the operand is in memory.
    pub inputs: Vec<(StringLiteral, Expr)>,
    /// The other registers and memory that it changes.
    pub clobbers: Vec<StringLiteral>,
    /// Labels that it may jump to.
    pub labels: Vec<LabelId>,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions. Unless something else is said operands are values.
#[derive(Debug)]
pub enum ExprKind {
    /// An error was reported.
    Error,
    /// An integer, or a pointer that is one.
    Integer(i128),
    /// A floating constant; of a complex type, the imaginary part of one.
    Float(f64),
    /// A place: an array with a terminating zero, as far as its type has room for it.
    String(StringLiteral),
    /// A variable or parameter (places), a function, or a constant of an enumeration (a value).
    Name(DeclarationId),
    /// The value in a place.
    Load(Box<Expr>),
    /// A pointer to the first element of the place, an array; or to the function.
    Decay(Box<Expr>),
    /// A pointer to the place or function.
    AddressOf(Box<Expr>),
    /// The place that a pointer points to.
    Deref(Box<Expr>),
    /// The place that many elements after the one that the pointer points to: pointer and index.
    Index(Box<Expr>, Box<Expr>),
    /// A member, by its number: a place if the struct is a place, else a value. Members of anonymous structs are
    /// members of members.
    Member(Box<Expr>, usize),
    /// The value, in the type of this expression. Is it a cast that the program has written?
    Convert {
        /// The value.
        operand: Box<Expr>,
        /// Written as a cast.
        explicit: bool,
    },
    /// One operand, which has been promoted.
    Unary(UnaryOperator, Box<Expr>),
    /// Two operands of the same type, which is also that of the result; comparisons give an `int`, and the right
    /// operand of shifts has a type of its own.
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// A pointer and how many elements it is moved, forwards or (`-`) backwards.
    PointerOffset {
        /// The pointer.
        pointer: Box<Expr>,
        /// Elements.
        index: Box<Expr>,
        /// Backwards?
        backwards: bool,
    },
    /// The distance of two pointers in elements.
    PointerDifference(Box<Expr>, Box<Expr>),
    /// `&&`.
    LogicalAnd(Box<Expr>, Box<Expr>),
    /// `||`.
    LogicalOr(Box<Expr>, Box<Expr>),
    /// `a ? b : c`; without `b` it is the value of `a`, computed once.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// Puts the value into the place.
    Assign(Box<Expr>, Box<Expr>),
    /// Computes the operator on the place, converted to `computed`, and the value; puts the result into the place. With
    /// a pointer in the place the value says how many elements it is moved.
    CompoundAssign {
        /// `+` of `+=`.
        operator: BinaryOperator,
        /// The place.
        place: Box<Expr>,
        /// The right operand.
        value: Box<Expr>,
        /// The type in which the operator is computed.
        computed: TypeId,
    },
    /// Adds 1 to a place, or subtracts 1.
    Increment {
        /// The place.
        place: Box<Expr>,
        /// Subtracts?
        decrement: bool,
        /// Is the result the value before?
        postfix: bool,
    },
    /// The second, after the first.
    Comma(Box<Expr>, Box<Expr>),
    /// A call through a pointer to a function.
    Call(Box<Expr>, Vec<Expr>),
    /// A place: an unnamed object and its initial value.
    CompoundLiteral(DeclarationId, Box<Initializer>),
    /// The value of the last statement, if that is an expression.
    Statements(Box<Block>),
    /// The address of a label.
    LabelAddress(LabelId),
    /// The next argument from a list of variable arguments.
    VaArg(Box<Expr>),
    /// The size of a type; only that of an array of variable length is not known before the program runs.
    Sizeof(TypeId),
    /// A function of GNU C for operands of any type, such as `__sync_fetch_and_add`.
    Builtin(Symbol, Vec<Expr>),
    /// Does the compiler know the value of an expression? Nothing is evaluated, and compilers differ.
    ConstantKnown,
    /// Something of which compilers make different values; this is what it is.
    Unclear(&'static str),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    /// `-`.
    Minus,
    /// `~`; of a complex number its conjugate.
    BitNot,
    /// `!`, which gives an `int`.
    Not,
    /// The real part.
    Real,
    /// The imaginary part.
    Imag,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinaryOperator {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
}

impl BinaryOperator {
    /// Does it compare?
    pub fn is_comparison(self) -> bool {
        use BinaryOperator::*;
        matches!(self, Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual)
    }

    /// How it is written.
    pub fn text(self) -> &'static str {
        use BinaryOperator::*;
        match self {
            Mul => "*",
            Div => "/",
            Rem => "%",
            Add => "+",
            Sub => "-",
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Less => "<",
            Greater => ">",
            LessEqual => "<=",
            GreaterEqual => ">=",
            Equal => "==",
            NotEqual => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
        }
    }
}

/// `=`, or an operator with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AssignOperator {
    Plain,
    Compound(BinaryOperator),
}

/// The initial value of an object: the values of its parts, in order; a later one replaces an earlier one. All else is
/// zero.
#[derive(Debug)]
pub struct Initializer {
    /// Parts and values. A scalar, and a struct that is copied, is its own only part.
    pub entries: Vec<InitializerEntry>,
    /// Where it stands.
    pub span: Span,
}

/// A part of an object and its value.
#[derive(Debug)]
pub struct InitializerEntry {
    /// From the object to the part.
    pub path: Vec<PathStep>,
    /// The value: of the type of the part, or a [`ExprKind::String`] for an array. Without one, all of the part becomes
    /// zero, whatever earlier entries say: a list in braces is about the part as a whole [C11 6.7.9].
    pub value: Option<Expr>,
}

/// From an object to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathStep {
    /// A member, by its number.
    Member(usize),
    /// An element.
    Element(u64),
    /// All elements from the first to the last.
    Elements(u64, u64),
}

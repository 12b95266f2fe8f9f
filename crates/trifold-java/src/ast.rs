//! Syntax trees. Constructs outside of the analysed part of Java are in them as `Unsupported`, with their places.

use std::rc::Rc;
use trifold_source::Span;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub text: Rc<str>,
    pub span: Span,
}

/// A type as it is written; type arguments are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TypeRef {
    pub kind: TypeRefKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TypeRefKind {
    /// One of the eight, or `void`.
    Primitive(&'static str),
    /// `a.b.C`
    Named(Vec<Name>),
    Array(Box<TypeRef>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClassKind {
    Class,
    Interface,
    /// An enumeration, a record or an annotation, whose members are not read.
    Other(&'static str),
}

#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub name: Name,
    pub kind: ClassKind,
    pub is_abstract: bool,
    pub type_parameters: Vec<TypeParameter>,
    pub extends: Vec<TypeRef>,
    pub implements: Vec<TypeRef>,
    pub members: Vec<Member>,
}

#[derive(Clone, Debug)]
pub(crate) struct TypeParameter {
    pub name: Name,
    pub bound: Option<TypeRef>,
}

#[derive(Clone, Debug)]
pub(crate) enum Member {
    Field(Field),
    Method(Method),
    Initializer { is_static: bool, body: Vec<Stmt> },
    Class(Class),
}

impl Member {
    /// Does it belong to the class, not to its objects? Nothing, if it does not run when these are made.
    pub fn is_static(&self) -> Option<bool> {
        match self {
            Member::Field(Field { is_static, .. }) | Member::Initializer { is_static, .. } => Some(*is_static),
            Member::Method(_) | Member::Class(_) => None,
        }
    }

    /// Can it change other fields when it runs?
    pub fn has_effects(&self) -> bool {
        let changes = |part: &Expr| {
            use ExprKind::{Assign, Call, New, Step, Unsupported};
            matches!(part.kind, Call { .. } | New { .. } | Assign { .. } | Step { .. } | Unsupported(_))
        };
        match self {
            Member::Field(field) => field.initializer.as_ref().is_some_and(|value| value.any(&changes)),
            Member::Initializer { .. } => true,
            Member::Method(_) | Member::Class(_) => false,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub name: Name,
    pub ty: TypeRef,
    pub is_static: bool,
    pub is_final: bool,
    pub initializer: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(crate) struct Method {
    /// For a constructor, that of the class.
    pub name: Name,
    /// A constructor has none.
    pub result: Option<TypeRef>,
    pub is_static: bool,
    pub is_abstract: bool,
    /// It cannot be overridden.
    pub is_private: bool,
    /// Is it `native` or `synchronized`, and so not analysed?
    pub special: Option<&'static str>,
    pub type_parameters: Vec<TypeParameter>,
    pub parameters: Vec<Parameter>,
    pub body: Option<Vec<Stmt>>,
    /// Of all of it.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: Name,
    pub ty: TypeRef,
    pub variadic: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Empty,
    Local {
        ty: TypeRef,
        variables: Vec<LocalVariable>,
    },
    Expr(Expr),
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    Do(Box<Stmt>, Expr),
    For {
        first: Vec<Stmt>,
        condition: Option<Expr>,
        next: Vec<Expr>,
        body: Box<Stmt>,
    },
    Return(Option<Expr>),
    Break(Option<Name>),
    Continue(Option<Name>),
    Labelled(Name, Box<Stmt>),
    Throw(Expr),
    Assert(Expr),
    /// Something that is not analysed.
    Unsupported(&'static str),
}

#[derive(Clone, Debug)]
pub(crate) struct LocalVariable {
    pub name: Name,
    /// Brackets after the name.
    pub dimensions: usize,
    pub is_final: bool,
    pub initializer: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    pub height: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryOp {
    Plus,
    Minus,
    Complement,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinaryOp {
    /// An operator that heap programs have, too.
    Plain(trifold_ir::BinaryOp),
    /// `>>>`
    UnsignedShift,
    /// `&&`
    AndThen,
    /// `||`
    OrElse,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Null,
    Bool(bool),
    /// An `int`, or with the suffix a `long`.
    Integer {
        value: i128,
        long: bool,
    },
    /// A floating number; with the suffix a `float`.
    Floating {
        single: bool,
    },
    Character(u16),
    /// With its characters, if they are known.
    Text(Option<Vec<u16>>),
    Name(Name),
    This,
    Super,
    Field(Box<Expr>, Name),
    Call {
        receiver: Option<Box<Expr>>,
        name: Name,
        arguments: Vec<Expr>,
    },
    /// `this(…)` and `super(…)` at the start of a constructor.
    ConstructorCall {
        is_super: bool,
        arguments: Vec<Expr>,
    },
    New {
        ty: TypeRef,
        arguments: Vec<Expr>,
    },
    /// The lengths, and the type of the whole.
    NewArray {
        ty: TypeRef,
        lengths: Vec<Expr>,
    },
    Index(Box<Expr>, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Assign {
        op: Option<BinaryOp>,
        target: Box<Expr>,
        value: Box<Expr>,
    },
    /// `++` and `--`
    Step {
        up: bool,
        prefix: bool,
        target: Box<Expr>,
    },
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(TypeRef, Box<Expr>),
    InstanceOf(Box<Expr>, TypeRef),
    /// Something that is not analysed.
    Unsupported(&'static str),
}

impl ExprKind {
    /// Calls `visit` with every operand.
    pub fn for_each_operand<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        use ExprKind::*;
        match self {
            Field(operand, _) | Unary(_, operand) | Cast(_, operand) | InstanceOf(operand, _) => visit(operand),
            Step { target, .. } => visit(target),
            Call { receiver, arguments, .. } => {
                receiver.iter().for_each(|receiver| visit(receiver));
                arguments.iter().for_each(visit);
            }
            ConstructorCall { arguments, .. } | New { arguments, .. } => arguments.iter().for_each(visit),
            NewArray { lengths, .. } => lengths.iter().for_each(visit),
            Index(left, right) | Binary(_, left, right) => [left, right].into_iter().for_each(|e| visit(e)),
            Assign { target, value, .. } => [target, value].into_iter().for_each(|e| visit(e)),
            Conditional(condition, yes, no) => [condition, yes, no].into_iter().for_each(|e| visit(e)),
            Null
            | Bool(_)
            | Integer { .. }
            | Floating { .. }
            | Character(_)
            | Text(_)
            | Name(_)
            | This
            | Super
            | Unsupported(_) => {}
        }
    }
}

impl Expr {
    /// Is it made of literals and operators only?
    pub fn is_literal(&self) -> bool {
        use ExprKind::{Binary, Bool, Cast, Character, Conditional, Floating, Integer, Text, Unary};
        !self.any(&|part| {
            let is_leaf = matches!(part.kind, Bool(_) | Integer { .. } | Floating { .. } | Character(_) | Text(_));
            !is_leaf && !matches!(part.kind, Unary(..) | Binary(..) | Cast(..) | Conditional(..))
        })
    }

    /// Does it, or a part of it, satisfy a condition?
    pub fn any(&self, wanted: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = wanted(self);
        self.kind.for_each_operand(&mut |operand| found = found || operand.any(wanted));
        found
    }
}

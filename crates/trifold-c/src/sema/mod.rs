//! Syntax trees to typed trees: resolves names, computes types, lays out structs, evaluates constants.
//!
//! An expression that cannot be typed is reported, and gets the type [`Type::Error`], which goes with everything. For
//! example, of `x + y` with an undeclared `x` one error is reported, not two.

mod attributes;
mod builtin;
mod call;
mod convert;
mod declare;
mod expression;
mod initializer;
mod member;
mod operator;
mod record;
mod specifiers;
mod statement;

use crate::ast;
use crate::constant::Constants;
use crate::names::{Names, Symbol};
use crate::scope::Scoped;
use crate::typed::{Declaration, DeclarationId, Expr, ExprKind, Function, Global, LabelId, LabelName, Program};
use crate::types::{EnumId, RecordId, Target, TypeId, Types};
use rustc_hash::FxHashMap;
use trifold_source::{Diagnostic, Sink, Span};

/// The kind of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// Resolves the names and types of a file.
pub(crate) struct Sema<'s> {
    names: Names,
    types: Types,
    declarations: Vec<Declaration>,
    globals: Vec<Global>,
    functions: Vec<Function>,
    lengths: Vec<Expr>,
    linked_text: Vec<Span>,
    /// The prelude is outermost, then comes the file.
    scope: Scoped<DeclarationId>,
    tags: Scoped<Tag>,
    /// The declarations of names that are the same in all scopes.
    linked: FxHashMap<Symbol, DeclarationId>,
    /// Globals that are defined, by their place in `globals`.
    defined: FxHashMap<DeclarationId, usize>,
    function: Option<FunctionContext>,
    /// Is a constant being computed by which the program is chosen?
    decides: bool,
    sink: &'s mut Sink,
}

/// The properties of a function that statements in it use.
struct FunctionContext {
    declaration: DeclarationId,
    result: TypeId,
    labels: Vec<LabelName>,
    /// Has the label been met, not only a jump to it?
    placed: Vec<bool>,
    by_name: FxHashMap<Symbol, LabelId>,
    /// Those that `__label__` declares.
    local_labels: Scoped<LabelId>,
    loops: usize,
    switches: Vec<SwitchContext>,
}

/// The properties of a switch that case labels in it use.
struct SwitchContext {
    ty: TypeId,
    /// First and last value, and place.
    cases: Vec<(i128, i128, Span)>,
    default: Option<Span>,
}

impl<'s> Sema<'s> {
    pub fn new(names: Names, target: Target, sink: &'s mut Sink) -> Sema<'s> {
        Sema {
            names,
            types: Types::new(target),
            declarations: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            lengths: Vec::new(),
            linked_text: Vec::new(),
            scope: Scoped::new(),
            tags: Scoped::new(),
            linked: FxHashMap::default(),
            defined: FxHashMap::default(),
            function: None,
            decides: false,
            sink,
        }
    }

    /// A file, after the prelude.
    pub fn program(mut self, prelude: &ast::TranslationUnit, unit: &ast::TranslationUnit) -> Program {
        prelude.items.iter().for_each(|item| self.item(item));
        // Names of the prelude may be declared anew, and differently.
        self.linked.clear();
        self.open();
        unit.items.iter().for_each(|item| self.item(item));
        self.check_globals();
        Program {
            names: self.names,
            types: self.types,
            declarations: self.declarations,
            globals: self.globals,
            functions: self.functions,
            lengths: self.lengths,
            linked: self.linked_text,
            strange: Vec::new(),
            contracts: Default::default(),
            declared: Default::default(),
        }
    }

    fn item(&mut self, item: &ast::Item) {
        match item {
            ast::Item::Declaration(declaration) => {
                self.declaration(declaration);
            }
            ast::Item::Function(function) => self.function_definition(function),
            ast::Item::StaticAssert(assertion) => self.static_assert(assertion),
            ast::Item::Asm(span) => self.linked_text.push(*span),
        }
    }

    /// Are we reading the prelude?
    fn in_prelude(&self) -> bool {
        self.scope.depth() == 0
    }

    /// Outside of functions?
    fn at_file_scope(&self) -> bool {
        self.scope.depth() <= 1
    }

    fn open(&mut self) {
        self.scope.open();
        self.tags.open();
    }

    fn close(&mut self) {
        self.scope.close();
        self.tags.close();
    }

    fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.open();
        let result = run(self);
        self.close();
        result
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    fn show(&self, ty: TypeId) -> String {
        self.types.show(ty, &self.names)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.sink.push(Diagnostic::error(code, span, message));
    }

    /// An expression in place of one that has been reported.
    fn broken(&self, span: Span) -> Expr {
        Expr { kind: ExprKind::Error, ty: Types::ERROR, span }
    }

    /// The value of an expression, if it is a known integer.
    fn integer_constant(&self, expr: &Expr) -> Option<i128> {
        Constants { types: &self.types, declarations: &self.declarations }.integer(expr)
    }

    /// A value that must be known now. To compilers, an operand that is no constant yet is none then.
    fn deciding(&mut self, value: &ast::Expr) -> Expr {
        let outer = std::mem::replace(&mut self.decides, true);
        let value = self.value(value);
        self.decides = outer;
        value
    }

    fn static_assert(&mut self, assertion: &ast::StaticAssert) {
        let condition = self.deciding(&assertion.condition);
        let message = assertion.message.as_ref().map(|message| message.to_text());
        match self.integer_constant(&condition) {
            Some(0) => {
                let message = message
                    .map_or("a static assertion fails".into(), |text| format!("a static assertion fails: {text}"));
                self.error("static-assert", assertion.span, message);
            }
            None if !self.types.is_error(condition.ty) => {
                self.error("not-constant", condition.span, "the condition of a static assertion must be constant");
            }
            _ => {}
        }
    }
}

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
use crate::typed::{
    Declaration, DeclarationId, Expr, ExprKind, Function, Global, LabelId, LabelName, Program, Stmt, StmtKind,
};
use crate::types::{EnumId, RecordId, Target, TypeId, Types};
use rustc_hash::FxHashMap;
use trifold_source::{Diagnostic, Sink, Span};

/// The kind of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// Resolves the names and types of files.
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
    /// Where attributes stand that cost the declarations that they belong to, and no others.
    placed: Vec<u32>,
    /// Errors that cost one function or variable each.
    in_functions: Sink,
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
            placed: Vec::new(),
            in_functions: Sink::default(),
            sink,
        }
    }

    /// The names that are built in, before all files.
    pub fn prelude(&mut self, prelude: &ast::TranslationUnit) {
        prelude.items.iter().for_each(|item| self.item(item));
        // Names of the prelude may be declared anew, and differently.
        self.linked.clear();
    }

    /// A file; the declarations of its names that are the same in all scopes.
    pub fn unit(&mut self, unit: &mut ast::TranslationUnit) -> FxHashMap<Symbol, DeclarationId> {
        let first = self.globals.len();
        self.placed.clear();
        self.open();
        unit.items.iter().for_each(|item| self.item(item));
        self.check_globals(first);
        self.close();
        unit.strange.retain(|(span, _)| !self.placed.contains(&span.start));
        std::mem::take(&mut self.linked)
    }

    /// All files, side by side.
    pub fn program(mut self) -> (Program, Sink) {
        for function in &mut self.functions {
            if let Some(why) = &self.declarations[function.declaration.index()].unclear {
                let kind = StmtKind::NotUnderstood(format!("a function {why}"));
                function.body.statements = vec![Stmt { kind, span: function.span }];
            }
        }
        let program = Program {
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
        };
        (program, self.in_functions)
    }

    fn item(&mut self, item: &ast::Item) {
        match item {
            ast::Item::Declaration(declaration) => self.outer_declaration(declaration),
            ast::Item::Function(function) => self.function_definition(function),
            ast::Item::StaticAssert(assertion) => self.static_assert(assertion),
            ast::Item::Asm(span) => self.linked_text.push(*span),
        }
    }

    /// A declaration outside of functions. An error in one that only declares variables and functions costs them, and
    /// those that use them, only.
    fn outer_declaration(&mut self, declaration: &ast::Declaration) {
        let outer = std::mem::take(self.sink);
        self.declaration(declaration);
        let inner = std::mem::replace(self.sink, outer);
        let Some(error) = inner.first_error().filter(|_| declares_names_only(&declaration.specifiers)) else {
            return self.sink.absorb(inner);
        };
        let why = format!("whose declaration is not understood: {}", error.message);
        for name in declaration.declarators.iter().filter_map(|declarator| declarator.declarator.name) {
            if let Some(id) = self.linked.get(&name.symbol) {
                self.declarations[id.index()].unclear = Some(why.clone());
            }
        }
        self.in_functions.absorb(inner);
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

/// Do these specifiers declare neither a type nor the members of one?
fn declares_names_only(specifiers: &ast::Specifiers) -> bool {
    let refers = match &specifiers.ty {
        ast::TypeSpecifier::Missing | ast::TypeSpecifier::Basic(_) | ast::TypeSpecifier::Named(_) => true,
        ast::TypeSpecifier::Record(record) => record.members.is_none(),
        _ => false,
    };
    refers && specifiers.storage != Some(ast::StorageClass::Typedef)
}

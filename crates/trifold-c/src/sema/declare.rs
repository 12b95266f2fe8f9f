//! The effect of declarations: typedefs, variables, functions; linkage and redeclarations. For example, `extern int x;`
//! and `int x = 1;` declare one variable.

use super::{FunctionContext, Sema};
use crate::ast::{self, AttributeKind, Derivation, Parameters, StorageClass, TypeSpecifier};
use crate::names::Symbol;
use crate::scope::Scoped;
use crate::typed::{Declaration, DeclarationId, DeclarationKind, Function, Global, NotNull, Stmt, StmtKind, Storage};
use crate::types::{ArrayLength, Qualifiers, Type, TypeId, Types};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use trifold_source::{Diagnostic, Span};

impl Sema<'_> {
    /// A declaration; in a block, the statements that carry it out.
    pub(super) fn declaration(&mut self, declaration: &ast::Declaration) -> Vec<Stmt> {
        let ast::Declaration { specifiers, declarators, .. } = declaration;
        if matches!(specifiers.ty, TypeSpecifier::Auto) {
            return declarators.iter().filter_map(|declarator| self.auto_type(specifiers, declarator)).collect();
        }
        let base = self.specified(specifiers, declarators.is_empty());
        let declare = |declarator: &ast::InitDeclarator| {
            let ty = self.declared(base, &declarator.declarator);
            self.declare(specifiers, declarator, ty)
        };
        declarators.iter().filter_map(declare).collect()
    }

    /// `__auto_type x = value`: the name is not known in its initializer.
    fn auto_type(&mut self, specifiers: &ast::Specifiers, declarator: &ast::InitDeclarator) -> Option<Stmt> {
        let name = declarator.declarator.name?;
        let Some(ast::Initializer::Expr(value)) = &declarator.initializer else {
            self.error("auto-type", name.span, "`__auto_type` needs an initializer that is an expression");
            return None;
        };
        let value = self.value(value);
        let ty = self.not_too_deep(value.ty, name.span);
        let ty = self.types.qualified(ty, specifiers.qualifiers);
        let storage = if self.at_file_scope() { Storage::Static } else { Storage::Automatic };
        let id = self.declare_plain(name, ty, DeclarationKind::Variable(storage));
        let initializer = self.whole(value);
        if self.at_file_scope() {
            self.globals.push(Global { declaration: id, initializer: Some(initializer) });
            return None;
        }
        Some(Stmt { kind: StmtKind::Declare(id, Some(initializer)), span: declarator.declarator.span })
    }

    fn declare(&mut self, specifiers: &ast::Specifiers, declarator: &ast::InitDeclarator, ty: TypeId) -> Option<Stmt> {
        let name = declarator.declarator.name?;
        let ty = self.not_too_deep(ty, name.span);
        if specifiers.storage == Some(StorageClass::Typedef) {
            let attributes = specifiers.attributes.iter().chain(&declarator.declarator.attributes);
            let ty = match self.alignment(attributes).at_least {
                Some(align) => self.types.aligned(ty, align),
                None => ty,
            };
            self.declare_typedef(name, ty);
            return None;
        }
        if matches!(self.types.get(ty), Type::Function(_)) {
            if let Some(initializer) = &declarator.initializer {
                self.error("initializer", span_of(initializer), "a function has no initializer");
            }
            let external = specifiers.storage != Some(StorageClass::Static);
            let id = self.declare_linked(name, ty, DeclarationKind::Function { external, builtin: self.in_prelude() });
            self.refine(id, specifiers, &declarator.declarator, declarator.assembler_name.as_ref());
            return None;
        }
        let (storage, linked) = self.storage(specifiers);
        let kind = DeclarationKind::Variable(storage);
        let id = if linked { self.declare_linked(name, ty, kind) } else { self.declare_plain(name, ty, kind) };
        self.refine(id, specifiers, &declarator.declarator, declarator.assembler_name.as_ref());
        let initializer = declarator.initializer.as_ref().map(|initializer| {
            let (initializer, ty) = self.initializer(ty, initializer);
            self.complete(id, ty);
            initializer
        });
        if linked {
            if specifiers.storage != Some(StorageClass::Extern) || initializer.is_some() {
                self.define(id, initializer, name);
            }
            return None;
        }
        self.check_complete(id, name);
        Some(Stmt { kind: StmtKind::Declare(id, initializer), span: declarator.declarator.span })
    }

    /// How long a variable lives, and whether its name is the same in all scopes.
    fn storage(&self, specifiers: &ast::Specifiers) -> (Storage, bool) {
        let class = specifiers.storage;
        let linked = self.at_file_scope() || class == Some(StorageClass::Extern);
        let storage = match class {
            // A variable outside of functions lives as long as the one thread that there is.
            _ if specifiers.thread_local && !linked => Storage::Thread,
            Some(StorageClass::Static) => Storage::Static,
            _ if linked => Storage::External,
            _ => Storage::Automatic,
        };
        (storage, linked)
    }

    /// An array gets the length that its initializer has.
    fn complete(&mut self, id: DeclarationId, ty: TypeId) {
        let declaration = &mut self.declarations[id.index()];
        if matches!(self.types.get(declaration.ty), Type::Array(_, ArrayLength::Unknown)) {
            declaration.ty = ty;
        }
    }

    fn check_complete(&mut self, id: DeclarationId, name: ast::Name) {
        let ty = self.declarations[id.index()].ty;
        if self.types.is_incomplete(ty) {
            let message = format!("`{}` has the incomplete type `{}`", self.text(name.symbol), self.show(ty));
            self.error("incomplete-type", name.span, message);
            self.declarations[id.index()].ty = Types::ERROR;
        }
    }

    /// Records the definition of a variable with linkage. Several without initializers are one.
    fn define(&mut self, id: DeclarationId, initializer: Option<crate::typed::Initializer>, name: ast::Name) {
        match self.defined.get(&id) {
            Some(index) => {
                let global = &mut self.globals[*index];
                if global.initializer.is_some() && initializer.is_some() {
                    self.redefinition(name, self.declarations[id.index()].span);
                } else if initializer.is_some() {
                    global.initializer = initializer;
                }
            }
            None => {
                self.defined.insert(id, self.globals.len());
                self.globals.push(Global { declaration: id, initializer });
            }
        }
    }

    /// At the end of the file all its globals must have complete types. An array without a length has one element.
    pub(super) fn check_globals(&mut self, first: usize) {
        for index in first..self.globals.len() {
            let id = self.globals[index].declaration;
            let declaration = &self.declarations[id.index()];
            let (name, span) = (declaration.name, declaration.span);
            if let Type::Array(element, ArrayLength::Unknown) = *self.types.get(declaration.ty) {
                self.declarations[id.index()].ty = self.types.intern(Type::Array(element, ArrayLength::Known(1)));
            }
            if let Some(symbol) = name {
                self.check_complete(id, ast::Name { symbol, span });
            }
        }
    }

    fn declare_typedef(&mut self, name: ast::Name, ty: TypeId) {
        if let Some(id) = self.scope.get_innermost(name.symbol) {
            let before = &self.declarations[id.index()];
            if before.kind == DeclarationKind::Typedef && self.types.compatible(before.ty, ty, false) {
                return;
            }
        }
        self.declare_plain(name, ty, DeclarationKind::Typedef);
    }

    /// Declares a name that has no other declaration in this scope.
    pub(super) fn declare_plain(&mut self, name: ast::Name, ty: TypeId, kind: DeclarationKind) -> DeclarationId {
        if let Some(before) = self.scope.get_innermost(name.symbol) {
            self.redefinition(name, self.declarations[before.index()].span);
        }
        let id = self.new_declaration(Some(name.symbol), ty, kind, name.span);
        self.scope.insert(name.symbol, id);
        id
    }

    fn redefinition(&mut self, name: ast::Name, first: Span) {
        let message = format!("`{}` is declared twice", self.text(name.symbol));
        self.sink.push(Diagnostic::error("redefinition", name.span, message).secondary(first, "first here"));
    }

    pub(super) fn new_declaration(
        &mut self,
        name: Option<Symbol>,
        ty: TypeId,
        kind: DeclarationKind,
        span: Span,
    ) -> DeclarationId {
        let id = DeclarationId(self.declarations.len() as u32);
        let (assembler_name, noreturn, unasked, kept, weak) = (None, false, false, false, false);
        let (twice, not_null, cleanup, unclear, system) = (false, NotNull::default(), None, None, false);
        let inline_only = matches!(kind, DeclarationKind::Function { .. });
        self.declarations.push(Declaration {
            name,
            ty,
            kind,
            span,
            assembler_name,
            noreturn,
            unasked,
            kept,
            weak,
            twice,
            not_null,
            inline_only,
            unclear,
            system,
            cleanup,
        });
        id
    }

    pub(super) fn declare_parameter(&mut self, name: Option<ast::Name>, ty: TypeId, span: Span) -> DeclarationId {
        match name {
            Some(name) => self.declare_plain(name, ty, DeclarationKind::Parameter),
            None => self.new_declaration(None, ty, DeclarationKind::Parameter, span),
        }
    }

    /// Declares a name that is the same in all scopes.
    pub(super) fn declare_linked(&mut self, name: ast::Name, ty: TypeId, kind: DeclarationKind) -> DeclarationId {
        let id = match self.linked.get(&name.symbol).copied() {
            Some(id) => {
                self.redeclare(id, name, ty, kind);
                id
            }
            None => {
                let id = self.new_declaration(Some(name.symbol), ty, kind, name.span);
                self.linked.insert(name.symbol, id);
                id
            }
        };
        match self.scope.get_innermost(name.symbol) {
            Some(before) if before == id => {}
            Some(before) => self.redefinition(name, self.declarations[before.index()].span),
            None => self.scope.insert(name.symbol, id),
        }
        id
    }

    /// Another declaration of the same name: the properties of both hold.
    fn redeclare(&mut self, id: DeclarationId, name: ast::Name, ty: TypeId, kind: DeclarationKind) {
        let before = &self.declarations[id.index()];
        let is_function = |kind| matches!(kind, DeclarationKind::Function { .. });
        let same_kind = is_function(before.kind) == is_function(kind);
        if !same_kind || !self.types.compatible(before.ty, ty, false) {
            let message = format!("`{}` is declared as `{}`", self.text(name.symbol), self.show(ty));
            let first = format!("first declared here, as `{}`", self.show(before.ty));
            let first_span = before.span;
            self.sink.push(Diagnostic::error("redeclaration", name.span, message).secondary(first_span, first));
            return;
        }
        self.declarations[id.index()].ty = self.types.composite(before.ty, ty);
    }

    /// Adds the properties that attributes and the like give to a declaration.
    fn refine(
        &mut self,
        id: DeclarationId,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
        assembler_name: Option<&crate::literal::StringLiteral>,
    ) {
        let attributes = || specifiers.attributes.iter().chain(&declarator.attributes);
        let old_inline = attributes().any(|attribute| matches!(attribute.kind, AttributeKind::GnuInline));
        // An inline function is defined for other files if one of its declarations says `extern`, or not `inline`; in
        // the way of GNU C before C99, unless all say `extern`.
        let is_extern = specifiers.storage == Some(StorageClass::Extern);
        self.declarations[id.index()].inline_only &=
            self.at_file_scope() && specifiers.inline && is_extern == old_inline;
        for attribute in attributes() {
            match &attribute.kind {
                AttributeKind::Noreturn => self.declarations[id.index()].noreturn = true,
                AttributeKind::Unasked => self.declarations[id.index()].unasked = true,
                AttributeKind::Twice => self.declarations[id.index()].twice = true,
                AttributeKind::NotNull(numbers) => self.not_null(id, numbers),
                AttributeKind::Weak => self.declarations[id.index()].weak = true,
                AttributeKind::Used => self.declarations[id.index()].kept = true,
                AttributeKind::Section(name) if is_unasked(&name.to_text()) => {
                    self.declarations[id.index()].unasked = true;
                }
                AttributeKind::Strange(name) => {
                    self.declarations[id.index()].unclear = Some(format!("which has the attribute `{name}`"));
                    self.placed.push(attribute.span.start);
                }
                AttributeKind::Alias(name) => self.declarations[id.index()].assembler_name = Some(name.to_text()),
                AttributeKind::Cleanup(function) => match self.scope.get(function.symbol) {
                    Some(function) => self.declarations[id.index()].cleanup = Some(function),
                    None => {
                        let message = format!("`{}` is not declared", self.text(function.symbol));
                        self.error("undeclared", function.span, message);
                    }
                },
                _ => {}
            }
        }
        if let Some(text) = assembler_name {
            self.declarations[id.index()].assembler_name = Some(text.to_text());
        }
        if let Some(Derivation::Function(Parameters::Prototype { parameters, .. }, _)) = declarator.derivations.first()
        {
            let is_static = |parameter: &ast::Parameter| {
                matches!(parameter.declarator.derivations.first(), Some(Derivation::Array { is_static: true, .. }))
            };
            let told = parameters.iter().enumerate().filter(|(_, parameter)| is_static(parameter));
            self.declarations[id.index()].not_null.told.extend(told.map(|(number, _)| number));
        }
    }

    /// The attribute `nonnull`: these parameters, or else all that are pointers.
    fn not_null(&mut self, id: DeclarationId, numbers: &[ast::Expr]) {
        let Some(function) = self.types.callee(self.declarations[id.index()].ty) else { return };
        let count = function.parameters.len();
        let mut not_null: BTreeSet<usize> = if numbers.is_empty() { (0..count).collect() } else { BTreeSet::new() };
        for number in numbers {
            let number = self.value(number);
            match self.integer_constant(&number).and_then(|number| usize::try_from(number).ok()) {
                Some(number) if (1..=count).contains(&number) => drop(not_null.insert(number - 1)),
                _ => self.error("attribute", number.span, "this is not the number of a parameter"),
            }
        }
        not_null.retain(|number| self.types.pointee(function.parameters[*number]).is_some());
        self.declarations[id.index()].not_null.checked.extend(not_null);
    }

    /// A function with its body. An error in it costs this function only, if it is clear that it is one.
    pub(super) fn function_definition(&mut self, definition: &ast::FunctionDefinition) {
        let outer = std::mem::take(self.sink);
        let id = self.defined_function(definition);
        let inner = std::mem::replace(self.sink, outer);
        match (id, inner.first_error()) {
            (Some(id), Some(error)) => {
                let (why, span) = (error.message.clone(), error.primary.span);
                self.not_understood(id, &why, span);
                self.in_functions.absorb(inner);
            }
            _ => self.sink.absorb(inner),
        }
    }

    /// A function that is not understood has only this to say, whichever of its definitions it is.
    fn not_understood(&mut self, id: DeclarationId, why: &str, span: Span) {
        let mut first = true;
        self.functions.retain(|function| function.declaration != id || std::mem::take(&mut first));
        if let Some(function) = self.functions.iter_mut().find(|function| function.declaration == id) {
            function.body.statements = vec![Stmt { kind: StmtKind::NotUnderstood(why.to_string()), span }];
        }
    }

    fn defined_function(&mut self, definition: &ast::FunctionDefinition) -> Option<DeclarationId> {
        let ast::FunctionDefinition { specifiers, declarator, old_style, body, span } = definition;
        let (Some(name), Some((Derivation::Function(parameters, head), outer))) =
            (declarator.name, declarator.derivations.split_first())
        else {
            return None;
        };
        let base = self.specified(specifiers, false);
        let result = self.derived(base, outer, declarator.span);
        // Parameters, and the tags between them, are in the scope of the body, but the function is declared outside of
        // it.
        self.open();
        let (parameters, signature) = match parameters {
            Parameters::Prototype { parameters, variadic } => {
                let ids = self.parameters(parameters);
                let types = self.types_of(&ids);
                (ids, Some((types, *variadic)))
            }
            Parameters::Names(names) => (self.old_style_parameters(names, old_style), None),
        };
        let (names, tags) = (self.scope.innermost(), self.tags.innermost());
        self.close();
        let ty = self.function_of(result, signature, *head);
        let ty = self.not_too_deep(ty, declarator.span);
        let Type::Function(function) = self.types.get(ty).clone() else { return None };
        let external = specifiers.storage != Some(StorageClass::Static);
        let id = self.declare_linked(name, ty, DeclarationKind::Function { external, builtin: false });
        self.refine(id, specifiers, declarator, None);
        if self.defined.insert(id, self.functions.len()).is_some() {
            self.redefinition(name, self.declarations[id.index()].span);
        }
        self.check_result(function.result, name);
        self.open();
        names.into_iter().for_each(|(name, id)| self.scope.insert(name, id));
        tags.into_iter().for_each(|(name, tag)| self.tags.insert(name, tag));
        self.function = Some(FunctionContext::new(id, function.result));
        for parameter in &parameters {
            self.check_parameter(*parameter);
        }
        let body = self.block_in_scope(body);
        self.close();
        if let Some(context) = self.function.take() {
            let labels = self.finish_labels(context);
            self.functions.push(Function { declaration: id, parameters, labels, body, span: *span });
        }
        Some(id)
    }

    fn check_result(&mut self, result: TypeId, name: ast::Name) {
        if self.types.is_incomplete(result) && *self.types.get(result) != Type::Void {
            let message = format!("the function returns the incomplete type `{}`", self.show(result));
            self.error("incomplete-type", name.span, message);
        }
    }

    fn check_parameter(&mut self, id: DeclarationId) {
        let Declaration { name, ty, span, .. } = self.declarations[id.index()];
        if self.types.is_incomplete(ty) {
            let name = name.map_or("a parameter", |name| self.names.text(name)).to_string();
            let message = format!("`{name}` has the incomplete type `{}`", self.show(ty));
            self.error("incomplete-type", span, message);
            self.declarations[id.index()].ty = Types::ERROR;
        }
    }

    /// The parameters of a definition in the style before C89: names first, then declarations of some of them.
    fn old_style_parameters(&mut self, names: &[ast::Name], declarations: &[ast::Declaration]) -> Vec<DeclarationId> {
        let mut types: FxHashMap<Symbol, TypeId> = FxHashMap::default();
        for declaration in declarations {
            let base = self.specified(&declaration.specifiers, declaration.declarators.is_empty());
            for declarator in &declaration.declarators {
                let Some(name) = declarator.declarator.name else { continue };
                let ty = self.declared(base, &declarator.declarator);
                let ty = self.adjusted(ty, Qualifiers::NONE);
                if !names.iter().any(|parameter| parameter.symbol == name.symbol) {
                    let message = format!("`{}` is not a parameter of this function", self.text(name.symbol));
                    self.error("parameter", name.span, message);
                }
                if types.insert(name.symbol, ty).is_some() {
                    let message = format!("the parameter `{}` is declared twice", self.text(name.symbol));
                    self.error("parameter", name.span, message);
                }
            }
        }
        let declare = |name: &ast::Name| {
            let ty = types.get(&name.symbol).copied().unwrap_or(Types::INT);
            self.declare_plain(*name, ty, DeclarationKind::Parameter)
        };
        names.iter().map(declare).collect()
    }
}

impl FunctionContext {
    fn new(declaration: DeclarationId, result: TypeId) -> FunctionContext {
        FunctionContext {
            declaration,
            result,
            labels: Vec::new(),
            placed: Vec::new(),
            by_name: FxHashMap::default(),
            local_labels: Scoped::new(),
            loops: 0,
            switches: Vec::new(),
        }
    }
}

/// Does what is in this section run before or after `main`?
fn is_unasked(section: &str) -> bool {
    let sections = [".init", ".preinit", ".fini", ".ctors", ".dtors"];
    sections.iter().any(|prefix| section.starts_with(prefix))
}

fn span_of(initializer: &ast::Initializer) -> Span {
    match initializer {
        ast::Initializer::Expr(value) => value.span,
        ast::Initializer::List(list) => list.span,
    }
}

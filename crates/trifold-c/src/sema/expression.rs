//! Expressions: the meaning of each form, and its type. For example, `p->next` has the type of the member `next`, and
//! `sizeof p` is an `unsigned long`.

use super::Sema;
use super::operator::{BIT_FIELD_TYPE, WIDE};
use crate::ast::{self, ExprKind as Syntax};
use crate::literal::StringLiteral;
use crate::names::Symbol;
use crate::typed::{BinaryOperator, DeclarationKind, Expr, ExprKind, Storage, UnaryOperator};
use crate::types::{ArrayLength, Qualifiers, Type, TypeId, Types};
use trifold_source::{Diagnostic, Span, suggest};

impl Sema<'_> {
    /// An expression as a value: places are loaded, arrays and functions become pointers.
    pub(super) fn value(&mut self, expr: &ast::Expr) -> Expr {
        let expr = self.expression(expr);
        self.valued(expr)
    }

    /// An expression as it stands: a place, a function, or a value.
    pub(super) fn expression(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            Syntax::Name(symbol) => self.name(*symbol, span),
            Syntax::Integer(literal) => {
                let kind = self.types.of_constant(literal.kind, literal.value.into());
                let ty = self.types.integer(kind);
                let value = kind.wrap(literal.value.into());
                Expr { kind: ExprKind::Integer(value), ty, span }
            }
            Syntax::Float { value, kind, imaginary } => {
                let ty = self.types.intern(if *imaginary { Type::Complex(*kind) } else { Type::Float(*kind) });
                Expr { kind: ExprKind::Float(*value), ty, span }
            }
            Syntax::String(literal) => self.string(literal.clone(), span),
            Syntax::Unary(operator, operand) => self.unary(*operator, operand, span),
            Syntax::Binary(operator, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                self.binary(*operator, left, right, span)
            }
            Syntax::LogicalAnd(left, right) => {
                let (left, right) = (self.condition(left), self.condition(right));
                Expr { kind: ExprKind::LogicalAnd(Box::new(left), Box::new(right)), ty: Types::INT, span }
            }
            Syntax::LogicalOr(left, right) => {
                let (left, right) = (self.condition(left), self.condition(right));
                Expr { kind: ExprKind::LogicalOr(Box::new(left), Box::new(right)), ty: Types::INT, span }
            }
            Syntax::Assign(operator, place, value) => self.assign(*operator, place, value, span),
            Syntax::Conditional(test, middle, otherwise) => self.conditional(test, middle.as_deref(), otherwise, span),
            Syntax::Comma(first, second) => {
                let (first, second) = (self.value(first), self.value(second));
                let ty = second.ty;
                Expr { kind: ExprKind::Comma(Box::new(first), Box::new(second)), ty, span }
            }
            Syntax::Cast(ty, operand) => {
                let ty = self.type_name(ty);
                let operand = self.expression(operand);
                self.cast(operand, ty, span)
            }
            Syntax::CompoundLiteral(ty, list) => self.compound_literal(ty, list, span),
            Syntax::Call(callee, arguments) => self.call(callee, arguments, span),
            Syntax::Index(left, right) => self.index(left, right, span),
            Syntax::Member { base, member, arrow } => self.member_access(base, *member, *arrow, span),
            Syntax::SizeofExpr(operand) => {
                let operand = self.expression(operand);
                if self.is_place(&operand) && self.bit_width(&operand).is_some() {
                    self.error("bit-field", span, "a bit-field has no size");
                    return self.broken(span);
                }
                if self.has_bit_field_type(&operand) {
                    return Expr { kind: ExprKind::Unclear(BIT_FIELD_TYPE), ty: Types::SIZE, span };
                }
                self.sizeof(operand.ty, span)
            }
            Syntax::SizeofType(ty) => {
                let ty = self.type_name(ty);
                self.sizeof(ty, span)
            }
            Syntax::AlignofExpr(operand) => {
                let operand = self.expression(operand);
                self.size_constant(self.types.align(operand.ty), span)
            }
            Syntax::AlignofType(ty) => {
                let ty = self.type_name(ty);
                self.size_constant(self.types.align(ty), span)
            }
            Syntax::Generic(control, associations) => self.generic(control, associations, span),
            Syntax::Statements(block) => self.statements(block, span),
            Syntax::LabelAddress(label) => {
                let Some(id) = self.find_label(*label) else { return self.broken(span) };
                let ty = self.types.pointer(Types::VOID);
                Expr { kind: ExprKind::LabelAddress(id), ty, span }
            }
            Syntax::VaArg(list, ty) => {
                let list = self.value(list);
                let ty = self.type_name(ty);
                Expr { kind: ExprKind::VaArg(Box::new(list)), ty, span }
            }
            Syntax::Offsetof(ty, path) => {
                let ty = self.type_name(ty);
                self.offsetof(ty, path, span)
            }
            Syntax::TypesCompatible(first, second) => {
                let (first, second) = (self.type_name(first), self.type_name(second));
                self.int(self.types.compatible(first, second, true).into(), span)
            }
        }
    }

    /// An `int`.
    pub(super) fn int(&self, value: i128, span: Span) -> Expr {
        Expr { kind: ExprKind::Integer(value), ty: Types::INT, span }
    }

    pub(super) fn size_constant(&self, size: u64, span: Span) -> Expr {
        Expr { kind: ExprKind::Integer(size.into()), ty: Types::SIZE, span }
    }

    fn name(&mut self, symbol: Symbol, span: Span) -> Expr {
        if let Some(id) = self.scope.get(symbol) {
            let declaration = &self.declarations[id.index()];
            if declaration.kind == DeclarationKind::Typedef {
                let message = format!("`{}` is a type, not a value", self.text(symbol));
                self.error("type-as-value", span, message);
                return self.broken(span);
            }
            return Expr { kind: ExprKind::Name(id), ty: declaration.ty, span };
        }
        match self.text(symbol) {
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                let function = self.function.as_ref().and_then(|f| self.declarations[f.declaration.index()].name);
                let text = function.map_or("top level", |name| self.names.text(name));
                let units = text.bytes().map(u32::from).collect();
                self.string(StringLiteral { encoding: crate::literal::Encoding::Narrow, units }, span)
            }
            "nullptr" => {
                let ty = self.types.pointer(Types::VOID);
                Expr { kind: ExprKind::Integer(0), ty, span }
            }
            _ => self.undeclared(symbol, span),
        }
    }

    pub(super) fn undeclared(&mut self, symbol: Symbol, span: Span) -> Expr {
        let text = self.text(symbol).to_string();
        if self.sink.wants("undeclared", span) {
            let names = self.declarations.iter().filter_map(|declaration| declaration.name);
            let visible = names.filter(|name| self.scope.get(*name).is_some()).map(|name| self.names.text(name));
            let help = suggest::help(&text, visible);
            let error = Diagnostic::error("undeclared", span, format!("`{text}` is not declared"));
            self.sink.push(error.maybe_help(help));
        }
        self.broken(span)
    }

    fn string(&mut self, literal: StringLiteral, span: Span) -> Expr {
        let element = self.types.integer(literal.encoding.element());
        let ty = self.types.intern(Type::Array(element, ArrayLength::Known(literal.units.len() as u64 + 1)));
        Expr { kind: ExprKind::String(literal), ty, span }
    }

    fn conditional(&mut self, test: &ast::Expr, middle: Option<&ast::Expr>, otherwise: &ast::Expr, span: Span) -> Expr {
        let test = self.condition(test);
        let middle = middle.map(|middle| self.value(middle));
        let otherwise = self.value(otherwise);
        let first = middle.as_ref().unwrap_or(&test);
        let Some(ty) = self.conditional_type(first, &otherwise) else {
            let (first, second) = (self.show(first.ty), self.show(otherwise.ty));
            self.error("type", span, format!("`?:` cannot choose between `{first}` and `{second}`"));
            return self.broken(span);
        };
        if self.depends_on_width(Some(BinaryOperator::BitOr), first, &otherwise) {
            return Expr { kind: ExprKind::Unclear(WIDE), ty, span };
        }
        let middle = middle.map(|middle| Box::new(self.convert(middle, ty)));
        let otherwise = Box::new(self.convert(otherwise, ty));
        Expr { kind: ExprKind::Conditional(Box::new(test), middle, otherwise), ty, span }
    }

    /// The type that both branches become [C11 6.5.15].
    fn conditional_type(&mut self, a: &Expr, b: &Expr) -> Option<TypeId> {
        let (x, y) = (a.ty, b.ty);
        if self.types.is_error(x) || self.types.is_error(y) {
            return Some(Types::ERROR);
        }
        if self.types.is_arithmetic(x) && self.types.is_arithmetic(y) {
            let (x, y) = (self.types.promoted(x, self.value_width(a)), self.types.promoted(y, self.value_width(b)));
            return Some(self.types.common(x, y));
        }
        let is_void = |ty: TypeId| *self.types.get(ty) == Type::Void;
        if is_void(x) || is_void(y) {
            return Some(Types::VOID);
        }
        match (self.types.pointee(x), self.types.pointee(y)) {
            (Some(_), Some(_)) if self.is_null_constant(a) => Some(y),
            (Some(_), Some(_)) if self.is_null_constant(b) => Some(x),
            (Some(to_x), Some(to_y)) => {
                let qualifiers = self.types.qualifiers(to_x) | self.types.qualifiers(to_y);
                let to = if is_void(to_x) || is_void(to_y) {
                    Types::VOID
                } else if self.types.compatible(to_x, to_y, false) {
                    self.types.composite(to_x, to_y)
                } else {
                    Types::VOID
                };
                let to = self.types.qualified(to, qualifiers);
                Some(self.types.pointer(to))
            }
            (Some(_), None) if self.types.is_integer(y) => Some(x),
            (None, Some(_)) if self.types.is_integer(x) => Some(y),
            (None, None) if self.types.compatible(x, y, false) => Some(self.types.unqualified(x)),
            _ => None,
        }
    }

    fn compound_literal(&mut self, ty: &ast::TypeName, list: &ast::InitializerList, span: Span) -> Expr {
        let ty = self.type_name(ty);
        let (initializer, ty) = self.initializer_of_list(ty, list);
        if self.types.is_incomplete(ty) {
            let message = format!("a literal cannot have the incomplete type `{}`", self.show(ty));
            self.error("incomplete-type", span, message);
            return self.broken(span);
        }
        let storage = if self.function.is_none() { Storage::Static } else { Storage::Automatic };
        let id = self.new_declaration(None, ty, DeclarationKind::Variable(storage), span);
        Expr { kind: ExprKind::CompoundLiteral(id, Box::new(initializer)), ty, span }
    }

    fn index(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let (left, right) = (self.value(left), self.value(right));
        // `3[a]` is `a[3]`.
        let swapped = self.types.is_integer(left.ty) && !self.types.is_error(right.ty);
        let (pointer, index) = if swapped { (right, left) } else { (left, right) };
        if self.types.is_error(pointer.ty) || self.types.is_error(index.ty) {
            return self.broken(span);
        }
        let (Some(element), true) = (self.types.pointee(pointer.ty), self.types.is_integer(index.ty)) else {
            if let Type::Vector(element, _) = *self.types.get(pointer.ty) {
                return Expr { kind: ExprKind::Index(Box::new(pointer), Box::new(index)), ty: element, span };
            }
            let message = format!("`{}` cannot be indexed with `{}`", self.show(pointer.ty), self.show(index.ty));
            self.error("type", span, message);
            return self.broken(span);
        };
        if !self.check_pointer_arithmetic(element, span) {
            return self.broken(span);
        }
        Expr { kind: ExprKind::Index(Box::new(pointer), Box::new(index)), ty: element, span }
    }

    fn sizeof(&mut self, ty: TypeId, span: Span) -> Expr {
        if self.types.is_error(ty) {
            return self.broken(span);
        }
        if self.types.size(ty).is_none() && !self.types.is_variable(ty) {
            let message = format!("the size of the incomplete type `{}` is not known", self.show(ty));
            self.error("incomplete-type", span, message);
            return self.broken(span);
        }
        Expr { kind: ExprKind::Sizeof(ty), ty: Types::SIZE, span }
    }

    /// The association whose type is that of the controlling expression [C11 6.5.1.1].
    fn generic(
        &mut self,
        control: &ast::Expr,
        associations: &[(Option<ast::TypeName>, ast::Expr)],
        span: Span,
    ) -> Expr {
        let control = self.value(control);
        let control_type = self.types.unqualified(control.ty);
        let mut chosen = None;
        let mut default = None;
        for (ty, value) in associations {
            match ty {
                None => default = Some(value),
                Some(ty) => {
                    let ty = self.type_name(ty);
                    let same =
                        self.types.qualifiers(ty) == Qualifiers::NONE && self.types.compatible(ty, control_type, true);
                    if same && chosen.is_none() {
                        chosen = Some(value);
                    }
                }
            }
        }
        match chosen.or(default) {
            Some(value) => {
                let value = self.expression(value);
                match self.has_bit_field_type(&control) {
                    true => Expr { kind: ExprKind::Unclear(BIT_FIELD_TYPE), ..value },
                    false => value,
                }
            }
            None if self.types.is_error(control.ty) => self.broken(span),
            None => {
                let message = format!("no association of this `_Generic` is for `{}`", self.show(control.ty));
                self.error("generic", span, message);
                self.broken(span)
            }
        }
    }

    /// `({ … })` has the value of its last statement.
    fn statements(&mut self, block: &ast::Block, span: Span) -> Expr {
        if self.function.is_none() {
            self.error("statements", span, "statements outside of a function");
            return self.broken(span);
        }
        let block = self.block(block);
        let ty = value_type(block.statements.last()).unwrap_or(Types::VOID);
        Expr { kind: ExprKind::Statements(Box::new(block)), ty, span }
    }

    pub(super) fn unary_value(&self, operator: UnaryOperator, operand: Expr, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Unary(operator, Box::new(operand)), ty, span }
    }
}

/// The type of the value of a statement expression's last statement.
fn value_type(statement: Option<&crate::typed::Stmt>) -> Option<TypeId> {
    match &statement?.kind {
        crate::typed::StmtKind::Expr(value) => Some(value.ty),
        crate::typed::StmtKind::Labeled(_, body) => value_type(Some(body)),
        _ => None,
    }
}

//! Types of declarations: specifiers give a type, declarators derive others from it. For example, of `const char *a[2]`
//! the specifiers give `const char`, and the declarator derives an array of two pointers.

use super::Sema;
use crate::ast::{self, ArraySize, Derivation, Parameters, TypeSpecifier};
use crate::limits::{MAX_OBJECT_SIZE, MAX_TYPE_DEPTH};
use crate::typed::{DeclarationId, DeclarationKind, Expr, ExprKind};
use crate::types::{ArrayLength, Basic, FunctionType, IntKind, Qualifiers, Target, Type, TypeId, Types};
use std::sync::Arc;
use trifold_source::{Diagnostic, Span, suggest};

impl Sema<'_> {
    /// The type that specifiers name. `__auto_type` is an error here, and handled before where it is not.
    pub(super) fn specified(&mut self, specifiers: &ast::Specifiers, declares_alone: bool) -> TypeId {
        let ty = match &specifiers.ty {
            TypeSpecifier::Missing => {
                let warning = Diagnostic::warning("implicit-int", specifiers.span, "no type is given, so it is `int`");
                self.sink.push(warning);
                Types::INT
            }
            TypeSpecifier::Basic(basic) => self.types.intern(match basic {
                Basic::Void => Type::Void,
                Basic::Bool => Type::Bool,
                Basic::Integer(kind) => Type::Integer(self.types.written(*kind)),
                Basic::Float(kind) => Type::Float(*kind),
                Basic::Complex(kind) => Type::Complex(*kind),
            }),
            TypeSpecifier::Named(name) => match self.scope.get(name.symbol) {
                Some(id) if self.declarations[id.index()].kind == DeclarationKind::Typedef => {
                    self.declarations[id.index()].ty
                }
                _ => self.unknown_type(*name),
            },
            TypeSpecifier::Record(record) => self.record(record, declares_alone),
            TypeSpecifier::Enum(enumeration) => self.enumeration(enumeration),
            TypeSpecifier::TypeofExpr(operand) => {
                let operand = self.expression(operand);
                if self.has_bit_field_type(&operand) {
                    self.error("bit-field", operand.span, "the value of a bit-field has no type of its own");
                }
                operand.ty
            }
            TypeSpecifier::TypeofType(ty) => self.type_name(ty),
            TypeSpecifier::Atomic(ty) => {
                let ty = self.type_name(ty);
                self.types.qualified(ty, Qualifiers::ATOMIC)
            }
            TypeSpecifier::Auto => {
                self.error("auto-type", specifiers.span, "`__auto_type` needs an initializer");
                Types::ERROR
            }
        };
        let ty = self.types.qualified(ty, specifiers.qualifiers);
        self.with_mode(ty, &specifiers.attributes)
    }

    fn unknown_type(&mut self, name: ast::Name) -> TypeId {
        let text = self.text(name.symbol).to_string();
        let types = self.declarations.iter().filter(|declaration| declaration.kind == DeclarationKind::Typedef);
        let known = types.filter_map(|declaration| declaration.name).map(|name| self.names.text(name));
        let help = suggest::help(&text, known);
        let error = Diagnostic::error("unknown-type", name.span, format!("there is no type `{text}`"));
        self.sink.push(error.maybe_help(help));
        Types::ERROR
    }

    /// The type of a type name, as in a cast.
    pub(super) fn type_name(&mut self, name: &ast::TypeName) -> TypeId {
        let base = self.specified(&name.specifiers, false);
        self.declared(base, &name.declarator)
    }

    /// The type of a declared name, from the specified type.
    pub(super) fn declared(&mut self, base: TypeId, declarator: &ast::Declarator) -> TypeId {
        let ty = self.derived(base, &declarator.derivations, declarator.span);
        self.with_mode(ty, &declarator.attributes)
    }

    /// The type after these derivations; the last one is applied first.
    pub(super) fn derived(&mut self, base: TypeId, derivations: &[Derivation], span: Span) -> TypeId {
        let mut ty = base;
        for derivation in derivations.iter().rev() {
            ty = match derivation {
                Derivation::Pointer(qualifiers) => {
                    let pointer = self.types.pointer(ty);
                    self.types.qualified(pointer, *qualifiers)
                }
                Derivation::Array { size, span, .. } => self.array(ty, size, *span),
                Derivation::Function(parameters, span) => self.function_type(ty, parameters, *span),
            };
            ty = self.not_too_deep(ty, span);
        }
        ty
    }

    /// The type, unless recursion over it would not be safe.
    pub(super) fn not_too_deep(&mut self, ty: TypeId, span: Span) -> TypeId {
        if !self.types.is_too_deep(ty) {
            return ty;
        }
        self.error("nesting", span, format!("a type of more than {MAX_TYPE_DEPTH} levels"));
        Types::ERROR
    }

    fn array(&mut self, element: TypeId, size: &ArraySize, span: Span) -> TypeId {
        if matches!(self.types.get(element), Type::Function(_)) {
            self.error("array", span, "an array cannot have functions as elements");
            return Types::ERROR;
        }
        if self.types.is_incomplete(element) {
            let message = format!("an array cannot have elements of the incomplete type `{}`", self.show(element));
            self.error("incomplete-type", span, message);
            return Types::ERROR;
        }
        let length = match size {
            ArraySize::Unknown => ArrayLength::Unknown,
            ArraySize::Star => {
                let none = Expr { kind: ExprKind::Integer(0), ty: Types::SIZE, span };
                self.variable_length(none)
            }
            ArraySize::Expr(size) => {
                let size = self.value(size);
                match self.array_length(size) {
                    Some(length) => length,
                    None => return Types::ERROR,
                }
            }
        };
        let ty = self.types.intern(Type::Array(element, length));
        let too_large = matches!(length, ArrayLength::Known(_))
            && !self.types.is_variable(element)
            && !self.types.is_error(element)
            && self.types.size(ty).is_none_or(|size| size > MAX_OBJECT_SIZE);
        if too_large {
            self.error("array", span, "this array is too large");
            return Types::ERROR;
        }
        ty
    }

    fn array_length(&mut self, size: Expr) -> Option<ArrayLength> {
        if self.types.is_error(size.ty) {
            return None;
        }
        if !self.types.is_integer(size.ty) {
            let message = format!("the length of an array must be an integer, not `{}`", self.show(size.ty));
            self.error("array", size.span, message);
            return None;
        }
        match self.integer_constant(&size) {
            Some(value) if value < 0 => {
                self.error("array", size.span, format!("the length of this array is {value}"));
                None
            }
            Some(value) => match u64::try_from(value) {
                Ok(length) => Some(ArrayLength::Known(length)),
                Err(_) => {
                    self.error("array", size.span, "this array is too large");
                    None
                }
            },
            None if self.function.is_none() && self.at_file_scope() => {
                self.error("not-constant", size.span, "outside of functions the length of an array must be constant");
                None
            }
            None => Some(self.variable_length(size)),
        }
    }

    fn variable_length(&mut self, size: Expr) -> ArrayLength {
        self.lengths.push(size);
        ArrayLength::Variable(self.lengths.len() as u32 - 1)
    }

    fn function_type(&mut self, result: TypeId, parameters: &Parameters, span: Span) -> TypeId {
        let parameters = match parameters {
            Parameters::Names(_) => None,
            // Names of parameters are known to the types of later ones: `(int n, int a[n])`.
            Parameters::Prototype { parameters, variadic } => {
                Some((self.scoped(|sema| sema.parameters(parameters)), *variadic))
            }
        };
        let parameters = parameters.map(|(ids, variadic)| (self.types_of(&ids), variadic));
        self.function_of(result, parameters, span)
    }

    /// The type of a function; without parameters nothing is known about them.
    pub(super) fn function_of(
        &mut self,
        result: TypeId,
        parameters: Option<(Vec<TypeId>, bool)>,
        span: Span,
    ) -> TypeId {
        if matches!(self.types.get(result), Type::Function(_) | Type::Array(..)) {
            let message = format!("a function cannot return `{}`", self.show(result));
            self.error("function", span, message);
            return Types::ERROR;
        }
        let result = self.types.unqualified(result);
        let prototype = parameters.is_some();
        let (parameters, variadic) = parameters.unwrap_or_default();
        self.types.intern(Type::Function(Arc::new(FunctionType { result, parameters, variadic, prototype })))
    }

    /// Declares parameters in the current scope.
    pub(super) fn parameters(&mut self, parameters: &[ast::Parameter]) -> Vec<DeclarationId> {
        let declare = |parameter: &ast::Parameter| {
            let ty = self.parameter_type(parameter);
            self.declare_parameter(parameter.declarator.name, ty, parameter.declarator.span)
        };
        parameters.iter().map(declare).collect()
    }

    /// The types of parameters as their function sees them from outside.
    pub(super) fn types_of(&mut self, parameters: &[DeclarationId]) -> Vec<TypeId> {
        parameters.iter().map(|id| self.types.unqualified(self.declarations[id.index()].ty)).collect()
    }

    /// The type of a parameter, after arrays and functions have become pointers.
    fn parameter_type(&mut self, parameter: &ast::Parameter) -> TypeId {
        let base = self.specified(&parameter.specifiers, false);
        let ty = self.declared(base, &parameter.declarator);
        if *self.types.get(ty) == Type::Void {
            let span = parameter.declarator.name.map_or(parameter.specifiers.span, |name| name.span);
            self.error("incomplete-type", span, "a parameter cannot be `void`");
            return Types::ERROR;
        }
        let qualifiers = match parameter.declarator.derivations.first() {
            Some(Derivation::Array { qualifiers, .. }) => *qualifiers,
            _ => Qualifiers::NONE,
        };
        self.adjusted(ty, qualifiers)
    }

    /// A pointer instead of an array or function.
    pub(super) fn adjusted(&mut self, ty: TypeId, qualifiers: Qualifiers) -> TypeId {
        match *self.types.get(ty) {
            Type::Array(element, _) => {
                let pointer = self.types.pointer(element);
                self.types.qualified(pointer, qualifiers)
            }
            Type::Function(_) => self.types.pointer(ty),
            _ => ty,
        }
    }

    /// The type of differences of pointers: `long`, or `int` of a target with 32 bits.
    pub(super) fn difference_type(&mut self) -> TypeId {
        self.types.integer(match self.types.target {
            Target::Lp64 => IntKind::Long,
            Target::Ilp32 => IntKind::Int,
        })
    }
}

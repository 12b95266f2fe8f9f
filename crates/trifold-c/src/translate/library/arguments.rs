//! Arguments of functions of the C library: what their rows say must be there is read.
//!
//! Text and streams come from the program itself, or from outside: the arguments of the program, of which there are
//! `argc`, and the standard streams, which are there as long as nobody closes them. For example, `atoi(argv[1])` fails
//! if `argc` is 1. Nothing else is taken for granted: a pointer of another file may be null.

use crate::library::{Null, Parameter, Role, Row};
use crate::translate::Translator;
use crate::translate::forms::{is_character, literal_in, string_in, text_array};
use crate::translate::layout::Kind;
use crate::translate::place::Place;
use crate::translate::text::Argument;
use crate::translate::value::Value;
use crate::typed::{DeclarationId, DeclarationKind, Expr, ExprKind, Storage};
use crate::types::TypeId;
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, FindingKind, Operand, Scalar, Statement};
use trifold_source::Span;

/// The streams that are there when a program starts.
const STANDARD: [&str; 3] = ["stdin", "stdout", "stderr"];
/// Wide enough for an index and a number of arguments.
const I64: Scalar = Scalar::Int { signed: true, bits: 64 };

impl<'p> Translator<'p> {
    /// Computes arguments, and reads what of them must be there: what runs know of each. Some have been dealt with.
    pub(in crate::translate) fn use_arguments(
        &mut self,
        row: &Row,
        arguments: &'p [Expr],
        done: &[usize],
    ) -> Vec<Argument> {
        let printed = self.printed_text(row, arguments);
        let left = arguments.iter().enumerate().filter(|(index, _)| !done.contains(index));
        left.map(|(index, argument)| match row.parameters.get(index) {
            Some(parameter) => self.use_argument(*parameter, argument),
            None if printed.contains(&index) => self.read_text(argument, Null::Never),
            None => self.compute_argument(argument),
        })
        .collect()
    }

    fn use_argument(&mut self, Parameter { role, null }: Parameter, argument: &'p Expr) -> Argument {
        match role {
            Role::Text | Role::TextAtMost(_) | Role::PrintFormat | Role::ScanFormat => {
                return self.read_text(argument, null);
            }
            Role::Stream => drop(self.read_stream(argument, null)),
            Role::Closed => self.close_stream(argument),
            _ => return self.compute_argument(argument),
        }
        Argument::Outside
    }

    /// An argument of which only the value is used.
    fn compute_argument(&mut self, argument: &'p Expr) -> Argument {
        if self.c.types.is_integer(argument.ty) {
            return Argument::Number(self.value(argument, None));
        }
        self.effect(self.uncast(argument));
        Argument::Outside
    }

    /// Text that an argument points to.
    fn read_text(&mut self, cast: &'p Expr, null: Null) -> Argument {
        let argument = self.uncast(cast);
        if let Some(text) = literal_in(argument) {
            return Argument::Literal(text);
        }
        if string_in(argument).is_some() || self.is_array_of_others(argument) {
            return Argument::Outside;
        }
        if let Some(index) = self.program_argument(argument) {
            self.check_program_argument(index, argument.span);
            return Argument::Outside;
        }
        if let Some(array) = text_array(&self.c.types, argument) {
            let place = self.place(array);
            let element = self.part_type(array.ty, 0);
            let first = self.part(place.clone(), 0, element, argument.span);
            self.load(first, None, argument.span);
            return Argument::Array(place);
        }
        // A `void *` is one to text if it is used as such.
        let text = [argument, cast].into_iter().find_map(|expr| {
            let character = self.c.types.pointee(expr.ty).filter(|ty| is_character(&self.c.types, *ty))?;
            Some((expr, character))
        });
        let Some((text, character)) = text else {
            self.unsupported("something that is used as text, and is none", argument.span);
            return Argument::Outside;
        };
        let pointer = self.value(text, None);
        self.unless_allowed(pointer.clone(), null, argument.span, |this, pointer| {
            let place = this.dereference(pointer, character, argument.span);
            this.load(place, None, argument.span);
        });
        match (pointer, null) {
            (Value::Pointer(pointer), Null::Never) => Argument::Pointer(pointer),
            _ => Argument::Outside,
        }
    }

    /// Does something with a pointer, unless it is null and may be.
    fn unless_allowed(&mut self, pointer: Value, null: Null, span: Span, run: impl FnOnce(&mut Self, Value)) {
        match (null, &pointer) {
            (Null::Allowed, Value::Null) => {}
            (Null::Allowed, Value::Pointer(variable)) => {
                let left = Operand::Pointer(*variable);
                let is_null = Condition::Pointers { left, right: Operand::Null, equal: true };
                let otherwise = self.unless(is_null, span);
                let end = self.node();
                self.jump(end, span);
                self.body.at = otherwise;
                run(self, pointer);
                self.join(end, span);
            }
            _ => run(self, pointer),
        }
    }

    /// Is it an array of characters of another file? Where it is, is known, and that is all.
    fn is_array_of_others(&self, expr: &Expr) -> bool {
        match text_array(&self.c.types, expr).map(|array| &array.kind) {
            Some(ExprKind::Name(id)) => self.is_elsewhere(*id),
            _ => false,
        }
    }

    /// Is it a variable of another file?
    fn is_elsewhere(&self, id: DeclarationId) -> bool {
        let is_external = self.c.declaration(id).kind == DeclarationKind::Variable(Storage::External);
        is_external && !self.globals.contains_key(&id)
    }

    /// The index of an argument of the program, `argv[index]`; none if it is the first one, `*argv`.
    fn program_argument(&self, expr: &'p Expr) -> Option<Option<&'p Expr>> {
        let ExprKind::Load(place) = &expr.kind else { return None };
        let (pointer, index) = match &place.kind {
            ExprKind::Index(pointer, index) => (pointer, Some(&**index)),
            ExprKind::Deref(pointer) => (pointer, None),
            _ => return None,
        };
        let ExprKind::Load(variable) = &pointer.kind else { return None };
        let second = self.body.function.and_then(|function| function.parameters.get(1));
        let is_arguments = matches!(variable.kind, ExprKind::Name(id) if Some(&id) == second && self.is_outside(id));
        is_arguments.then_some(index)
    }

    /// Does a parameter still have the value that the environment gave it?
    fn is_outside(&self, id: DeclarationId) -> bool {
        self.environment.contains(&id) && !self.survey.changed.contains(&id)
    }

    /// An argument of the program is text if there are so many; the one after the last is null.
    fn check_program_argument(&mut self, index: Option<&'p Expr>, span: Span) {
        let Some(count) = self.argument_count() else {
            return drop(self.unsupported("the environment's arguments", span));
        };
        let index = match index.map(|index| self.value(index, None)) {
            None => ir::Expr::Constant(0, I64),
            Some(Value::Scalar(index)) => self.converted(index, I64),
            Some(_) => return drop(self.unsupported("an index", span)),
        };
        let zero = ir::Expr::Constant(0, I64);
        let bounds = [
            (ir::Expr::binary(BinaryOp::GreaterEqual, index.clone(), zero), FindingKind::InvalidDereference),
            (ir::Expr::binary(BinaryOp::Less, index, self.converted(count, I64)), FindingKind::NullDereference),
        ];
        for (condition, kind) in bounds {
            let outside = self.unless(Condition::Scalar(condition), span);
            let inside = std::mem::replace(&mut self.body.at, outside);
            let text = "there are not so many arguments of the program".to_string();
            self.end(Statement::Error { kind, text }, span);
            self.body.at = inside;
        }
    }

    /// How many arguments the program has.
    fn argument_count(&mut self) -> Option<ir::Expr> {
        let count = *self.body.function?.parameters.first()?;
        let place = self.body.variables.get(&count).filter(|_| !self.survey.changed.contains(&count))?;
        match (place.variable(), place.kind()) {
            (Some(variable), Some(Kind::Scalar(_))) => Some(ir::Expr::Variable(variable)),
            _ => None,
        }
    }

    /// A stream must be open. It is an object with some content; the pointer to it, if it is not a standard one.
    fn read_stream(&mut self, cast: &'p Expr, null: Null) -> Option<Value> {
        let argument = self.uncast(cast);
        if self.is_standard_stream(argument) {
            return None;
        }
        let target = self.c.types.pointee(argument.ty)?;
        let stream = self.value(argument, None);
        self.unless_allowed(stream.clone(), null, argument.span, |this, stream| {
            let place = this.dereference(stream, target, argument.span);
            this.touch(&place, target, argument.span);
        });
        Some(stream)
    }

    /// Reads something of an object, which must be there.
    fn touch(&mut self, place: &Place, ty: TypeId, span: Span) {
        let Some(object) = place.pointer() else { return };
        match self.leaves_of(place, span).into_iter().next() {
            Some(leaf) => drop(self.load(leaf, None, span)),
            None => {
                let null = Condition::Pointers { left: Operand::Pointer(object), right: Operand::Null, equal: false };
                let otherwise = self.unless(null, span);
                self.unsupported(format!("an object of type `{}`, of which nothing is known", self.c.show(ty)), span);
                self.body.at = otherwise;
                self.dereference(Value::Null, ty, span);
            }
        }
    }

    fn close_stream(&mut self, cast: &'p Expr) {
        match self.read_stream(cast, Null::Never) {
            None => drop(self.unsupported("a standard stream that is closed", cast.span)),
            Some(Value::Pointer(pointer)) => self.emit(Statement::Free { pointer }, cast.span),
            Some(_) => {}
        }
    }

    /// Is it a stream that is there from the beginning to the end?
    fn is_standard_stream(&self, expr: &Expr) -> bool {
        let ExprKind::Load(place) = &expr.kind else { return false };
        let ExprKind::Name(id) = place.kind else { return false };
        let is_own = self.c.declaration(id).assembler_name.is_none();
        let is_kept = is_own && !self.survey.changed.contains(&id) && !self.survey.closed.contains(&id);
        STANDARD.contains(&self.name(id)) && self.is_elsewhere(id) && is_kept
    }
}

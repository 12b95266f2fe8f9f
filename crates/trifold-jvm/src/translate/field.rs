//! Fields of objects and of classes, and new objects. For example, `x.n = y` becomes `x->n = y`, and a null `x` is
//! found there, unless somebody catches it.

use super::Translator;
use super::value::Sym;
use crate::class::{Constant, Invoke, MemberRef, Op};
use crate::reach::is_assertion_flag;
use trifold_ir::{Builder, Expr, Operand, Region, Scalar, Scope, Statement, Type, VarId};

impl<'t> Translator<'t> {
    pub(super) fn get_field(&mut self, field: &MemberRef) {
        let (object, span) = (self.pop(), self.span());
        let Some((class, position)) = self.reach.classes.resolve_field(&field.class, &field.name, &field.descriptor)
        else {
            self.unsupported(format!("the field `{}`, which is not known", field.name));
            return self.push_anything(&field.descriptor);
        };
        let id = self.field(&class, position);
        let Some(object) = self.dereferenced(&object, &class.name) else {
            return self.push_anything(&field.descriptor);
        };
        let ty = self.ir[id].ty;
        let to = self.temporary(ty);
        self.emit(Statement::Load { to, object, field: id }, span);
        self.push_variable(to);
    }

    pub(super) fn put_field(&mut self, field: &MemberRef) {
        let (value, object, span) = (self.pop(), self.pop(), self.span());
        let Some((class, position)) = self.reach.classes.resolve_field(&field.class, &field.name, &field.descriptor)
        else {
            return self.unsupported(format!("the field `{}`, which is not known", field.name));
        };
        let id = self.field(&class, position);
        let value = self.operand(value, self.ir[id].ty);
        let Some(object) = self.dereferenced(&object, &class.name) else { return };
        self.emit(Statement::Store { object, field: id, value }, span);
    }

    /// The variable of an object of a class that is dereferenced next. Nothing if it is null for sure.
    pub(super) fn dereferenced(&mut self, object: &Sym, class: &str) -> Option<VarId> {
        let structure = Type::Pointer(Some(self.structure(class)));
        if !self.is_caught("java/lang/NullPointerException") && !matches!(object, Sym::Null) {
            let variable = self.pointer(object)?;
            return Some(self.exactly(variable, structure));
        }
        self.check_object(object);
        let variable = self.pointer(object)?;
        Some(self.exactly(variable, structure))
    }

    pub(super) fn push_variable(&mut self, variable: VarId) {
        self.push(match self.ir[variable].ty {
            Type::Pointer(_) => Sym::pointer(variable),
            Type::Scalar(_) => Sym::Number(Expr::Variable(variable)),
        });
    }

    /// A value of a type where execution does not come.
    pub(super) fn push_anything(&mut self, descriptor: &str) {
        let ty = crate::frames::field_type(descriptor).ok();
        self.push(match ty.map(|ty| ty.kind()) {
            None | Some(crate::class::Kind::Ref) => Sym::Null,
            Some(kind) => Sym::Number(Expr::Constant(0, super::value::scalar_of(kind))),
        });
    }

    pub(super) fn get_static(&mut self, field: &MemberRef) {
        if is_assertion_flag(field) {
            return self.push(Sym::Number(Expr::Constant(0, Scalar::Bool)));
        }
        if let ("java/lang/System", "out" | "err" | "in") = (&*field.class, &*field.name) {
            return self.push(Sym::Opaque("a stream of the system"));
        }
        let Some((class, position)) = self.reach.classes.resolve_field(&field.class, &field.name, &field.descriptor)
        else {
            self.unsupported(format!("the field `{}`, which is not known", field.name));
            return self.push_anything(&field.descriptor);
        };
        let declared = &class.fields[position];
        if let Some(constant) = &declared.constant
            && declared.access & crate::class::access::FINAL != 0
        {
            return self.push_constant(constant, &field.descriptor);
        }
        if crate::models::is_modelled(&class.name) {
            self.unsupported(format!("the field `{}` of the library", field.name));
            return self.push_anything(&field.descriptor);
        }
        self.initialise(&class.name);
        let variable = self.static_variable(&class, position);
        self.push_variable(variable);
    }

    fn push_constant(&mut self, constant: &Constant, descriptor: &str) {
        let is_boolean = descriptor == "Z";
        match constant {
            Constant::Int(value) if is_boolean => {
                self.push(Sym::Number(Expr::Constant(i128::from(value & 1), Scalar::Bool)));
            }
            Constant::Text(units) => self.push(Sym::Text(units.clone())),
            Constant::Int(value) => self.push(Sym::int(*value)),
            Constant::Long(value) => {
                self.push(Sym::Number(super::value::constant((*value).into(), super::value::I64)));
            }
            Constant::Float(bits) => {
                self.push(Sym::Number(super::value::constant((*bits).into(), super::value::U32)));
            }
            Constant::Double(bits) => {
                self.push(Sym::Number(super::value::constant((*bits).into(), super::value::U64)));
            }
            _ => self.push_anything(descriptor),
        }
    }

    pub(super) fn put_static(&mut self, field: &MemberRef) {
        let found = self.reach.classes.resolve_field(&field.class, &field.name, &field.descriptor);
        if is_assertion_flag(field) {
            return drop(self.stack.pop());
        }
        let Some((class, position)) = found else {
            return self.unsupported(format!("the field `{}`, which is not known", field.name));
        };
        self.initialise(&class.name);
        let (value, span) = (self.pop(), self.span());
        let variable = self.static_variable(&class, position);
        self.save(|_, changed| changed == variable);
        let value = self.operand(value, self.ir[variable].ty);
        if !self.redirect(&value, variable) {
            self.set(variable, value, span);
        }
    }

    /// Before something unknown runs: values on the stack that depend on global variables are saved.
    pub(super) fn save_globals(&mut self) {
        self.save(|ir, variable| ir[variable].scope == Scope::Global);
    }

    pub(super) fn new_object(&mut self, class: &str) {
        if !self.reach.classes.is_complete(class) {
            self.unsupported(format!("an object of `{}`, of which not everything is known", class.replace('/', ".")));
            return self.push(Sym::Null);
        }
        self.initialise(class);
        let ty = Type::Pointer(Some(self.structure(class)));
        let to = match self.variable_of_new(ty) {
            Some(variable) => variable,
            None => self.temporary(ty),
        };
        self.allocate(to, class);
        self.push(Sym::object(to));
    }

    /// A new object of a class, with null and zero in its fields.
    pub(super) fn allocate(&mut self, to: VarId, class: &str) {
        let (structure, span) = (self.structure(class), self.span());
        let (region, zeroed, may_fail) = (Region::Heap, true, false);
        self.emit(Statement::Allocate { to, structure, region, zeroed, may_fail }, span);
        if let Some(field) = self.tag(class) {
            let number = super::value::constant(self.class_number(class), Scalar::I32);
            self.emit(Statement::Store { object: to, field, value: Operand::Scalar(number) }, span);
        }
    }

    /// The variable that a new object is stored in after its constructor, if nothing notices that this is done before:
    /// `x = new C(…)` where the arguments do not mention `x`, and nothing is caught.
    fn variable_of_new(&mut self, ty: Type) -> Option<VarId> {
        let (code, flow, at) = (self.code(), self.flow(), self.instruction);
        let height = flow.frames[at].as_ref()?.stack.len();
        let is_construction = |index: usize| match (&code.instructions[index].op, &flow.frames[index]) {
            (Op::Invoke(Invoke::Special, method), Some(frame)) if method.name == "<init>" => {
                frame.stack.len() == height + 2 + crate::descriptor::argument_count(&method.descriptor)
            }
            _ => false,
        };
        if !matches!(code.instructions.get(at + 1)?.op, Op::Dup) || code.handlers_at(at).next().is_some() {
            return None;
        }
        let mut index = at + 2;
        while !is_construction(index) {
            let (jumps, falls_through) = code.instructions.get(index)?.op.successors();
            if !jumps.is_empty() || !falls_through {
                return None;
            }
            index += 1;
        }
        let store = index + 1;
        if (at + 1..=store).any(|index| self.nodes.contains_key(&index)) {
            return None;
        }
        let Op::Store(..) = code.instructions.get(store)?.op else { return None };
        let web = flow.webs.of(store)?;
        let variable = self.variables[web];
        let is_used = (at + 1..store).any(|index| flow.webs.of(index) == Some(web));
        let is_held = self.stack.iter().any(|sym| sym.mentions(variable));
        (!is_used && !is_held && self.ir[variable].ty == ty).then_some(variable)
    }
}

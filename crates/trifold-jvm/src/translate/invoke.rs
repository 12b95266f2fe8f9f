//! Calls. The class of the receiver decides which method is called, where several classes have their own. For example,
//! `s.area()` becomes a choice by the class of `s`, with a call in each branch.

use super::Translator;
use super::value::Sym;
use crate::class::{Dynamic, Invoke, MemberRef, Op};
use crate::classes::{MethodId, OBJECT, STRING};
use crate::descriptor::{MethodDescriptor, argument_count};
use crate::dispatch::{object_method, shown, targets};
use crate::frames::receiver_class;
use crate::models::{Model, model};
use crate::reach::Body;
use trifold_ir::{Builder, Condition, Operand, Scalar, Statement, Type, VarId};

impl<'t> Translator<'t> {
    pub(super) fn invoke(&mut self, kind: Invoke, method: &MemberRef) {
        let result = method.descriptor.rsplit_once(')').map_or("V", |(_, result)| result);
        let Some(called) = self.reach.classes.resolve_method(&method.class, &method.name, &method.descriptor) else {
            self.unsupported(format!("a call of `{}`, which is not known", method.name));
            self.drop_arguments(&method.descriptor, kind != Invoke::Static);
            return if result != "V" {
                self.push_anything(result)
            };
        };
        if kind == Invoke::Static {
            self.initialise(&called.class);
        }
        let frame = self.flow().frames[self.instruction].as_ref();
        let count = argument_count(&method.descriptor);
        let class =
            frame.map_or(method.class.clone(), |frame| receiver_class(self.reach.classes, frame, count, method));
        let classes: Vec<Option<&str>> = (0..count).rev().map(|depth| self.static_class(depth)).collect();
        let mut arguments: Vec<Sym> = (0..count).map(|_| self.pop()).collect();
        arguments.reverse();
        let receiver = (kind != Invoke::Static).then(|| self.pop());
        self.save_globals();
        let value = match (kind, receiver) {
            (Invoke::Virtual, Some(receiver)) => self.call_virtual(&class, &called, receiver, arguments, &classes),
            (_, receiver) => {
                if let Some(receiver) = &receiver {
                    self.check_object(receiver);
                }
                self.call(&called, receiver, arguments, &classes, None)
            }
        };
        match value {
            _ if result == "V" => {}
            Some(value) => self.push(value),
            None if self.is_dropped() => self.push(Sym::Null),
            None => self.push_anything(result),
        }
    }

    /// Is the value that this instruction pushes taken away at once? Then no variable has it, and it decides nothing.
    fn is_dropped(&self) -> bool {
        let next = self.instruction + 1;
        let after = self.body.and_then(Body::code).and_then(|code| code.instructions.get(next));
        !self.nodes.contains_key(&next) && after.is_some_and(|after| matches!(after.op, Op::Pop))
    }

    fn drop_arguments(&mut self, descriptor: &str, has_receiver: bool) {
        let count = argument_count(descriptor) + usize::from(has_receiver);
        (0..count).for_each(|_| drop(self.stack.pop()));
    }

    pub(super) fn call_virtual(
        &mut self,
        class: &str,
        called: &MethodId,
        receiver: Sym,
        arguments: Vec<Sym>,
        classes: &[Option<&str>],
    ) -> Option<Sym> {
        self.check_object(&receiver);
        let (declaring, position) = self.reach.classes.method(called);
        let method = &declaring.methods[position];
        if class.starts_with('[') && method.name == "clone" {
            return self.clone_array(class, receiver);
        }
        let exact = match &receiver {
            Sym::Null => return None,
            Sym::Text(_) => self.reach.classes.select(STRING, called),
            Sym::Opaque(_) => Some(called.clone()),
            _ if method.is_private() => Some(called.clone()),
            _ => None,
        };
        if let Some(target) = exact {
            return self.call(&target, Some(receiver), arguments, classes, None);
        }
        let targets = targets(self.reach, class, called);
        match &targets[..] {
            [] => {
                self.unsupported(format!("a call of `{}`, which no class has of which there are objects", method.name));
                None
            }
            [(target, _)] => self.call(target, Some(receiver), arguments, classes, None),
            _ => self.choose(targets, class, &method.signature, receiver, arguments, classes),
        }
    }

    /// Calls one of several methods, by the class of the receiver.
    fn choose(
        &mut self,
        targets: Vec<(MethodId, Vec<&str>)>,
        class: &str,
        signature: &MethodDescriptor,
        receiver: Sym,
        arguments: Vec<Sym>,
        classes: &[Option<&str>],
    ) -> Option<Sym> {
        let span = self.span();
        let variable = self.pointer(&receiver)?;
        let first = targets.first().and_then(|(_, classes)| classes.first().copied()).unwrap_or(class);
        let Some(field) = self.tag(first) else {
            self.unsupported("a call that depends on the class of an object");
            return None;
        };
        let structure = Type::Pointer(Some(self.ir[field].structure));
        let object = self.exactly(variable, structure);
        let number = self.temporary(Type::Scalar(Scalar::I32));
        self.emit(Statement::Load { to: number, object, field }, span);
        let to = signature.result.as_ref().filter(|_| !self.is_dropped()).map(|result| {
            let ty = self.field_type(result);
            self.temporary(ty)
        });
        let (start, end) = (self.at, self.node());
        for (target, of) in targets {
            let of: Vec<String> = of.into_iter().map(str::to_string).collect();
            let here = self.node();
            let condition = self.is_one_of(number, &of);
            self.edge(start, here, Statement::Assume(Condition::Scalar(condition)), span);
            self.at = here;
            let value = self.call(&target, Some(Sym::object(variable)), arguments.clone(), classes, to);
            if let (Some(value), Some(to)) = (value, to) {
                let value = self.operand(value, self.ir[to].ty);
                if value != Operand::Pointer(to) && value != Operand::Scalar(trifold_ir::Expr::Variable(to)) {
                    self.set(to, value, span);
                }
            }
            self.jump(end, span);
        }
        self.at = end;
        to.map(|to| self.value_of(to))
    }

    pub(super) fn value_of(&self, variable: VarId) -> Sym {
        match self.ir[variable].ty {
            Type::Pointer(_) => Sym::pointer(variable),
            Type::Scalar(_) => Sym::Number(trifold_ir::Expr::Variable(variable)),
        }
    }

    /// Calls one method. The receiver is not null.
    pub(super) fn call(
        &mut self,
        target: &MethodId,
        receiver: Option<Sym>,
        arguments: Vec<Sym>,
        classes: &[Option<&str>],
        into: Option<VarId>,
    ) -> Option<Sym> {
        let (class, position) = self.reach.classes.method(target);
        let (method, span) = (&class.methods[position], self.span());
        if let Some(model) = model(&class.name, &method.name, &method.descriptor) {
            return self.model(model, &class.name, method, receiver, arguments, classes);
        }
        if self.is_idle(target) {
            return None;
        }
        let Some(procedure) = self.procedure_of(target) else {
            self.unsupported(format!("a call of `{}`", super::method_name(&class, position)));
            return None;
        };
        if let Some(Err(why)) = self.reach.bodies.get(target).map(|body| &body.flow) {
            self.unsupported(format!("a call of `{}`: {why}", super::method_name(&class, position)));
            return None;
        }
        let parameters = self.ir[procedure].parameters.clone();
        let values: Vec<Sym> = receiver.into_iter().chain(arguments).collect();
        let mut operands = Vec::new();
        for (value, parameter) in values.into_iter().zip(parameters) {
            operands.push(self.operand(value, self.ir[parameter].ty));
        }
        let result = self.ir[procedure].result.filter(|_| into.is_some() || !self.is_dropped());
        let to = result.map(|result| {
            let ty = self.ir[result].ty;
            into.filter(|into| self.ir[*into].ty == ty).unwrap_or_else(|| self.temporary(ty))
        });
        self.emit(Statement::Call { to, targets: vec![procedure], arguments: operands }, span);
        self.check_exception(std::slice::from_ref(target));
        to.map(|to| self.value_of(to))
    }

    /// Is it a constructor that does nothing, nor those above?
    fn is_idle(&self, target: &MethodId) -> bool {
        let (class, position) = self.reach.classes.method(target);
        let method = &class.methods[position];
        if model(&class.name, &method.name, &method.descriptor) == Some(Model::Nothing) {
            return true;
        }
        let Ok(Some(code)) = &method.code else { return false };
        let ops: Vec<&Op> = code.instructions.iter().map(|instruction| &instruction.op).collect();
        match &ops[..] {
            [Op::Load(..), Op::Invoke(Invoke::Special, above), Op::Return(None)] if method.name == "<init>" => {
                let found = self.reach.classes.resolve_method(&above.class, &above.name, &above.descriptor);
                above.descriptor == "()V" && found.is_some_and(|above| self.is_idle(&above))
            }
            _ => false,
        }
    }

    pub(super) fn invoke_dynamic(&mut self, site: &Dynamic) {
        let id = self.body.map(|body| (body.id(), self.instruction));
        let lambda = id.and_then(|id| self.reach.lambdas.get(&id)).cloned();
        let count = argument_count(&site.descriptor);
        let classes: Vec<Option<&str>> = (0..count).rev().map(|depth| self.static_class(depth)).collect();
        let mut arguments: Vec<Sym> = (0..count).map(|_| self.pop()).collect();
        arguments.reverse();
        self.save_globals();
        if let Some(class) = lambda {
            return self.new_lambda(&class, arguments);
        }
        if site.bootstrap.0 == "java/lang/invoke/StringConcatFactory" {
            for (argument, class) in arguments.iter().zip(&classes) {
                self.show(argument, *class);
            }
            let text = self.unknown_text();
            return self.push(text);
        }
        self.unsupported(format!("a call site of `{}.{}`", site.bootstrap.0.replace('/', "."), site.bootstrap.1));
        let result = site.descriptor.rsplit_once(')').map_or("V", |(_, result)| result);
        if result != "V" {
            self.push_anything(result);
        }
    }

    fn new_lambda(&mut self, class: &str, captured: Vec<Sym>) {
        let span = self.span();
        let ty = Type::Pointer(Some(self.structure(class)));
        let object = self.temporary(ty);
        self.allocate(object, class);
        let Some(file) = self.reach.classes.get(class) else { return self.push(Sym::Null) };
        for (position, value) in captured.into_iter().enumerate() {
            let field = self.field(&file, position);
            let value = self.operand(value, self.ir[field].ty);
            self.emit(Statement::Store { object, field, value }, span);
        }
        self.push(Sym::object(object));
    }

    /// Makes a text of a value, for which objects have a method.
    pub(super) fn show(&mut self, value: &Sym, class: Option<&str>) {
        let Some(class) = class else { return };
        let Some((class, called)) = shown(self.reach, class) else { return };
        self.call_own(&class, &called, value);
    }

    /// Calls a method of `Object` without arguments on something that may be null, where the program has its own one.
    pub(super) fn call_own(&mut self, class: &str, called: &MethodId, value: &Sym) {
        let is_own = |target: &MethodId| {
            let (class, position) = self.reach.classes.method(target);
            let method = &class.methods[position];
            match model(&class.name, &method.name, &method.descriptor) {
                None => true,
                Some(Model::ObjectText) => {
                    object_method(self.reach, OBJECT, "hashCode", "()I").is_some_and(|(_, hash)| {
                        targets(self.reach, &class.name, &hash).iter().any(|(target, _)| {
                            let (class, position) = self.reach.classes.method(target);
                            let method = &class.methods[position];
                            model(&class.name, &method.name, &method.descriptor).is_none()
                        })
                    })
                }
                Some(_) => false,
            }
        };
        let targets = targets(self.reach, class, called);
        if !matches!(value, Sym::Pointer { .. }) || !targets.iter().any(|(target, _)| is_own(target)) {
            return;
        }
        let (Some(variable), span) = (self.pointer(value), self.span()) else { return };
        let end = self.node();
        self.if_null(variable, end, span);
        self.call_virtual(class, called, Sym::object(variable), Vec::new(), &[]);
        self.jump(end, span);
        self.at = end;
    }
}

//! What methods with models do. For example, `Math.sqrt(x)` is a number that runs compute, and `println(x)` makes a
//! text of `x`.

use super::Translator;
use super::value::{Sym, U64, constant};
use crate::class::{Kind, Method};
use crate::classes::{OBJECT, STRING, THROWABLE};
use crate::descriptor::FieldType;
use crate::dispatch::object_method;
use crate::models::{Model, model_throws};
use trifold_ir::{
    BinaryOp, Builder, Cause, Condition, Expr, Meaning, Operand, Operation, Scalar, Statement, TextOp, Type, VarId,
};

/// Longer texts are not compared.
const LONGEST: i128 = 1 << 16;
/// Where the characters of a text begin, after their number.
const FIRST: i128 = 8;

fn at(number: i128) -> Operand {
    Operand::Scalar(constant(number, U64))
}

impl<'t> Translator<'t> {
    pub(super) fn model(
        &mut self,
        model: Model,
        class: &str,
        method: &Method,
        receiver: Option<Sym>,
        arguments: Vec<Sym>,
        classes: &[Option<&str>],
    ) -> Option<Sym> {
        let result = method.signature.result.clone();
        let (first, last) = (arguments.first().cloned(), arguments.last().cloned());
        let last_class = classes.last().copied().flatten();
        match model {
            Model::Nothing => None,
            Model::Thrown => {
                self.thrown(receiver?, arguments, classes);
                None
            }
            Model::ThrownText => {
                let (class, called) = crate::dispatch::message(self.reach, THROWABLE)?;
                self.call_own(&class, &called, &receiver?);
                Some(self.some_text(None))
            }
            Model::Receiver => receiver,
            Model::CopyOf => self.copy_of(&first?, classes.first().copied().flatten(), last?),
            Model::CheckIndex => {
                let (index, length) = (self.number(first?), self.number(arguments.get(1)?.clone()));
                let low = Expr::binary(BinaryOp::GreaterEqual, index.clone(), Expr::int(0));
                let high = Expr::binary(BinaryOp::Less, index.clone(), length);
                let within = Expr::binary(BinaryOp::And, low, high);
                self.require(
                    within,
                    model_throws(class, &method.name, &method.descriptor)?,
                    "the index may be outside",
                );
                Some(Sym::Number(index))
            }
            Model::HugeLength => self.huge_length(first?, arguments.get(1)?.clone()),
            Model::ArrayCopy => {
                self.array_copy(arguments, classes);
                None
            }
            Model::Edit => {
                let fails = self.unknown(Scalar::Bool, Cause::Text);
                let thrown = model_throws(class, &method.name, &method.descriptor)?;
                self.require(Self::not(fails), thrown, "the part may be outside of the text");
                match (&last, method.name.as_str()) {
                    (Some(last), "insert") => self.show(last, last_class),
                    (Some(last), "replace") => self.check_object(last),
                    _ => {}
                }
                match result {
                    None => None,
                    Some(result) if result.class() == Some(STRING) => {
                        Some(self.some_text(receiver.filter(|_| class == STRING)))
                    }
                    Some(result) if result.class().is_some() => receiver,
                    Some(result) => Some(self.unknown_value(&result, Cause::Text)),
                }
            }
            Model::Format => {
                self.may_throw(class, method);
                self.check_object(&first?);
                self.shows_anything("toString", OBJECT);
                receiver.or_else(|| Some(self.some_text(None)))
            }
            Model::Join => {
                arguments.iter().for_each(|argument| self.check_object(argument));
                self.shows_anything("iterator", "java/lang/Iterable");
                self.shows_anything("toString", "java/lang/CharSequence");
                Some(self.some_text(None))
            }
            Model::ClassOf => {
                let variable = self.pointer(&receiver?)?;
                Some(Sym::ClassOf(variable))
            }
            Model::Open => self.open(class, method),
            Model::Below => self.below(last?, method, class),
            Model::Unknown(cause) => Some(self.unknown_value(result.as_ref()?, cause)),
            Model::Text => Some(self.unknown_text()),
            Model::SomeText => {
                let before = receiver.filter(|_| class == STRING);
                Some(self.some_text(before))
            }
            Model::Stop => {
                let span = self.span();
                self.end(Statement::Stop, span);
                None
            }
            Model::Show | Model::Append => {
                if let (Some(last), true) = (&last, last_class == Some("[C")) {
                    self.check_object(last);
                }
                if let Some(last) = &last {
                    self.show(last, last_class);
                }
                receiver
            }
            Model::ShowStatic => match &method.signature.parameters[..] {
                [FieldType::Ref(_)] => self.text_of_object(last?, last_class),
                _ => Some(self.some_text(None)),
            },
            Model::True => Some(Sym::Number(Expr::Constant(1, Scalar::Bool))),
            Model::TextLength => self.text_length(receiver?),
            Model::CharAt => self.char_at(receiver?, first?),
            Model::TextEmpty => {
                let length = self.text_length(receiver?)?;
                let length = self.number(length);
                Some(Sym::Number(Expr::binary(BinaryOp::Equal, length, Expr::int(0))))
            }
            Model::TextHash => self.text_hash(receiver?),
            Model::Bits => {
                let number = self.number(last?);
                let scalar = super::value::scalar_of(result.as_ref()?.kind());
                Some(Sym::Number(self.converted(number, scalar)))
            }
            Model::TextEquals => self.text_equals(receiver?, first?, last_class),
            Model::Strict => {
                for (argument, parameter) in arguments.iter().zip(&method.signature.parameters) {
                    if parameter.class().is_some() {
                        self.check_object(argument);
                    }
                }
                let result = result?;
                match result.class() == Some(STRING) {
                    true => Some(self.some_text(receiver.filter(|_| class == STRING))),
                    false => Some(self.unknown_value(&result, Cause::Text)),
                }
            }
            Model::Parse => {
                self.may_throw(class, method);
                result.map(|result| self.unknown_value(&result, Cause::Text))
            }
            Model::Box => self.boxed(class, last?),
            Model::Unbox => self.unboxed(class, receiver?),
            Model::BoxEquals => self.box_equals(class, receiver?, first?, last_class),
            Model::ObjectText => {
                let (_, hash) = object_method(self.reach, OBJECT, "hashCode", "()I")?;
                let own = self.static_class(0).filter(|_| arguments.is_empty()).unwrap_or(OBJECT);
                self.call_own(own, &hash, &receiver?);
                Some(self.unknown_text())
            }
            Model::Float(op) => {
                let kind = result.as_ref().map_or(Kind::Double, FieldType::kind);
                self.push(last?);
                self.float_function(op, kind);
                self.stack.pop()
            }
        }
    }

    /// `String.valueOf(x)`: "null", or what `toString` returns.
    fn text_of_object(&mut self, object: Sym, class: Option<&str>) -> Option<Sym> {
        let null = Sym::Text("null".encode_utf16().collect());
        let (Some(variable), Some(class)) = (self.pointer(&object), class) else { return Some(null) };
        let (class, called) = crate::dispatch::shown(self.reach, class)?;
        let span = self.span();
        let ty = Type::Pointer(Some(self.structure(STRING)));
        let (to, is_null, end) = (self.temporary(ty), self.node(), self.node());
        self.if_null(variable, is_null, span);
        let text = self.call_virtual(&class, &called, Sym::object(variable), Vec::new(), &[]);
        for (node, text) in [(None, text.unwrap_or(Sym::Null)), (Some(is_null), null)] {
            self.at = node.unwrap_or(self.at);
            let value = self.operand(text, ty);
            self.set(to, value, span);
            self.jump(end, span);
        }
        self.at = end;
        Some(Sym::pointer(to))
    }

    /// The library may call a method on any object below a class: what the program does there is not analysed.
    fn shows_anything(&mut self, name: &str, below: &str) {
        let own = |class: &str| {
            let lineage = self.reach.classes.lineage(class);
            let mut above = lineage.iter().filter(|above| !above.name.starts_with("java/"));
            above.any(|above| above.methods.iter().any(|method| method.name == name && !method.is_static()))
        };
        if self.reach.below(below).into_iter().any(own) {
            self.unsupported(format!("a method of the library that calls `{name}` of the program"));
        }
    }

    /// The constructor of an exception: its message and its cause are kept if something reads them.
    fn thrown(&mut self, receiver: Sym, arguments: Vec<Sym>, classes: &[Option<&str>]) {
        let Some(class) = self.reach.classes.get(THROWABLE) else { return };
        let is_read = |name: &str| self.reach.read.contains(&(THROWABLE.to_string(), name.to_string()));
        let (keeps_cause, keeps_message) = (is_read("cause"), is_read("detailMessage"));
        let (mut cause, mut message) = (receiver.clone(), Sym::Null);
        let is_cause =
            |class: &Option<&str>| class.is_some_and(|class| self.reach.classes.is_subclass(class, THROWABLE));
        let alone = arguments.len() == 1;
        for (position, (argument, of)) in arguments.into_iter().zip(classes).enumerate() {
            if is_cause(of) || position == 1 {
                cause = argument.clone();
                if alone {
                    self.show(&argument, *of);
                    message = if keeps_message { self.unknown_text() } else { Sym::Null };
                }
            } else if position == 0 {
                message = argument;
            }
        }
        for (name, value, keeps) in [("cause", cause, keeps_cause), ("detailMessage", message, keeps_message)] {
            let position = class.fields.iter().position(|field| field.name == name && !field.is_static());
            let Some(position) = position.filter(|_| keeps) else { continue };
            let (field, span) = (self.field(&class, position), self.span());
            let value = self.operand(value, self.ir[field].ty);
            let Some(object) = self.dereferenced(&receiver, THROWABLE) else { return };
            self.emit(Statement::Store { object, field, value }, span);
        }
    }

    /// An exception that a model may throw, if somebody may catch it.
    fn may_throw(&mut self, class: &str, method: &Method) {
        let Some(thrown) = model_throws(class, &method.name, &method.descriptor) else { return };
        if !self.is_caught(thrown) {
            return;
        }
        let fails = self.unknown(Scalar::Bool, Cause::Library);
        self.require(Self::not(fails), thrown, "it may fail");
    }

    /// Any number, unless it comes from a seed.
    fn open(&mut self, class: &str, method: &Method) -> Option<Sym> {
        self.may_throw(class, method);
        let ty = method.signature.result.as_ref()?;
        if self.reach.has_seeds {
            return Some(self.unknown_value(ty, Cause::Library));
        }
        let (ty, span) = (self.field_type(ty), self.span());
        let to = self.temporary(ty);
        self.emit(Statement::open(to), span);
        Some(self.value_of(to))
    }

    /// Any number from zero on that is less than a bound.
    fn below(&mut self, bound: Sym, method: &Method, class: &str) -> Option<Sym> {
        let (bound, span) = (self.number(bound), self.span());
        let positive = Expr::binary(BinaryOp::Greater, bound.clone(), Expr::int(0));
        let thrown = model_throws(class, &method.name, &method.descriptor)?;
        let high = match bound {
            Expr::Constant(value, _) if value > 0 => value - 1,
            _ => {
                self.require(positive, thrown, "the bound may be zero");
                i128::from(i32::MAX)
            }
        };
        let to = self.temporary(Type::Scalar(Scalar::I32));
        let meaning = match self.reach.has_seeds {
            true => Meaning::unknown(Cause::Library),
            false => Meaning::Open,
        };
        self.emit(Statement::Nondet { to, range: Some((0, high)), meaning }, span);
        if !matches!(bound, Expr::Constant(..)) {
            let less = Expr::binary(BinaryOp::Less, Expr::Variable(to), bound);
            self.emit(Statement::Assume(Condition::Scalar(less)), span);
        }
        Some(self.value_of(to))
    }

    fn unknown_value(&mut self, ty: &FieldType, cause: Cause) -> Sym {
        match self.field_type(ty) {
            Type::Scalar(scalar) => Sym::Number(self.unknown(scalar, cause)),
            Type::Pointer(_) if ty.class() == Some(STRING) => self.unknown_text(),
            Type::Pointer(_) => {
                self.unsupported("an object that the library returns");
                Sym::Null
            }
        }
    }

    fn content(&mut self, text: &Sym) -> Option<Operand> {
        let (field, span) = (self.text_field(), self.span());
        let object = self.dereferenced(text, STRING)?;
        let to = self.temporary(Type::Scalar(U64));
        self.emit(Statement::Load { to, object, field }, span);
        Some(Operand::Scalar(Expr::Variable(to)))
    }

    fn length(&mut self, content: Operand) -> Expr {
        let span = self.span();
        let to = self.temporary(Type::Scalar(Scalar::I32));
        let meaning = Meaning::Computed(Operation::Read(4), vec![content, at(0)]);
        self.emit(Statement::Nondet { to, range: Some((0, i32::MAX.into())), meaning }, span);
        Expr::Variable(to)
    }

    fn text_length(&mut self, text: Sym) -> Option<Sym> {
        if let Sym::Text(units) = text {
            return Some(Sym::int(units.len() as i32));
        }
        let content = self.content(&text)?;
        Some(Sym::Number(self.length(content)))
    }

    /// `31 * h + c` for each character `c`.
    fn text_hash(&mut self, text: Sym) -> Option<Sym> {
        let step = |hash: i32, unit: &u16| hash.wrapping_mul(31).wrapping_add(i32::from(*unit));
        if let Sym::Text(units) = &text {
            return Some(Sym::int(units.iter().fold(0, step)));
        }
        let span = self.span();
        let content = self.content(&text)?;
        let length = self.length(content.clone());
        let (hash, index) = (self.temporary(Type::Scalar(Scalar::I32)), self.temporary(Type::Scalar(Scalar::I32)));
        for variable in [hash, index] {
            self.set(variable, Operand::Scalar(Expr::int(0)), span);
        }
        let (head, body, end) = (self.node(), self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        let less = Expr::binary(BinaryOp::Less, Expr::Variable(index), length);
        self.fork(Condition::Scalar(less), body, end, span);
        self.at = body;
        let unit = self.unit(content, Expr::Variable(index));
        let unit = self.converted(unit, Scalar::I32);
        let product = Expr::binary(BinaryOp::Multiply, Expr::Variable(hash), Expr::int(31));
        self.set(hash, Operand::Scalar(Expr::binary(BinaryOp::Add, product, unit)), span);
        let next = Expr::binary(BinaryOp::Add, Expr::Variable(index), Expr::int(1));
        self.set(index, Operand::Scalar(next), span);
        self.jump(head, span);
        self.at = end;
        Some(Sym::Number(Expr::Variable(hash)))
    }

    /// A unit of a text.
    fn unit(&mut self, content: Operand, index: Expr) -> Expr {
        let place = Expr::binary(BinaryOp::Multiply, self.converted(index, U64), constant(2, U64));
        let place = Expr::binary(BinaryOp::Add, place, constant(FIRST, U64));
        let scalar = Scalar::Int { signed: false, bits: 16 };
        self.computed(scalar, Operation::Read(2), vec![content, Operand::Scalar(place)])
    }

    fn char_at(&mut self, text: Sym, index: Sym) -> Option<Sym> {
        let index = self.number(index);
        let content = self.content(&text)?;
        let length = self.length(content.clone());
        let low = Expr::binary(BinaryOp::GreaterEqual, index.clone(), Expr::int(0));
        let high = Expr::binary(BinaryOp::Less, index.clone(), length);
        let within = Expr::binary(BinaryOp::And, low, high);
        let text = "the index may be outside of the text";
        self.require(within, "java/lang/StringIndexOutOfBoundsException", text);
        let read = self.unit(content, index);
        Some(Sym::Number(read))
    }

    /// Sets a Boolean on both ways of an equality: it is false if the other one is null or of another class, and
    /// otherwise what is asked for.
    fn equality(
        &mut self,
        class: &str,
        other: Sym,
        other_class: Option<&str>,
        asked: impl FnOnce(&mut Self, Sym) -> Option<Expr>,
    ) -> Option<Sym> {
        let span = self.span();
        let (result, end, differs) = (self.temporary(Type::Scalar(Scalar::Bool)), self.node(), self.node());
        let no = Operand::Scalar(Expr::Constant(0, Scalar::Bool));
        let Some(variable) = self.pointer(&other) else { return Some(Sym::Number(Expr::Constant(0, Scalar::Bool))) };
        self.if_null(variable, differs, span);
        let from = other_class.unwrap_or(class);
        let (yes, others) = crate::dispatch::split(self.reach, from, class);
        let yes: Vec<String> = yes.into_iter().map(str::to_string).collect();
        if yes.is_empty() {
            self.jump(differs, span);
        } else if !others.is_empty() {
            let same = self.node();
            self.if_class(variable, from, &yes, same, differs);
            self.at = same;
        }
        if let Some(truth) = asked(self, Sym::object(variable)) {
            self.set(result, Operand::Scalar(truth), span);
        }
        self.jump(end, span);
        self.at = differs;
        self.set(result, no, span);
        self.jump(end, span);
        self.at = end;
        Some(Sym::Number(Expr::Variable(result)))
    }

    fn text_equals(&mut self, text: Sym, other: Sym, class: Option<&str>) -> Option<Sym> {
        self.equality(STRING, other, class, |this, other| {
            let own = this.content(&text)?;
            let length = this.length(own.clone());
            let others = this.content(&other)?;
            let units = Expr::binary(BinaryOp::Multiply, this.converted(length, U64), constant(2, U64));
            let bytes = Expr::binary(BinaryOp::Add, units, constant(FIRST, U64));
            let of = vec![own, at(LONGEST), others, at(LONGEST), Operand::Scalar(bytes)];
            let order = this.computed(Scalar::I32, Operation::Text(TextOp::CompareBytes), of);
            Some(Expr::binary(BinaryOp::Equal, order, Expr::int(0)))
        })
    }

    fn unboxed(&mut self, class: &str, object: Sym) -> Option<Sym> {
        let (field, span) = (self.box_field(class), self.span());
        let object = self.dereferenced(&object, class)?;
        let to = self.temporary(self.ir[field].ty);
        self.emit(Statement::Load { to, object, field }, span);
        Some(self.value_of(to))
    }

    fn box_equals(&mut self, class: &str, object: Sym, other: Sym, other_class: Option<&str>) -> Option<Sym> {
        self.equality(class, other, other_class, |this, other| {
            let (own, other) = (this.unboxed(class, object)?, this.unboxed(class, other)?);
            let (own, other) = (this.number(own), this.number(other));
            Some(Expr::binary(BinaryOp::Equal, own, other))
        })
    }

    /// A box of a number. Small numbers have one box each, which is made when it is first needed, if anything can tell.
    fn boxed(&mut self, class: &str, number: Sym) -> Option<Sym> {
        let (field, span) = (self.box_field(class), self.span());
        let ty = Type::Pointer(Some(self.structure(class)));
        let (to, number) = (self.temporary(ty), self.operand(number, self.ir[field].ty));
        let (low, high) = match class {
            "java/lang/Float" | "java/lang/Double" => (1, 0),
            class if !self.compared_boxes.contains(class) => (1, 0),
            "java/lang/Character" => (0, 127),
            "java/lang/Boolean" => (0, 1),
            _ => (-128, 127),
        };
        let Operand::Scalar(value) = number.clone() else { return None };
        let wide = match self.ir.scalar_of(&value) {
            Some(Scalar::Bool) => self.converted(value.clone(), Scalar::I32),
            _ => value.clone(),
        };
        let scalar = self.ir.scalar_of(&wide).unwrap_or(Scalar::I32);
        let (kept, fresh, end) = (self.node(), self.node(), self.node());
        let within = [
            Expr::binary(BinaryOp::GreaterEqual, wide.clone(), constant(low, scalar)),
            Expr::binary(BinaryOp::LessEqual, wide.clone(), constant(high, scalar)),
        ];
        match (&wide, low <= high) {
            (_, false) => self.jump(fresh, span),
            (Expr::Constant(value, _), _) => {
                let node = if (low..=high).contains(value) { kept } else { fresh };
                self.jump(node, span);
            }
            _ => {
                let [least, most] = within;
                self.fork(Condition::Scalar(Expr::binary(BinaryOp::And, least, most)), kept, fresh, span);
            }
        }
        self.at = fresh;
        self.allocate(to, class);
        self.emit(Statement::Store { object: to, field, value: number.clone() }, span);
        self.jump(end, span);
        if low <= high {
            self.at = kept;
            self.find_box(class, to, number, end);
        }
        self.at = end;
        Some(Sym::object(to))
    }

    /// The length of a large array that grows: about the greatest that there is, or what is needed. If that is too much
    /// memory runs out.
    fn huge_length(&mut self, length: Sym, growth: Sym) -> Option<Sym> {
        const USUAL: i32 = i32::MAX - 8;
        let (length, growth, span) = (self.number(length), self.number(growth), self.span());
        let needed = self.temporary(Type::Scalar(Scalar::I32));
        self.set(needed, Operand::Scalar(Expr::binary(BinaryOp::Add, length, growth)), span);
        let is =
            |by: BinaryOp, limit: i32| Condition::Scalar(Expr::binary(by, Expr::Variable(needed), Expr::int(limit)));
        let [too_much, some, usual, end] = [(); 4].map(|()| self.node());
        self.fork(is(BinaryOp::Less, 0), too_much, some, span);
        self.at = too_much;
        self.end(Statement::Stop, span);
        self.at = some;
        self.fork(is(BinaryOp::LessEqual, USUAL), usual, end, span);
        self.at = usual;
        self.set(needed, Operand::Scalar(Expr::int(USUAL)), span);
        self.jump(end, span);
        self.at = end;
        Some(self.value_of(needed))
    }

    /// Looks for the box of a number among those that are kept, or makes it.
    fn find_box(&mut self, class: &str, to: VarId, number: Operand, end: trifold_ir::NodeId) {
        let (field, span) = (self.box_field(class), self.span());
        let ty = Type::Pointer(Some(self.structure(class)));
        let next = self.own_field(class, "$next", "", ty);
        let name = format!("$kept {}", super::declare::class_name(class));
        let first = match self.globals.get(&name) {
            Some(known) => *known,
            None => {
                let variable = self.global(&name, ty);
                self.globals.insert(name, variable);
                variable
            }
        };
        self.set(to, Operand::Pointer(first), span);
        let (head, missing, found) = (self.node(), self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        self.if_null(to, missing, span);
        let inside = self.temporary(self.ir[field].ty);
        self.emit(Statement::Load { to: inside, object: to, field }, span);
        let Operand::Scalar(value) = number.clone() else { return };
        let equal = Expr::binary(BinaryOp::Equal, Expr::Variable(inside), value);
        self.fork(Condition::Scalar(equal), end, found, span);
        self.at = found;
        self.emit(Statement::Load { to, object: to, field: next }, span);
        self.jump(head, span);
        self.at = missing;
        self.allocate(to, class);
        self.emit(Statement::Store { object: to, field, value: number }, span);
        self.emit(Statement::Store { object: to, field: next, value: Operand::Pointer(first) }, span);
        self.set(first, Operand::Pointer(to), span);
        self.jump(end, span);
    }
}

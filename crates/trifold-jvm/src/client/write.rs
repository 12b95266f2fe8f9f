//! The methods of the client. For example, `some Stack` makes an object and calls its operations in a loop.

use super::any::ELEMENT;
use super::assemble::{Assembler, Jump};
use super::interface::{Argument, Begin, Handle, Interface, made_class};
use super::{CLIENT, Start};
use crate::class::{Comparison, Constant, Element, Field, Invoke, Kind, MemberRef, Method, Op, access};
use crate::classes::MethodId;
use crate::descriptor::{FieldType, MethodDescriptor, array_of, element_of};
use crate::models::BOXES;
use crate::synthetic::{reference, type_text};
use std::collections::{BTreeMap, BTreeSet};

/// An element that is passed more than once.
pub(super) fn kept_field() -> Field {
    let descriptor = format!("L{ELEMENT};");
    Field { name: "kept".to_string(), descriptor, access: access::STATIC | access::SYNTHETIC, constant: None }
}

fn kept() -> MemberRef {
    reference(CLIENT, "kept", &format!("L{ELEMENT};"))
}

pub(super) struct Writer<'i, 'c, 'p> {
    interface: &'i Interface<'c, 'p>,
    methods: Vec<Method>,
    /// Arrays of these elements are made by methods of their own.
    arrays: BTreeSet<FieldType>,
}

impl<'i, 'c, 'p> Writer<'i, 'c, 'p> {
    pub fn new(interface: &'i Interface<'c, 'p>) -> Writer<'i, 'c, 'p> {
        Writer { interface, methods: Vec::new(), arrays: BTreeSet::new() }
    }

    pub fn clients(mut self) -> (Vec<Method>, Vec<Start>) {
        let handles: Vec<Handle> = self.interface.handles.values().cloned().collect();
        let mut starts = Vec::new();
        for handle in &handles {
            if !handle.begins.is_empty() {
                self.some(handle);
            }
            if handle.operations.is_empty() {
                continue;
            }
            let method = self.client(handle);
            let then = |writer: &mut Self, id: &MethodId| (id.clone(), writer.then(handle, id));
            let thens: BTreeMap<MethodId, usize> = handle.operations.iter().map(|id| then(&mut self, id)).collect();
            let apart = self.interface.keeps_apart(handle);
            starts.push(Start { about: handle.class.name.clone(), method, thens, apart });
        }
        let mut done = BTreeSet::new();
        while let Some(element) = self.arrays.iter().find(|element| !done.contains(*element)).cloned() {
            self.array(&element);
            done.insert(element);
        }
        (self.methods, starts)
    }

    fn add(&mut self, name: String, result: Option<FieldType>, code: Assembler, max_locals: u16) -> usize {
        let descriptor = format!("(){}", result.as_ref().map_or("V".to_string(), type_text));
        let signature = MethodDescriptor { parameters: Vec::new(), result };
        let access = access::STATIC | access::SYNTHETIC;
        self.methods.push(Method { name, descriptor, signature, access, code: Ok(Some(code.code(max_locals))) });
        self.methods.len() - 1
    }

    /// Makes an object and works on it.
    fn some(&mut self, handle: &Handle) {
        let (class, mut code) = (&handle.class.name, Assembler::default());
        self.keep_element(&mut code);
        let ways = code.choose(handle.begins.len());
        let mut begun = Vec::new();
        for (way, begin) in ways.into_iter().zip(&handle.begins) {
            code.land(way);
            self.begin(begin, class, &mut code);
            code.store(0);
            begun.push(code.goto());
        }
        begun.into_iter().for_each(|jump| code.land(jump));
        let slots = self.uses(handle, &mut code);
        code.load(0);
        code.push(Op::Return(Some(Kind::Ref)));
        self.add(some_name(class), Some(FieldType::Ref(class.clone())), code, slots);
    }

    fn keep_element(&self, code: &mut Assembler) {
        new_object(ELEMENT, code);
        code.push(Op::PutStatic(kept()));
    }

    fn begin(&mut self, begin: &Begin, class: &str, code: &mut Assembler) {
        match begin {
            Begin::Constant(position) => {
                let field = self.interface.classes.get(class).map(|class| class.fields[*position].name.clone());
                let field = reference(class, &field.unwrap_or_default(), &format!("L{class};"));
                code.push(Op::GetStatic(field));
            }
            Begin::Method(id) => {
                let method = self.interface.method(id);
                if method.name == "<init>" {
                    code.push(Op::New(class.to_string()));
                    code.push(Op::Dup);
                    self.pass(&method, code);
                    return code.invoke(Invoke::Special, class, "<init>", &method.descriptor);
                }
                self.pass(&method, code);
                code.invoke(Invoke::Static, &id.class, &method.name, &method.descriptor);
                // One that could not be made is not used.
                code.push(Op::Dup);
                let none = code.if_null();
                let made = code.goto();
                code.land(none);
                code.stop();
                code.land(made);
            }
        }
    }

    /// Calls operations on the object in the first variable in any order, and on what they return. How many variables
    /// that needs.
    fn uses(&mut self, handle: &Handle, code: &mut Assembler) -> u16 {
        let mut slots: BTreeMap<String, u16> = BTreeMap::new();
        let mut calls: Vec<(u16, MethodId)> = handle.operations.iter().map(|id| (0, id.clone())).collect();
        let mut next = 0;
        while let Some((_, id)) = calls.get(next).cloned() {
            next += 1;
            let result = self.interface.method(&id).signature.result;
            let Some((class, operations)) = result.and_then(|result| self.interface.returned(&result)) else {
                continue;
            };
            if slots.contains_key(&class) || class == handle.class.name {
                continue;
            }
            let slot = slots.len() as u16 + 1;
            slots.insert(class, slot);
            calls.extend(operations.into_iter().map(|id| (slot, id)));
        }
        for slot in slots.values() {
            code.null();
            code.store(*slot);
        }
        if !calls.is_empty() {
            self.repeat(handle, &calls, &slots, code);
        }
        slots.len() as u16 + 1
    }

    fn repeat(
        &mut self,
        handle: &Handle,
        calls: &[(u16, MethodId)],
        slots: &BTreeMap<String, u16>,
        code: &mut Assembler,
    ) {
        let head = code.here();
        let mut ways = code.choose(calls.len() + 1).into_iter();
        let end = ways.next();
        for (way, (slot, id)) in ways.zip(calls) {
            code.land(way);
            self.call(handle, *slot, id, slots, code);
            code.goto_back(head);
        }
        end.into_iter().for_each(|end| code.land(end));
    }

    fn call(&mut self, handle: &Handle, slot: u16, id: &MethodId, slots: &BTreeMap<String, u16>, code: &mut Assembler) {
        let method = self.interface.method(id);
        let mut missing: Option<Jump> = None;
        if !method.is_static() {
            if slot > 0 {
                code.load(slot);
                missing = Some(code.if_null());
            }
            code.load(slot);
        }
        self.pass(&method, code);
        let kind = if method.is_static() { Invoke::Static } else { Invoke::Virtual };
        let class = if slot == 0 && !method.is_static() { &handle.class.name } else { &id.class };
        code.invoke(kind, class, &method.name, &method.descriptor);
        if let Some(result) = &method.signature.result {
            let kept = self.interface.returned(result).and_then(|(class, _)| slots.get(&class).copied());
            match kept {
                Some(slot) => code.store(slot),
                None => code.push(if result.kind().is_wide() { Op::Pop2 } else { Op::Pop }),
            }
        }
        missing.into_iter().for_each(|jump| code.land(jump));
    }

    /// Pushes the arguments of a method.
    fn pass(&mut self, method: &Method, code: &mut Assembler) {
        for ty in &method.signature.parameters {
            self.argument(ty, code);
        }
    }

    fn argument(&mut self, ty: &FieldType, code: &mut Assembler) {
        match self.interface.argument(ty) {
            Some(Argument::Simple) => code.any(ty),
            Some(Argument::Boxed(letter)) => {
                let inside = FieldType::parse(&letter.to_string()).unwrap_or(FieldType::Int);
                code.any(&inside);
                let class = BOXES.iter().find(|(_, ty)| *ty == letter).map_or("", |(class, _)| class);
                code.invoke(Invoke::Static, class, "valueOf", &format!("({letter})L{class};"));
            }
            Some(Argument::Element) => {
                let ways = code.choose(2);
                code.land(ways[0]);
                code.push(Op::GetStatic(kept()));
                let done = code.goto();
                code.land(ways[1]);
                new_object(ELEMENT, code);
                code.land(done);
            }
            Some(Argument::Array(element)) => {
                let array = array_class(&element);
                self.arrays.insert(element);
                code.invoke(Invoke::Static, CLIENT, &some_name(&array), &format!("(){array}"));
            }
            Some(Argument::Objects(classes)) => {
                let ways = code.choose(classes.len());
                let mut done = Vec::new();
                for (way, class) in ways.into_iter().zip(&classes) {
                    code.land(way);
                    code.invoke(Invoke::Static, CLIENT, &some_name(class), &format!("()L{class};"));
                    done.push(code.goto());
                }
                done.into_iter().for_each(|jump| code.land(jump));
            }
            Some(made @ Argument::Implementation(_)) => new_object(&made_class(&made).unwrap_or_default(), code),
            None => code.null(),
        }
    }

    /// Makes an array of any length, with any elements.
    fn array(&mut self, element: &FieldType) {
        let (array, mut code) = (array_class(element), Assembler::default());
        code.length();
        code.push(Op::NewArray(array.clone()));
        code.store(0);
        // What is in an array of numbers nobody knows, anyway.
        if element_of(&array) == Some(Element::Ref) {
            code.push(Op::Const(Constant::Int(0)));
            code.push(Op::Store(Kind::Int, 1));
            let head = code.here();
            code.push(Op::Load(Kind::Int, 1));
            code.load(0);
            code.push(Op::ArrayLength);
            let end = code.if_int(Comparison::GreaterEqual);
            code.load(0);
            code.push(Op::Load(Kind::Int, 1));
            self.argument(element, &mut code);
            code.push(Op::ArrayStore(Element::Ref));
            code.push(Op::Increment(1, 1));
            code.goto_back(head);
            code.land(end);
        }
        code.load(0);
        code.push(Op::Return(Some(Kind::Ref)));
        self.add(some_name(&array), Some(FieldType::Ref(array)), code, 2);
    }

    fn client(&mut self, handle: &Handle) -> usize {
        let (class, mut code) = (&handle.class.name, Assembler::default());
        let slots = match handle.begins.is_empty() {
            true => {
                self.keep_element(&mut code);
                self.uses(handle, &mut code)
            }
            false if self.interface.has_state() => {
                let head = code.here();
                let ways = code.choose(2);
                code.land(ways[0]);
                self.use_another(class, &mut code);
                code.goto_back(head);
                code.land(ways[1]);
                1
            }
            false => {
                self.use_another(class, &mut code);
                1
            }
        };
        code.push(Op::Return(None));
        self.add(client_name(class), None, code, slots)
    }

    fn use_another(&self, class: &str, code: &mut Assembler) {
        code.invoke(Invoke::Static, CLIENT, &some_name(class), &format!("()L{class};"));
        code.push(Op::Pop);
    }

    /// Uses the class, and calls an operation at last.
    fn then(&mut self, handle: &Handle, id: &MethodId) -> usize {
        let (class, mut code) = (&handle.class.name, Assembler::default());
        let mut slots = 1;
        let only = Handle { operations: vec![id.clone()], ..handle.clone() };
        match handle.begins.is_empty() {
            true => self.keep_element(&mut code),
            false => {
                if self.interface.has_state() {
                    code.invoke(Invoke::Static, CLIENT, &client_name(class), "()V");
                }
                code.invoke(Invoke::Static, CLIENT, &some_name(class), &format!("()L{class};"));
                code.store(0);
            }
        }
        let result = self.interface.method(id).signature.result;
        let returned = result.and_then(|result| self.interface.returned(&result)).filter(|(of, _)| of != class);
        match returned {
            None => self.call(&only, 0, id, &BTreeMap::new(), &mut code),
            Some((of, operations)) => {
                code.null();
                code.store(1);
                let kept = BTreeMap::from([(of, 1)]);
                self.call(&only, 0, id, &kept, &mut code);
                let calls: Vec<(u16, MethodId)> = operations.into_iter().map(|id| (1, id)).collect();
                if !calls.is_empty() {
                    self.repeat(&only, &calls, &kept, &mut code);
                }
                slots = 2;
            }
        }
        code.push(Op::Return(None));
        self.add(format!("client of {class}, {} at last", self.methods.len()), None, code, slots)
    }
}

fn some_name(class: &str) -> String {
    format!("some {class}")
}

fn client_name(class: &str) -> String {
    format!("client of {class}")
}

fn array_class(element: &FieldType) -> String {
    element.class().map_or_else(|| format!("[{}", type_text(element)), array_of)
}

fn new_object(class: &str, code: &mut Assembler) {
    code.push(Op::New(class.to_string()));
    code.push(Op::Dup);
    code.invoke(Invoke::Special, class, "<init>", "()V");
}

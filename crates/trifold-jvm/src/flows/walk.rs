//! The instructions of a method, and where the values go that they compute. For example, `aload x; putfield f` lets the
//! variable `x` flow into the field `f`.

use super::{Call, Flows, Place};
use crate::class::{Constant, Element, Invoke, Kind, MemberRef, Op};
use crate::classes::{MethodId, OBJECT, STRING};
use crate::descriptor::{FieldType, MethodDescriptor, element_type};
use crate::frames::class_at;
use crate::reach::{Body, Reach};
use std::collections::{BTreeMap, BTreeSet};

/// The entries of a stack: for each, the places that it may come from.
type Stack = Vec<Vec<usize>>;

/// A walk over the instructions of a method.
pub(super) struct Walk<'w, 'c, 'p> {
    flows: &'w mut Flows,
    reach: &'w Reach<'c, 'p>,
    body: &'w Body,
    /// The stacks before instructions, where they are known.
    stacks: BTreeMap<usize, Stack>,
}

impl<'w, 'c, 'p> Walk<'w, 'c, 'p> {
    pub fn new(flows: &'w mut Flows, reach: &'w Reach<'c, 'p>, body: &'w Body) -> Walk<'w, 'c, 'p> {
        Walk { flows, reach, body, stacks: BTreeMap::new() }
    }

    pub fn walk(&mut self) {
        let (Some(code), Ok(flow)) = (self.body.code(), &self.body.flow) else { return };
        self.parameters();
        self.stacks.insert(0, Vec::new());
        let mut open = vec![0];
        for handler in &code.handlers {
            // An exception may be any.
            self.stacks.insert(handler.handler, vec![vec![0]]);
            open.push(handler.handler);
        }
        while let Some(at) = open.pop() {
            let Some(mut stack) = self.stacks.get(&at).cloned() else { continue };
            if flow.frames.get(at).is_none_or(Option::is_none) {
                continue;
            }
            self.step(at, &code.instructions[at].op, &mut stack);
            let (jumps, falls_through) = code.instructions[at].op.successors();
            let next = falls_through.then_some(at + 1).filter(|next| *next < code.instructions.len());
            for to in jumps.into_iter().chain(next) {
                if merge(&mut self.stacks, to, &stack) {
                    open.push(to);
                }
            }
        }
    }

    fn id(&self) -> MethodId {
        self.body.id()
    }

    fn local(&mut self, web: usize) -> usize {
        self.flows.place(Place::Local(self.id(), web), None)
    }

    /// Parameters flow into their variables; the receiver is anything below the class.
    fn parameters(&mut self) {
        let Ok(flow) = &self.body.flow else { return };
        let method = self.body.method();
        let mut slot = 0;
        if !method.is_static() {
            let receiver = self.flows.place(Place::Parameter(self.id(), usize::MAX), Some(&self.body.class.name));
            self.flows.edge(0, receiver);
            if let Some(web) = flow.webs.parameters.get(&0) {
                let local = self.local(*web);
                self.flows.edge(receiver, local);
            }
            slot += 1;
        }
        for (number, parameter) in method.signature.parameters.iter().enumerate() {
            if let (Some(class), Some(web)) = (parameter.class(), flow.webs.parameters.get(&slot)) {
                let from = self.flows.place(Place::Parameter(self.id(), number), Some(class));
                let to = self.local(*web);
                self.flows.edge(from, to);
            }
            slot += if parameter.kind().is_wide() { 2 } else { 1 };
        }
    }

    /// What an instruction computes, below a class.
    fn value(&mut self, at: usize, bound: &str) -> usize {
        self.flows.place(Place::Value(self.id(), at), Some(bound))
    }

    fn step(&mut self, at: usize, op: &Op, stack: &mut Stack) {
        let mut pop = || stack.pop().unwrap_or_default();
        match op {
            Op::Const(constant) => {
                let value = match constant {
                    Constant::Text(_) => vec![self.flows.made(STRING)],
                    Constant::Class(_) => vec![self.flows.made("java/lang/Class")],
                    Constant::Other(_) => vec![0],
                    _ => Vec::new(),
                };
                stack.push(value);
            }
            Op::Load(Kind::Ref, _) => {
                let web = self.body.flow.as_ref().ok().and_then(|flow| flow.webs.of(at));
                let value = web.map(|web| self.local(web));
                stack.push(value.into_iter().collect());
            }
            Op::Store(Kind::Ref, _) => {
                let (values, web) = (pop(), self.body.flow.as_ref().ok().and_then(|flow| flow.webs.of(at)));
                if let Some(web) = web {
                    let to = self.local(web);
                    values.iter().for_each(|from| self.flows.edge(*from, to));
                }
            }
            Op::ArrayLoad(Element::Ref) => {
                pop();
                pop();
                let array = self.static_class(at, 1).and_then(element_type);
                let bound = array.as_ref().and_then(FieldType::class).unwrap_or(OBJECT).to_string();
                let (from, to) = (self.flows.elements(), self.value(at, &bound));
                self.flows.edge(from, to);
                stack.push(vec![to]);
            }
            Op::ArrayStore(Element::Ref) => {
                let values = pop();
                pop();
                pop();
                let to = self.flows.elements();
                values.iter().for_each(|from| self.flows.edge(*from, to));
            }
            Op::GetStatic(field) | Op::GetField(field) => {
                if matches!(op, Op::GetField(_)) {
                    pop();
                }
                let class = FieldType::parse(&field.descriptor).and_then(|ty| ty.class().map(str::to_string));
                let mut value = Vec::new();
                if let Some(class) = class {
                    let (from, to) = (self.flows.field_place(self.reach, field), self.value(at, &class));
                    self.flows.edge(from, to);
                    value.push(to);
                }
                stack.push(value);
            }
            Op::PutStatic(field) | Op::PutField(field) => {
                let values = pop();
                if matches!(op, Op::PutField(_)) {
                    pop();
                }
                if field.descriptor.starts_with(['L', '[']) {
                    let to = self.flows.field_place(self.reach, field);
                    values.iter().for_each(|from| self.flows.edge(*from, to));
                }
            }
            Op::New(class) => {
                let value = self.flows.made(class);
                stack.push(vec![value]);
            }
            Op::NewArray(class) => {
                pop();
                let value = self.flows.made(class);
                stack.push(vec![value]);
            }
            Op::MultiNewArray(class, dimensions) => {
                (0..*dimensions).for_each(|_| drop(pop()));
                let elements = self.flows.elements();
                for depth in 1..usize::from(*dimensions) {
                    let inner = self.flows.made(&class[depth..]);
                    self.flows.edge(inner, elements);
                }
                let value = self.flows.made(class);
                stack.push(vec![value]);
            }
            Op::CheckCast(class) => {
                let (values, to) = (pop(), self.value(at, class));
                values.iter().for_each(|from| self.flows.edge(*from, to));
                stack.push(vec![to]);
            }
            Op::Return(Some(Kind::Ref)) => {
                let result = self.body.method().signature.result.clone();
                let to = self.flows.place(Place::Result(self.id()), result.as_ref().and_then(FieldType::class));
                pop().iter().for_each(|from| self.flows.edge(*from, to));
            }
            Op::Invoke(kind, method) => self.invoke(at, *kind, method, stack),
            Op::InvokeDynamic(site) => self.dynamic(at, &site.descriptor, stack),
            other => self.shuffle(at, other, stack),
        }
    }

    /// Instructions that compute no references: they only move them.
    fn shuffle(&self, at: usize, op: &Op, stack: &mut Stack) {
        let Ok(flow) = &self.body.flow else { return };
        let Some(frame) = &flow.frames[at] else { return };
        // An index into the stack stands for each entry.
        let mut moved: Vec<usize> = (0..stack.len()).collect();
        let words = |words: usize, below: usize| {
            let mut frame = frame.clone();
            frame.stack.truncate(frame.stack.len().saturating_sub(below));
            frame.entries(words).unwrap_or(0)
        };
        let mut duplicate = |count: usize, below: usize| {
            let copied = words(count, 0);
            let skipped = if below == 0 { 0 } else { words(below, copied) };
            let top = moved.split_off(moved.len().saturating_sub(copied));
            let between = moved.split_off(moved.len().saturating_sub(skipped));
            moved.extend(top.iter().copied().chain(between).chain(top.iter().copied()));
        };
        match op {
            Op::Dup => duplicate(1, 0),
            Op::DupX1 => duplicate(1, 1),
            Op::DupX2 => duplicate(1, 2),
            Op::Dup2 => duplicate(2, 0),
            Op::Dup2X1 => duplicate(2, 1),
            Op::Dup2X2 => duplicate(2, 2),
            Op::Swap => {
                let count = moved.len();
                if count >= 2 {
                    moved.swap(count - 1, count - 2);
                }
            }
            // All others leave numbers, whose height the next frame tells.
            other => {
                let (taken, left) = effect(other, frame);
                stack.truncate(stack.len().saturating_sub(taken));
                stack.extend((0..left).map(|_| Vec::new()));
                return;
            }
        }
        *stack = moved.into_iter().map(|from| stack[from].clone()).collect();
    }

    fn static_class(&self, at: usize, depth: usize) -> Option<&str> {
        let frame = self.body.flow.as_ref().ok()?.frames[at].as_ref()?;
        class_at(frame, depth)
    }

    fn invoke(&mut self, at: usize, kind: Invoke, method: &MemberRef, stack: &mut Stack) {
        let Some(signature) = MethodDescriptor::parse(&method.descriptor) else { return };
        let mut arguments: Stack = signature.parameters.iter().map(|_| stack.pop().unwrap_or_default()).collect();
        arguments.reverse();
        let receiver = (kind != Invoke::Static).then(|| stack.pop().unwrap_or_default());
        let bound = signature.result.as_ref().and_then(FieldType::class).map(str::to_string);
        let result = bound.as_ref().map(|bound| self.value(at, bound));
        if signature.result.is_some() {
            stack.push(result.into_iter().collect());
        }
        let Some(called) = self.reach.classes.resolve_method(&method.class, &method.name, &method.descriptor) else {
            return result.into_iter().for_each(|result| self.flows.edge(0, result));
        };
        match (kind, receiver) {
            (Invoke::Virtual, Some(receiver)) => {
                let place = self.flows.place(Place::Receiver(self.id(), at), Some(&method.class));
                if method.class.starts_with('[') && method.name == "clone" {
                    receiver.iter().for_each(|from| result.iter().for_each(|to| self.flows.edge(*from, *to)));
                }
                let call = Call { called, arguments, result, known: BTreeSet::new() };
                self.flows.calls.insert(place, call);
                receiver.iter().for_each(|from| self.flows.edge(*from, place));
                if !self.flows.classes[place].is_empty() {
                    self.flows.open.push(place);
                }
            }
            _ => self.flows.connect(self.reach, &called, &arguments, result),
        }
    }

    /// A lambda keeps what it captures; a text is a new one.
    fn dynamic(&mut self, at: usize, descriptor: &str, stack: &mut Stack) {
        let Some(signature) = MethodDescriptor::parse(descriptor) else { return };
        let mut captured: Stack = signature.parameters.iter().map(|_| stack.pop().unwrap_or_default()).collect();
        captured.reverse();
        let Some(lambda) = self.reach.lambdas.get(&(self.id(), at)).cloned() else {
            let is_text = signature.result.as_ref().and_then(FieldType::class) == Some(STRING);
            let value = if is_text { self.flows.made(STRING) } else { 0 };
            return stack.push(vec![value]);
        };
        let fields = self.reach.classes.get(&lambda).map_or(Vec::new(), |class| {
            class.fields.iter().map(|field| (field.name.clone(), field.descriptor.clone())).collect()
        });
        for ((name, descriptor), values) in fields.into_iter().zip(captured) {
            if descriptor.starts_with(['L', '[']) {
                let field = crate::synthetic::reference(&lambda, &name, &descriptor);
                let to = self.flows.field_place(self.reach, &field);
                values.iter().for_each(|from| self.flows.edge(*from, to));
            }
        }
        let value = self.flows.made(&lambda);
        stack.push(vec![value]);
    }
}

/// How many entries an instruction takes from the stack, and how many it leaves there.
fn effect(op: &Op, frame: &crate::frames::Frame) -> (usize, usize) {
    let mut after = frame.clone();
    match op {
        Op::Pop => (1, 0),
        Op::Pop2 => (frame.entries(2).unwrap_or(0), 0),
        other => match crate::frames::step(other, &mut after) {
            Ok(()) => {
                let taken = taken(other).min(frame.stack.len());
                (taken, (after.stack.len() + taken).saturating_sub(frame.stack.len()))
            }
            Err(_) => (0, 0),
        },
    }
}

/// The entries that an instruction without references as a result takes.
fn taken(op: &Op) -> usize {
    match op {
        Op::Store(..) | Op::Negate(_) | Op::Convert(..) | Op::Narrow(_) | Op::If(..) | Op::Switch(..) => 1,
        Op::ArrayLength | Op::InstanceOf(_) | Op::IfNull(..) | Op::Monitor | Op::Throw | Op::Return(Some(_)) => 1,
        Op::Binary(..) | Op::CompareLong | Op::CompareFloat(..) | Op::IfInt(..) | Op::IfRef(..) | Op::ArrayLoad(_) => 2,
        Op::ArrayStore(_) => 3,
        _ => 0,
    }
}

/// Joins a stack into the one before an instruction; whether that changes it.
fn merge(stacks: &mut BTreeMap<usize, Stack>, to: usize, stack: &Stack) -> bool {
    let Some(known) = stacks.get_mut(&to) else {
        stacks.insert(to, stack.clone());
        return true;
    };
    let mut changed = false;
    for (own, other) in known.iter_mut().zip(stack) {
        for place in other {
            if !own.contains(place) {
                own.push(*place);
                changed = true;
            }
        }
    }
    changed
}

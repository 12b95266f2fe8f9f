//! Frames: which types the local variables and the stack have before each instruction.
//!
//! They are computed from the instructions alone, by iteration to a fixpoint with joins where ways meet; what a class
//! file says about its frames is not asked. A method whose stack does not fit together is refused.
//!
//! Booleans are integers for the Java machine. Here they are told apart as long as they are nothing but Booleans: the
//! constants 0 and 1 are [`Slot::Bit`], which is a Boolean or a number, whatever it is joined with.

use crate::class::{Arithmetic, Code, Constant, Element, Kind, MemberRef, Op};
use crate::classes::{Classes, STRING, THROWABLE};
use crate::descriptor::{FieldType, MethodDescriptor, element_type};
use std::rc::Rc;

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    /// Nothing that can be used.
    Top,
    /// 0 or 1.
    Bit,
    Bool,
    Int,
    Long,
    Float,
    Double,
    Null,
    /// A reference to an object of a class.
    Ref(Rc<str>),
}

impl Slot {
    pub fn of(ty: &FieldType) -> Slot {
        match ty {
            FieldType::Boolean => Slot::Bool,
            FieldType::Long => Slot::Long,
            FieldType::Float => Slot::Float,
            FieldType::Double => Slot::Double,
            FieldType::Ref(class) => Slot::Ref(class.as_str().into()),
            _ => Slot::Int,
        }
    }

    /// The type, or a class that is more special.
    pub fn known(ty: &FieldType, class: Option<String>) -> Slot {
        class.map_or_else(|| Slot::of(ty), |class| Slot::Ref(class.into()))
    }

    pub fn of_kind(kind: Kind) -> Slot {
        match kind {
            Kind::Int => Slot::Int,
            Kind::Long => Slot::Long,
            Kind::Float => Slot::Float,
            Kind::Double => Slot::Double,
            Kind::Ref => Slot::Null,
        }
    }

    pub fn kind(&self) -> Option<Kind> {
        Some(match self {
            Slot::Top => return None,
            Slot::Bit | Slot::Bool | Slot::Int => Kind::Int,
            Slot::Long => Kind::Long,
            Slot::Float => Kind::Float,
            Slot::Double => Kind::Double,
            Slot::Null | Slot::Ref(_) => Kind::Ref,
        })
    }

    pub fn class(&self) -> Option<&str> {
        match self {
            Slot::Ref(class) => Some(class),
            _ => None,
        }
    }

    pub fn join(&self, other: &Slot, classes: &Classes<'_>) -> Slot {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Slot::Null, Slot::Ref(class)) | (Slot::Ref(class), Slot::Null) => Slot::Ref(class.clone()),
            (Slot::Ref(a), Slot::Ref(b)) => Slot::Ref(classes.join(a, b).into()),
            (Slot::Bit, Slot::Bool) | (Slot::Bool, Slot::Bit) => Slot::Bool,
            (a, b) if a.kind() == Some(Kind::Int) && b.kind() == Some(Kind::Int) => Slot::Int,
            _ => Slot::Top,
        }
    }
}

/// The types before an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Frame {
    pub locals: Vec<Slot>,
    /// A number of two words is one entry.
    pub stack: Vec<Slot>,
}

/// The most instructions of a method: that is as many bytes as it may have.
const MOST_STACK: usize = 1 << 16;

impl Frame {
    fn push(&mut self, slot: Slot) -> Result<(), String> {
        self.stack.push(slot);
        if self.stack.len() > MOST_STACK { Err("a stack without an end".to_string()) } else { Ok(()) }
    }

    fn pop_any(&mut self) -> Result<Slot, String> {
        self.stack.pop().ok_or_else(|| "nothing is left on the stack".to_string())
    }

    fn pop(&mut self, kind: Kind) -> Result<Slot, String> {
        let slot = self.pop_any()?;
        match slot.kind() == Some(kind) {
            true => Ok(slot),
            false => Err(format!("{slot:?} on the stack instead of {kind:?}")),
        }
    }

    fn set(&mut self, slot: u16, value: Slot) -> Result<(), String> {
        let (slot, is_wide) = (usize::from(slot), value.kind().is_some_and(Kind::is_wide));
        let past = slot + 1 + usize::from(is_wide);
        if past > self.locals.len() {
            return Err("a local variable that is not there".to_string());
        }
        // Half of a long number that stood here is lost.
        if slot > 0 && self.locals[slot - 1].kind().is_some_and(Kind::is_wide) {
            self.locals[slot - 1] = Slot::Top;
        }
        self.locals[slot] = value;
        if is_wide {
            self.locals[slot + 1] = Slot::Top;
        }
        Ok(())
    }

    fn get(&self, slot: u16, kind: Kind) -> Result<Slot, String> {
        let found = self.locals.get(usize::from(slot)).cloned().unwrap_or(Slot::Top);
        match found.kind() == Some(kind) {
            true => Ok(found),
            false => Err(format!("variable {slot} is {found:?}, not {kind:?}")),
        }
    }

    /// Joins another frame into this one; whether that changes it.
    fn join(&mut self, other: &Frame, classes: &Classes<'_>) -> Result<bool, String> {
        if self.stack.len() != other.stack.len() {
            return Err("ways meet with stacks of different heights".to_string());
        }
        let mut changed = false;
        let pairs = self.locals.iter_mut().zip(&other.locals).chain(self.stack.iter_mut().zip(&other.stack));
        for (own, other) in pairs {
            let joined = own.join(other, classes);
            changed |= joined != *own;
            *own = joined;
        }
        Ok(changed)
    }

    /// What the `dup` family does: copies the top entries below others, counted in words.
    fn duplicate(&mut self, words: usize, below: usize) -> Result<(), String> {
        let copied = self.entries(words)?;
        let top = self.stack.split_off(self.stack.len() - copied);
        let skipped = if below == 0 { 0 } else { self.entries(below)? };
        let between = self.stack.split_off(self.stack.len() - skipped);
        self.stack.extend(top.iter().cloned().chain(between).chain(top.iter().cloned()));
        Ok(())
    }

    /// How many entries so many words at the top of the stack are.
    pub fn entries(&self, words: usize) -> Result<usize, String> {
        let (mut entries, mut seen) = (0, 0);
        while seen < words {
            let index = self.stack.len().checked_sub(entries + 1).ok_or("nothing is left on the stack")?;
            seen += if self.stack[index].kind().is_some_and(Kind::is_wide) { 2 } else { 1 };
            entries += 1;
        }
        if seen == words { Ok(entries) } else { Err("half of a number on the stack".to_string()) }
    }
}

/// Classes that are more special than the types of the class file.
pub(crate) struct Known<'k> {
    /// That of a parameter, without the receiver.
    pub parameter: &'k dyn Fn(usize) -> Option<String>,
    /// That of what an instruction computes.
    pub value: &'k dyn Fn(usize) -> Option<String>,
}

/// Does an instruction compute something of which the class may be known?
fn computed(op: &Op) -> bool {
    matches!(op, Op::GetField(_) | Op::GetStatic(_) | Op::Invoke(..) | Op::ArrayLoad(Element::Ref) | Op::CheckCast(_))
}

/// The frames of a method, by instruction. Nothing for instructions that are not reached.
pub(crate) fn frames(
    code: &Code,
    class: &str,
    is_static: bool,
    signature: &MethodDescriptor,
    classes: &Classes<'_>,
    known: &Known<'_>,
) -> Result<Vec<Option<Frame>>, String> {
    let mut first = Frame { locals: vec![Slot::Top; code.max_locals.into()], stack: Vec::new() };
    let mut slot = 0;
    if !is_static {
        first.set(slot, Slot::Ref(class.into()))?;
        slot += 1;
    }
    for (number, parameter) in signature.parameters.iter().enumerate() {
        first.set(slot, Slot::known(parameter, (known.parameter)(number)))?;
        slot += if parameter.kind().is_wide() { 2 } else { 1 };
    }
    let mut frames: Vec<Option<Frame>> = vec![None; code.instructions.len()];
    let mut open = vec![0];
    *frames.first_mut().ok_or("a method without instructions")? = Some(first);
    while let Some(at) = open.pop() {
        let Some(before) = frames[at].clone() else { continue };
        for handler in code.handlers_at(at) {
            let caught = handler.catches.as_deref().unwrap_or(THROWABLE);
            let frame = Frame { locals: before.locals.clone(), stack: vec![Slot::Ref(caught.into())] };
            flow(&mut frames, &mut open, handler.handler, &frame, classes)?;
        }
        let mut after = before;
        let op = &code.instructions[at].op;
        step(op, &mut after)?;
        if let (Some(top @ Slot::Ref(_)), Some(class)) =
            (after.stack.last_mut(), computed(op).then(|| (known.value)(at)).flatten())
        {
            *top = Slot::Ref(class.into());
        }
        let (jumps, falls_through) = op.successors();
        for to in jumps {
            flow(&mut frames, &mut open, to, &after, classes)?;
        }
        if falls_through {
            flow(&mut frames, &mut open, at + 1, &after, classes)?;
        }
    }
    Ok(frames)
}

fn flow(
    frames: &mut [Option<Frame>],
    open: &mut Vec<usize>,
    to: usize,
    frame: &Frame,
    classes: &Classes<'_>,
) -> Result<(), String> {
    let changed = match frames.get_mut(to).ok_or("execution runs out of the method")? {
        Some(known) => known.join(frame, classes)?,
        unknown => {
            *unknown = Some(frame.clone());
            true
        }
    };
    if changed {
        open.push(to);
    }
    Ok(())
}

/// The effect of an instruction on a frame.
pub(crate) fn step(op: &Op, frame: &mut Frame) -> Result<(), String> {
    match op {
        Op::Nop | Op::Goto(_) => Ok(()),
        Op::Const(constant) => frame.push(constant_slot(constant)),
        Op::Load(kind, slot) => {
            let value = frame.get(*slot, *kind)?;
            frame.push(value)
        }
        Op::Store(kind, slot) => {
            let value = frame.pop(*kind)?;
            frame.set(*slot, value)
        }
        Op::Increment(slot, _) => {
            frame.get(*slot, Kind::Int)?;
            frame.set(*slot, Slot::Int)
        }
        Op::ArrayLoad(element) => {
            frame.pop(Kind::Int)?;
            let array = frame.pop(Kind::Ref)?;
            let slot = loaded(&array, *element)?;
            frame.push(slot)
        }
        Op::ArrayStore(element) => {
            frame.pop(element.kind())?;
            frame.pop(Kind::Int)?;
            let array = frame.pop(Kind::Ref)?;
            loaded(&array, *element).map(drop)
        }
        Op::ArrayLength => {
            frame.pop(Kind::Ref)?;
            frame.push(Slot::Int)
        }
        Op::Pop => frame.entries(1).and_then(|_| frame.pop_any()).map(drop),
        Op::Pop2 => {
            let entries = frame.entries(2)?;
            frame.stack.truncate(frame.stack.len() - entries);
            Ok(())
        }
        Op::Dup => frame.duplicate(1, 0),
        Op::DupX1 => frame.duplicate(1, 1),
        Op::DupX2 => frame.duplicate(1, 2),
        Op::Dup2 => frame.duplicate(2, 0),
        Op::Dup2X1 => frame.duplicate(2, 1),
        Op::Dup2X2 => frame.duplicate(2, 2),
        Op::Swap => {
            let (top, below) = (frame.pop_any()?, frame.pop_any()?);
            frame.push(top)?;
            frame.push(below)
        }
        Op::Binary(op, kind) => binary(*op, *kind, frame),
        Op::Negate(kind) => {
            frame.pop(*kind)?;
            frame.push(Slot::of_kind(*kind))
        }
        Op::Convert(from, to) => {
            frame.pop(*from)?;
            frame.push(Slot::of_kind(*to))
        }
        Op::Narrow(_) => {
            frame.pop(Kind::Int)?;
            frame.push(Slot::Int)
        }
        Op::CompareLong => pop_all(frame, &[Kind::Long, Kind::Long]).and_then(|()| frame.push(Slot::Int)),
        Op::CompareFloat(kind, _) => pop_all(frame, &[*kind, *kind]).and_then(|()| frame.push(Slot::Int)),
        Op::If(..) | Op::Switch(..) => pop_all(frame, &[Kind::Int]),
        Op::IfInt(..) => pop_all(frame, &[Kind::Int, Kind::Int]),
        Op::IfRef(..) => pop_all(frame, &[Kind::Ref, Kind::Ref]),
        Op::IfNull(..) | Op::Monitor | Op::Throw => pop_all(frame, &[Kind::Ref]),
        Op::Return(kind) => kind.map_or(Ok(()), |kind| frame.pop(kind).map(drop)),
        Op::GetStatic(field) => frame.push(Slot::of(&field_type(&field.descriptor)?)),
        Op::PutStatic(field) => pop_all(frame, &[field_type(&field.descriptor)?.kind()]),
        Op::GetField(field) => {
            frame.pop(Kind::Ref)?;
            frame.push(Slot::of(&field_type(&field.descriptor)?))
        }
        Op::PutField(field) => pop_all(frame, &[field_type(&field.descriptor)?.kind(), Kind::Ref]),
        Op::Invoke(kind, method) => call(&method.descriptor, *kind != crate::class::Invoke::Static, frame),
        Op::InvokeDynamic(site) => call(&site.descriptor, false, frame),
        Op::New(class) => frame.push(Slot::Ref(class.as_str().into())),
        Op::NewArray(class) => {
            frame.pop(Kind::Int)?;
            frame.push(Slot::Ref(class.as_str().into()))
        }
        Op::MultiNewArray(class, dimensions) => {
            if *dimensions == 0 || class.bytes().take_while(|b| *b == b'[').count() < usize::from(*dimensions) {
                return Err("an array of more dimensions than it has".to_string());
            }
            (0..*dimensions).try_for_each(|_| frame.pop(Kind::Int).map(drop))?;
            frame.push(Slot::Ref(class.as_str().into()))
        }
        Op::CheckCast(class) => {
            let value = frame.pop(Kind::Ref)?;
            frame.push(if value == Slot::Null { value } else { Slot::Ref(class.as_str().into()) })
        }
        Op::InstanceOf(_) => {
            frame.pop(Kind::Ref)?;
            frame.push(Slot::Bool)
        }
    }
}

/// The class of a value on the stack, counted from the top.
pub(crate) fn class_at(frame: &Frame, depth: usize) -> Option<&str> {
    let index = frame.stack.len().checked_sub(depth + 1)?;
    frame.stack[index].class()
}

/// The class of the receiver of a call: the more special one of what the frame says and what the call names.
pub(crate) fn receiver_class(classes: &Classes<'_>, frame: &Frame, depth: usize, method: &MemberRef) -> String {
    match class_at(frame, depth) {
        Some(class) if classes.is_subclass(class, &method.class) => class.to_string(),
        _ => method.class.clone(),
    }
}

fn pop_all(frame: &mut Frame, kinds: &[Kind]) -> Result<(), String> {
    kinds.iter().try_for_each(|kind| frame.pop(*kind).map(drop))
}

fn binary(op: Arithmetic, kind: Kind, frame: &mut Frame) -> Result<(), String> {
    use Arithmetic::{And, Or, ShiftLeft, ShiftRight, ShiftRightUnsigned, Xor};
    let is_shift = matches!(op, ShiftLeft | ShiftRight | ShiftRightUnsigned);
    let right = frame.pop(if is_shift { Kind::Int } else { kind })?;
    let left = frame.pop(kind)?;
    let is_truth = |slot: &Slot| matches!(slot, Slot::Bit | Slot::Bool);
    let is_logical = matches!(op, And | Or | Xor) && is_truth(&left) && is_truth(&right);
    frame.push(if is_logical { Slot::Bool } else { Slot::of_kind(kind) })
}

fn constant_slot(constant: &Constant) -> Slot {
    match constant {
        Constant::Null => Slot::Null,
        Constant::Int(0 | 1) => Slot::Bit,
        Constant::Int(_) => Slot::Int,
        Constant::Long(_) => Slot::Long,
        Constant::Float(_) => Slot::Float,
        Constant::Double(_) => Slot::Double,
        Constant::Text(_) => Slot::Ref(STRING.into()),
        Constant::Class(_) => Slot::Ref("java/lang/Class".into()),
        Constant::Other(_) => Slot::Ref(crate::classes::OBJECT.into()),
    }
}

fn loaded(array: &Slot, element: Element) -> Result<Slot, String> {
    let Some(class) = array.class() else {
        return match array {
            Slot::Null => Ok(Slot::of_kind(element.kind())),
            _ => Err("an element of something that is no array".to_string()),
        };
    };
    match element_type(class) {
        Some(ty) if ty.kind() == element.kind() => Ok(Slot::of(&ty)),
        _ => Err(format!("an element of `{class}`")),
    }
}

pub(crate) fn field_type(descriptor: &str) -> Result<FieldType, String> {
    FieldType::parse(descriptor).ok_or_else(|| format!("`{descriptor}` is no type"))
}

fn call(descriptor: &str, has_receiver: bool, frame: &mut Frame) -> Result<(), String> {
    let signature =
        MethodDescriptor::parse(descriptor).ok_or_else(|| format!("`{descriptor}` is no type of a method"))?;
    for parameter in signature.parameters.iter().rev() {
        frame.pop(parameter.kind())?;
    }
    if has_receiver {
        frame.pop(Kind::Ref)?;
    }
    signature.result.map_or(Ok(()), |result| frame.push(Slot::of(&result)))
}

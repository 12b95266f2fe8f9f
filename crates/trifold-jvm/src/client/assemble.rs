//! Instructions that are written here and not read from a file: jumps lead to places that come later.
//!
//! For example, `choose(2)` asks for any number and jumps to one of two places, each of which is `land`ed on when its
//! instructions are written.

use crate::class::{Code, Comparison, Constant, Instruction, Invoke, Kind, Op};
use crate::classes::{ANY, OBJECT, STRING};
use crate::descriptor::FieldType;
use crate::synthetic::{reference, type_text};

/// A jump whose end is not known yet: the instruction, and which of its ways.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jump {
    at: usize,
    way: usize,
}

#[derive(Debug, Default)]
pub(super) struct Assembler {
    ops: Vec<Op>,
}

impl Assembler {
    pub fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    pub fn here(&self) -> usize {
        self.ops.len()
    }

    pub fn load(&mut self, slot: u16) {
        self.push(Op::Load(Kind::Ref, slot));
    }

    pub fn store(&mut self, slot: u16) {
        self.push(Op::Store(Kind::Ref, slot));
    }

    pub fn null(&mut self) {
        self.push(Op::Const(Constant::Null));
    }

    /// A jump to a place that comes later.
    pub fn goto(&mut self) -> Jump {
        self.push(Op::Goto(0));
        Jump { at: self.here() - 1, way: 0 }
    }

    pub fn goto_back(&mut self, to: usize) {
        self.push(Op::Goto(to));
    }

    /// A jump that is taken if the value at the top is null.
    pub fn if_null(&mut self) -> Jump {
        self.push(Op::IfNull(true, 0));
        Jump { at: self.here() - 1, way: 0 }
    }

    /// A jump that is taken if two numbers compare so.
    pub fn if_int(&mut self, by: Comparison) -> Jump {
        self.push(Op::IfInt(by, 0));
        Jump { at: self.here() - 1, way: 0 }
    }

    /// Jumps to one of so many places, whichever.
    pub fn choose(&mut self, ways: usize) -> Vec<Jump> {
        if ways == 1 {
            return vec![self.goto()];
        }
        self.any(&FieldType::Int);
        let at = self.here();
        self.push(Op::Switch((1..ways).map(|way| (way as i32, 0)).collect(), 0));
        (0..ways).map(|way| Jump { at, way }).collect()
    }

    /// A jump leads here.
    pub fn land(&mut self, jump: Jump) {
        let here = self.here();
        match &mut self.ops[jump.at] {
            Op::Goto(to) | Op::IfNull(_, to) | Op::If(_, to) | Op::IfInt(_, to) => *to = here,
            Op::Switch(cases, default) => match jump.way {
                0 => *default = here,
                way => cases[way - 1].1 = here,
            },
            _ => {}
        }
    }

    pub fn invoke(&mut self, kind: Invoke, class: &str, name: &str, descriptor: &str) {
        self.push(Op::Invoke(kind, reference(class, name, descriptor)));
    }

    /// Any value of a simple type, or any text.
    pub fn any(&mut self, ty: &FieldType) {
        self.invoke(Invoke::Static, ANY, "value", &format!("(){}", type_text(ty)));
    }

    /// Any number that is the length of an array.
    pub fn length(&mut self) {
        self.push(Op::Const(Constant::Int(i32::MAX)));
        self.invoke(Invoke::Static, ANY, "below", "(I)I");
    }

    /// The program ends, and nothing is found.
    pub fn stop(&mut self) {
        self.invoke(Invoke::Static, ANY, "stop", "()V");
    }

    pub fn code(self, max_locals: u16) -> Code {
        let instructions = self.ops.into_iter().map(|op| Instruction { op }).collect();
        Code { max_locals, instructions, ..Code::default() }
    }
}

/// Is it a type of which any value can be asked for?
pub(super) fn is_simple(ty: &FieldType) -> bool {
    ty.class().is_none_or(|class| class == STRING)
}

/// Is it a type of elements that a client makes itself?
pub(super) fn is_element(class: &str) -> bool {
    [OBJECT, "java/lang/Comparable"].contains(&class)
}

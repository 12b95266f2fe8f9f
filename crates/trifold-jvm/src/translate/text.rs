//! Texts. A text has one field, a block of bytes that runs know: how many units of UTF-16 there are, and from the
//! eighth byte on the units. A constant text is one object, which is made before the program starts.

use super::Translator;
use super::value::{Sym, U64, constant};
use crate::classes::STRING;
use trifold_ir::{Builder, Cause, Condition, Expr, Operand, Operation, Scalar, Statement, Type, VarId};

impl Translator<'_> {
    /// A new text, of which nobody knows the characters.
    pub(super) fn unknown_text(&mut self) -> Sym {
        let value = self.unknown(U64, Cause::Text);
        Sym::object(self.new_text(value))
    }

    /// A text of the library, which is a new one or one that was there before: nobody knows.
    pub(super) fn some_text(&mut self, before: Option<Sym>) -> Sym {
        let span = self.span();
        let ty = Type::Pointer(Some(self.structure(STRING)));
        let before = match before {
            Some(before) => before,
            None => Sym::Text("a text of the library".encode_utf16().collect()),
        };
        let to = self.temporary(ty);
        let (new, known, end) = (self.node(), self.node(), self.node());
        let is_new = self.unknown(Scalar::Bool, Cause::Library);
        self.fork(Condition::Scalar(is_new), new, known, span);
        self.at = new;
        let text = self.unknown_text();
        for (node, text) in [(None, text), (Some(known), before)] {
            self.at = node.unwrap_or(self.at);
            let value = self.operand(text, ty);
            self.set(to, value, span);
            self.jump(end, span);
        }
        self.at = end;
        Sym::object(to)
    }

    fn new_text(&mut self, content: Expr) -> VarId {
        let (field, span) = (self.text_field(), self.span());
        let ty = Type::Pointer(Some(self.structure(STRING)));
        let object = self.temporary(ty);
        self.allocate(object, STRING);
        self.emit(Statement::Store { object, field, value: Operand::Scalar(content) }, span);
        object
    }

    /// The variable of a constant text.
    pub(super) fn text_constant(&mut self, units: Vec<u16>) -> VarId {
        let key = format!("\"{}", String::from_utf16_lossy(&units));
        let key = if String::from_utf16(&units).is_ok() { key } else { format!("{key}{units:?}") };
        if let Some(known) = self.globals.get(&key) {
            return *known;
        }
        let number = self.globals.keys().filter(|key| key.starts_with('"')).count() + 1;
        let ty = Type::Pointer(Some(self.structure(STRING)));
        let variable = self.global(&format!("$text{number}"), ty);
        self.globals.insert(key, variable);
        self.texts.push((variable, units));
        variable
    }

    /// Makes the constant texts.
    pub(super) fn make_texts(&mut self) {
        for (variable, units) in std::mem::take(&mut self.texts) {
            let length = units.len() as i128;
            let header = (0..4).map(|part| (length >> (16 * part)) & 0xffff);
            let units = header.chain(units.into_iter().map(i128::from));
            let of = units.map(|unit| Operand::Scalar(constant(unit, U64))).collect();
            let content = self.computed(U64, Operation::Pack(2), of);
            let object = self.new_text(content);
            let span = self.span();
            self.set(variable, Operand::Pointer(object), span);
        }
    }
}

//! Functions on text, as the C library computes them. For example, `text_length(p, 0)` counts the characters before
//! the zero, from the object that `p` points to.
//!
//! Text by a pointer begins with the number in the object that is pointed to. If the object is a part of an array, the
//! parts after it follow. Otherwise the struct may have a second field for all that follows, a block: strings are made
//! so. Text that does not end where its memory does is not computed: to read it is an error of the program.

use super::block::{Block, Byte};
use super::compute::{LONGEST, Number, count, number};
use super::state::{ObjectId, Status, Value};
use super::step::Machine;
use crate::computation::{Cause, TextOp};

/// Some bytes, and how many there can be at most.
struct Text {
    bytes: Block,
    room: u64,
}

impl Machine<'_> {
    pub(super) fn text(&mut self, op: TextOp, arguments: &[Value]) -> Result<Number, Cause> {
        let number = |index: usize| number(arguments.get(index).copied().unwrap_or(Value::Null));
        let first = self.text_at(arguments, 0)?;
        match op {
            TextOp::Length => first.length(),
            TextOp::LengthAtMost => first.at_most(count(number(2)?)?).length(),
            TextOp::Number => first.integer(),
            TextOp::Rest => {
                let (length, cause) = first.length()?;
                let rest = (1..=length as u64).map(|at| first.get(at)).collect::<Result<Vec<Byte>, Cause>>()?;
                Ok(self.named(Block::of(rest), cause))
            }
            TextOp::Compare => first.compare(&self.text_at(arguments, 2)?, (LONGEST, None), true, same),
            TextOp::CompareLetters => first.compare(&self.text_at(arguments, 2)?, (LONGEST, None), true, lower),
            TextOp::CompareAtMost => first.compare(&self.text_at(arguments, 2)?, count(number(4)?)?, true, same),
            TextOp::CompareLettersAtMost => {
                first.compare(&self.text_at(arguments, 2)?, count(number(4)?)?, true, lower)
            }
            TextOp::CompareBytes => {
                let (second, (bytes, cause)) = (self.text_at(arguments, 2)?, count(number(4)?)?);
                first.compare(&second, (bytes, cause), false, same)
            }
            TextOp::Span => first.span(&self.text_at(arguments, 2)?, true),
            TextOp::SpanWithout => first.span(&self.text_at(arguments, 2)?, false),
            TextOp::Copy => {
                let from = self.text_at(arguments, 2)?;
                let (mut bytes, (length, cause)) = (first.bytes, from.length()?);
                for at in 0..=length as u64 {
                    bytes.set(at, from.get(at)?);
                }
                Ok(self.named(bytes, cause))
            }
            TextOp::CopyAtMost => {
                let (from, (room, cause)) = (self.text_at(arguments, 2)?, count(number(4)?)?);
                let (length, other) = from.at_most((room, cause)).length()?;
                let mut bytes = first.bytes;
                for at in 0..room {
                    let byte = if (at as i128) < length { from.get(at)? } else { Byte { value: 0, cause: None } };
                    bytes.set(at, byte);
                }
                Ok(self.named(bytes, cause.or(other)))
            }
        }
    }

    /// The text of two arguments.
    fn text_at(&self, arguments: &[Value], index: usize) -> Result<Text, Cause> {
        match arguments.get(index) {
            Some(Value::Object(object)) => self.text_of(*object),
            Some(value) => {
                let (room, _) = count(number(arguments.get(index + 1).copied().unwrap_or(Value::Null))?)?;
                Ok(Text { bytes: self.blocks.named(number(*value)?), room })
            }
            None => Err(Cause::Text),
        }
    }

    fn text_of(&self, object: ObjectId) -> Result<Text, Cause> {
        let first = self.character(object)?;
        let mut characters = vec![first];
        if let Some((container, field)) = self.state.object(object).part_of {
            let rest = &self.state.object(container).fields[self.program[field].position + 1..];
            let parts = rest.iter().map_while(|value| value.referent());
            for part in parts.take_while(|part| self.is_alike(*part, object)) {
                characters.push(self.character(part)?);
            }
            let room = characters.len() as u64;
            return Ok(Text { bytes: Block::of(characters), room });
        }
        match self.state.object(object).fields.get(1) {
            Some(Value::Scalar(name)) if self.blocks.is_name(*name) => {
                let rest = self.blocks.named((*name, None));
                let mut bytes = Block::of(characters);
                let end = (0..LONGEST).find(|at| rest.get(*at).value == 0).ok_or(Cause::Text)?;
                (0..=end).for_each(|at| bytes.set(at + 1, rest.get(at)));
                Ok(Text { bytes, room: end + 2 })
            }
            _ if first.value == 0 => Ok(Text { bytes: Block::of(characters), room: 1 }),
            _ => Err(Cause::Text),
        }
    }

    fn is_alike(&self, part: ObjectId, other: ObjectId) -> bool {
        self.state.object(part).structure == self.state.object(other).structure
    }

    /// The character in an object.
    fn character(&self, object: ObjectId) -> Result<Byte, Cause> {
        let object = self.state.object(object);
        match (object.status, object.fields.first()) {
            (Status::Alive, Some(Value::Scalar(value))) => Ok(Byte { value: *value as u8, cause: None }),
            (Status::Alive, Some(Value::Inexact(value, cause))) => {
                Ok(Byte { value: *value as u8, cause: Some(*cause) })
            }
            _ => Err(Cause::Text),
        }
    }
}

impl Text {
    fn get(&self, at: u64) -> Result<Byte, Cause> {
        if at < self.room { Ok(self.bytes.get(at)) } else { Err(Cause::Text) }
    }

    /// The same, of which no more than some characters are looked at: as if it ended there.
    fn at_most(&self, (most, cause): (u64, Option<Cause>)) -> Text {
        let (mut bytes, mut room) = (self.bytes.clone(), self.room);
        if most <= room {
            bytes.set(most, Byte { value: 0, cause });
            room = most + 1;
        }
        Text { bytes, room }
    }

    fn length(&self) -> Result<Number, Cause> {
        let mut doubt = None;
        for at in 0..LONGEST {
            let Byte { value, cause } = self.get(at)?;
            doubt = doubt.or(cause);
            if value == 0 {
                return Ok((at.into(), doubt));
            }
        }
        Err(Cause::Text)
    }

    /// -1, 0 or 1: which of two texts comes first. Does it end with a zero?
    fn compare(
        &self,
        other: &Text,
        (most, cause): (u64, Option<Cause>),
        ends: bool,
        letter: impl Fn(u8) -> u8,
    ) -> Result<Number, Cause> {
        let mut doubt = cause;
        for at in 0..most {
            let (left, right) = (self.get(at)?, other.get(at)?);
            doubt = doubt.or(left.cause).or(right.cause);
            let order = letter(left.value).cmp(&letter(right.value));
            if order.is_ne() || ends && left.value == 0 {
                return Ok((order as i128, doubt));
            }
        }
        Ok((0, doubt))
    }

    /// How many of the first characters are in another text, or are not.
    fn span(&self, set: &Text, is_in: bool) -> Result<Number, Cause> {
        let (count, mut doubt) = set.length()?;
        let set = (0..count as u64).map(|at| set.get(at).map(|byte| byte.value)).collect::<Result<Vec<u8>, Cause>>()?;
        for at in 0..LONGEST {
            let Byte { value, cause } = self.get(at)?;
            doubt = doubt.or(cause);
            if value == 0 || set.contains(&value) != is_in {
                return Ok((at.into(), doubt));
            }
        }
        Err(Cause::Text)
    }

    /// The integer at its beginning, after white space.
    fn integer(&self) -> Result<Number, Cause> {
        let (length, doubt) = self.length()?;
        let bytes = (0..length as u64).map(|at| self.get(at).map(|byte| byte.value)).collect::<Result<Vec<u8>, _>>()?;
        let start = bytes.iter().position(|byte| !matches!(byte, b' ' | 9..=13)).unwrap_or(bytes.len());
        let (negative, digits) = match &bytes[start..] {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
        let value = digits.fold(0i128, |value, digit| value.saturating_mul(10) + i128::from(digit - b'0'));
        // What does not fit an `int` has no defined result.
        let value = if negative { -value } else { value };
        if crate::Scalar::I32.contains(value) { Ok((value, doubt)) } else { Err(Cause::Text) }
    }
}

fn same(letter: u8) -> u8 {
    letter
}

fn lower(letter: u8) -> u8 {
    letter.to_ascii_lowercase()
}

//! What a run computes where an analysis takes any value: [`Operation`] by operation.

use super::block::{Block, Byte};
use super::made::Asked;
use super::state::Value;
use super::step::{Machine, Step};
use crate::computation::{Cause, FloatOp, Format, Operation};
use crate::ids::VarId;
use crate::operand::{Expr, Operand};
use crate::scalar::Scalar;

/// A number, and why it is not the one of a real run.
pub(super) type Number = (i128, Option<Cause>);

/// Longer memory is not copied or filled by a run.
pub(super) const LONGEST: u64 = 1 << 16;

impl Machine<'_> {
    /// The value of an operation for a variable, or some value in a range if it is not computed.
    pub(super) fn compute(
        &mut self,
        to: VarId,
        operation: Operation,
        arguments: &[Operand],
        (low, high): (i128, i128),
    ) -> Step<Value> {
        let arguments = arguments.iter().map(|argument| self.argument(argument)).collect::<Step<Vec<Value>>>()?;
        let computed = self.computed(self.scalar(to), operation, &arguments);
        let computed = computed.map(|(number, cause)| (self.scalar(to).convert(number), cause));
        match computed {
            Ok((number, cause)) if (low..=high).contains(&number) => Ok(Value::of_number(number, cause)),
            // Memory of which nothing is known may hold what no program puts there, as a negative length.
            Ok(_) => Ok(Value::Inexact(self.choose(low, high, Asked::NotComputed)?, Cause::Memory)),
            Err(cause) => Ok(Value::Inexact(self.choose(low, high, Asked::NotComputed)?, cause)),
        }
    }

    /// The value of an argument. One without a value is not settled, because most of it need not be read.
    fn argument(&mut self, argument: &Operand) -> Step<Value> {
        match argument {
            Operand::Scalar(Expr::Variable(variable)) => Ok(self.state.value(*variable)),
            _ => self.operand(argument),
        }
    }

    fn computed(&mut self, to: Scalar, operation: Operation, arguments: &[Value]) -> Result<Number, Cause> {
        let number = |index: usize| number(arguments.get(index).copied().unwrap_or(Value::Null));
        match operation {
            Operation::Unknown(cause) => Err(cause),
            Operation::Float(op, format) => {
                let first = number(0)?;
                let second = if arguments.len() > 1 { number(1)? } else { (0, None) };
                let value = float(op, format, first.0, second.0, to).ok_or(Cause::Float)?;
                Ok((value, first.1.or(second.1)))
            }
            Operation::Text(op) => self.text(op, arguments),
            Operation::Read(size) => {
                let (offset, cause) = offset(number(1)?)?;
                let (value, other) = self.blocks.named(number(0)?).number(offset, size);
                Ok((value, cause.or(other)))
            }
            Operation::Write(size) => {
                let (offset, cause) = offset(number(1)?)?;
                let mut block = self.blocks.named(number(0)?);
                block.set_number(offset, size, number(2)?);
                Ok(self.named(block, cause))
            }
            Operation::Pack(size) => {
                let mut block = Block::of([]);
                for (index, _) in arguments.iter().enumerate() {
                    block.set_number(index as u64 * u64::from(size), size, number(index)?);
                }
                Ok(self.named(block, None))
            }
            Operation::Move => {
                let (mut to, from) = (self.blocks.named(number(0)?), self.blocks.named(number(2)?));
                let ((at, cause), (start, other)) = (offset(number(1)?)?, offset(number(3)?)?);
                let (count, third) = count(number(4)?)?;
                (0..count).for_each(|index| to.set(at + index, from.get(start + index)));
                Ok(self.named(to, cause.or(other).or(third)))
            }
            Operation::Fill => {
                let mut block = self.blocks.named(number(0)?);
                let ((at, cause), (value, of_byte)) = (offset(number(1)?)?, number(2)?);
                let (count, other) = count(number(3)?)?;
                (0..count).for_each(|index| block.set(at + index, Byte { value: value as u8, cause: of_byte }));
                Ok(self.named(block, cause.or(other)))
            }
        }
    }

    /// The name of a new block, of which all bytes are in doubt if it is not known where one was written.
    pub(super) fn named(&mut self, block: Block, cause: Option<Cause>) -> Number {
        (self.blocks.add(block), cause)
    }
}

/// The number that a value is.
pub(super) fn number(value: Value) -> Result<Number, Cause> {
    match value {
        Value::Scalar(number) => Ok((number, None)),
        Value::Inexact(number, cause) => Ok((number, Some(cause))),
        Value::Uninitialised => Ok((0, Some(Cause::Uninitialised))),
        Value::Null | Value::Object(_) | Value::Outside { .. } => Err(Cause::Memory),
    }
}

/// Where something is in a block. The bounds of arrays are checked by the program.
fn offset((number, cause): Number) -> Result<(u64, Option<Cause>), Cause> {
    u64::try_from(number).map(|offset| (offset & (u64::MAX >> 1), cause)).map_err(|_| Cause::Memory)
}

pub(super) fn count((number, cause): Number) -> Result<(u64, Option<Cause>), Cause> {
    let count = u64::try_from(number).ok().filter(|count| *count <= LONGEST);
    count.map(|count| (count, cause)).ok_or(Cause::Memory)
}

/// The bits, the integer or the truth value that an operation on floats yields, if that is defined.
fn float(op: FloatOp, format: Format, left: i128, right: i128, to: Scalar) -> Option<i128> {
    match format {
        Format::Single => {
            let bits = |value: f32| i128::from(value.to_bits());
            if op == FloatOp::FromInteger {
                return Some(bits(left as f32));
            }
            let (x, y) = (f32::from_bits(left as u32), f32::from_bits(right as u32));
            match op {
                FloatOp::Resize => Some(i128::from(f64::from(x).to_bits())),
                _ => operate(op, x.into(), y.into(), to).map(|result| match result {
                    // The result of one operation on floats, computed as doubles, rounds to the same float.
                    Computed::Float(value) => bits(value as f32),
                    Computed::Integer(value) => value,
                }),
            }
        }
        Format::Double => {
            let bits = |value: f64| i128::from(value.to_bits());
            if op == FloatOp::FromInteger {
                return Some(bits(left as f64));
            }
            let (x, y) = (f64::from_bits(left as u64), f64::from_bits(right as u64));
            match op {
                FloatOp::Resize => Some(i128::from((x as f32).to_bits())),
                _ => operate(op, x, y, to).map(|result| match result {
                    Computed::Float(value) => bits(value),
                    Computed::Integer(value) => value,
                }),
            }
        }
    }
}

enum Computed {
    Float(f64),
    Integer(i128),
}

fn operate(op: FloatOp, x: f64, y: f64, to: Scalar) -> Option<Computed> {
    use Computed::{Float, Integer};
    Some(match op {
        FloatOp::Add => Float(x + y),
        FloatOp::Subtract => Float(x - y),
        FloatOp::Multiply => Float(x * y),
        FloatOp::Divide => Float(x / y),
        FloatOp::Negate => Float(-x),
        FloatOp::Absolute => Float(x.abs()),
        FloatOp::SquareRoot => Float(x.sqrt()),
        FloatOp::Floor => Float(x.floor()),
        FloatOp::Ceiling => Float(x.ceil()),
        FloatOp::Equal => Integer((x == y).into()),
        FloatOp::NotEqual => Integer((x != y).into()),
        FloatOp::Less => Integer((x < y).into()),
        FloatOp::LessEqual => Integer((x <= y).into()),
        FloatOp::Greater => Integer((x > y).into()),
        FloatOp::GreaterEqual => Integer((x >= y).into()),
        FloatOp::ToInteger if to == Scalar::Bool => Integer((x != 0.0).into()),
        FloatOp::ToInteger => {
            // Casts to 128 bits saturate, which no type of a variable reaches.
            let value = x.trunc() as i128;
            return (x.is_finite() && to.contains(value)).then_some(Integer(value));
        }
        FloatOp::FromInteger | FloatOp::Resize => return None,
    })
}

//! Instructions of class files to [`Op`]: the same few, with names and positions instead of numbers. For example,
//! `aload_1` and `aload 1` are both `Load(Ref, 1)`.

use crate::class::{Arithmetic, Comparison, Constant, Element, Invoke, Kind, Op};
use crate::descriptor::array_of;
use crate::pool::{Pool, Positions};
use noak::reader::attributes::{ArrayType, RawInstruction};

/// The operation of the instruction at a place.
pub(crate) fn operation<'b>(
    pool: &Pool<'_, 'b>,
    positions: &Positions,
    at: u32,
    instruction: &RawInstruction<'b>,
) -> Result<Op, String> {
    use RawInstruction::*;
    let jump = |offset: i64| positions.at(i64::from(at) + offset);
    if let Some(op) = simple(instruction) {
        return Ok(op);
    }
    if let Some((kind, slot, is_load)) = local(instruction) {
        return Ok(if is_load { Op::Load(kind, slot) } else { Op::Store(kind, slot) });
    }
    if let Some((comparison, offset)) = comparison(instruction) {
        return jump(offset.into()).map(comparison);
    }
    let member = |number: u16| Pool::index(number).and_then(|index| pool.member(index));
    Ok(match instruction {
        BIPush { value } => Op::Const(Constant::Int((*value).into())),
        SIPush { value } => Op::Const(Constant::Int((*value).into())),
        LdC { index } | LdCW { index } | LdC2W { index } => Op::Const(pool.constant(*index)?),
        IInc { index, value } => Op::Increment((*index).into(), (*value).into()),
        IIncW { index, value } => Op::Increment(*index, (*value).into()),
        Goto { offset } => Op::Goto(jump((*offset).into())?),
        GotoW { offset } => Op::Goto(jump((*offset).into())?),
        TableSwitch(table) => {
            if table.high() == i32::MAX {
                return Err("a table of jumps without an end".to_string());
            }
            let pairs = table.pairs().map(|pair| Ok((pair.key(), jump(pair.offset().into())?)));
            Op::Switch(pairs.collect::<Result<_, String>>()?, jump(table.default_offset().into())?)
        }
        LookupSwitch(table) => {
            let pairs = table.pairs().map(|pair| Ok((pair.key(), jump(pair.offset().into())?)));
            Op::Switch(pairs.collect::<Result<_, String>>()?, jump(table.default_offset().into())?)
        }
        GetField { index } => Op::GetField(member(index.as_u16())?),
        PutField { index } => Op::PutField(member(index.as_u16())?),
        GetStatic { index } => Op::GetStatic(member(index.as_u16())?),
        PutStatic { index } => Op::PutStatic(member(index.as_u16())?),
        InvokeVirtual { index } => Op::Invoke(Invoke::Virtual, member(index.as_u16())?),
        InvokeInterface { index, .. } => Op::Invoke(Invoke::Virtual, member(index.as_u16())?),
        InvokeSpecial { index } => Op::Invoke(Invoke::Special, pool.member(*index)?),
        InvokeStatic { index } => Op::Invoke(Invoke::Static, pool.member(*index)?),
        InvokeDynamic { index } => Op::InvokeDynamic(Box::new(pool.dynamic(*index)?)),
        New { index } => Op::New(pool.class(*index)?),
        ANewArray { index } => Op::NewArray(array_of(&pool.class(*index)?)),
        NewArray { atype } => Op::NewArray(format!("[{}", letter(*atype))),
        MultiANewArray { index, dimensions } => Op::MultiNewArray(pool.class(*index)?, *dimensions),
        CheckCast { index } => Op::CheckCast(pool.class(*index)?),
        InstanceOf { index } => Op::InstanceOf(pool.class(*index)?),
        JSr { .. } | JSrW { .. } | Ret { .. } | RetW { .. } => {
            return Err("subroutines (`jsr` and `ret`), which compilers have not made since Java 6".to_string());
        }
        _ => return Err("an instruction that is not known".to_string()),
    })
}

fn letter(ty: ArrayType) -> char {
    match ty {
        ArrayType::Boolean => 'Z',
        ArrayType::Char => 'C',
        ArrayType::Float => 'F',
        ArrayType::Double => 'D',
        ArrayType::Byte => 'B',
        ArrayType::Short => 'S',
        ArrayType::Int => 'I',
        ArrayType::Long => 'J',
    }
}

/// Those that have no operands.
fn simple(instruction: &RawInstruction<'_>) -> Option<Op> {
    use Kind::{Double, Float, Int, Long, Ref};
    use RawInstruction::*;
    let int = |value| Op::Const(Constant::Int(value));
    if let Some((arithmetic, kind)) = arithmetic(instruction) {
        return Some(Op::Binary(arithmetic, kind));
    }
    Some(match instruction {
        Nop => Op::Nop,
        AConstNull => Op::Const(Constant::Null),
        IConstM1 => int(-1),
        IConst0 => int(0),
        IConst1 => int(1),
        IConst2 => int(2),
        IConst3 => int(3),
        IConst4 => int(4),
        IConst5 => int(5),
        LConst0 => Op::Const(Constant::Long(0)),
        LConst1 => Op::Const(Constant::Long(1)),
        FConst0 => Op::Const(Constant::Float(0f32.to_bits())),
        FConst1 => Op::Const(Constant::Float(1f32.to_bits())),
        FConst2 => Op::Const(Constant::Float(2f32.to_bits())),
        DConst0 => Op::Const(Constant::Double(0f64.to_bits())),
        DConst1 => Op::Const(Constant::Double(1f64.to_bits())),
        AALoad => Op::ArrayLoad(Element::Ref),
        BALoad => Op::ArrayLoad(Element::Byte),
        CALoad => Op::ArrayLoad(Element::Char),
        SALoad => Op::ArrayLoad(Element::Short),
        IALoad => Op::ArrayLoad(Element::Int),
        LALoad => Op::ArrayLoad(Element::Long),
        FALoad => Op::ArrayLoad(Element::Float),
        DALoad => Op::ArrayLoad(Element::Double),
        AAStore => Op::ArrayStore(Element::Ref),
        BAStore => Op::ArrayStore(Element::Byte),
        CAStore => Op::ArrayStore(Element::Char),
        SAStore => Op::ArrayStore(Element::Short),
        IAStore => Op::ArrayStore(Element::Int),
        LAStore => Op::ArrayStore(Element::Long),
        FAStore => Op::ArrayStore(Element::Float),
        DAStore => Op::ArrayStore(Element::Double),
        ArrayLength => Op::ArrayLength,
        RawInstruction::Pop => Op::Pop,
        RawInstruction::Pop2 => Op::Pop2,
        RawInstruction::Dup => Op::Dup,
        RawInstruction::DupX1 => Op::DupX1,
        RawInstruction::DupX2 => Op::DupX2,
        RawInstruction::Dup2 => Op::Dup2,
        RawInstruction::Dup2X1 => Op::Dup2X1,
        RawInstruction::Dup2X2 => Op::Dup2X2,
        RawInstruction::Swap => Op::Swap,
        INeg => Op::Negate(Int),
        LNeg => Op::Negate(Long),
        FNeg => Op::Negate(Float),
        DNeg => Op::Negate(Double),
        I2L => Op::Convert(Int, Long),
        I2F => Op::Convert(Int, Float),
        I2D => Op::Convert(Int, Double),
        L2I => Op::Convert(Long, Int),
        L2F => Op::Convert(Long, Float),
        L2D => Op::Convert(Long, Double),
        F2I => Op::Convert(Float, Int),
        F2L => Op::Convert(Float, Long),
        F2D => Op::Convert(Float, Double),
        D2I => Op::Convert(Double, Int),
        D2L => Op::Convert(Double, Long),
        D2F => Op::Convert(Double, Float),
        I2B => Op::Narrow(Element::Byte),
        I2C => Op::Narrow(Element::Char),
        I2S => Op::Narrow(Element::Short),
        LCmp => Op::CompareLong,
        FCmpL => Op::CompareFloat(Float, -1),
        FCmpG => Op::CompareFloat(Float, 1),
        DCmpL => Op::CompareFloat(Double, -1),
        DCmpG => Op::CompareFloat(Double, 1),
        IReturn => Op::Return(Some(Int)),
        LReturn => Op::Return(Some(Long)),
        FReturn => Op::Return(Some(Float)),
        DReturn => Op::Return(Some(Double)),
        AReturn => Op::Return(Some(Ref)),
        RawInstruction::Return => Op::Return(None),
        AThrow => Op::Throw,
        MonitorEnter | MonitorExit => Op::Monitor,
        _ => return None,
    })
}

fn arithmetic(instruction: &RawInstruction<'_>) -> Option<(Arithmetic, Kind)> {
    use Arithmetic::*;
    use Kind::{Double, Float, Int, Long};
    use RawInstruction as I;
    Some(match instruction {
        I::IAdd => (Add, Int),
        I::LAdd => (Add, Long),
        I::FAdd => (Add, Float),
        I::DAdd => (Add, Double),
        I::ISub => (Subtract, Int),
        I::LSub => (Subtract, Long),
        I::FSub => (Subtract, Float),
        I::DSub => (Subtract, Double),
        I::IMul => (Multiply, Int),
        I::LMul => (Multiply, Long),
        I::FMul => (Multiply, Float),
        I::DMul => (Multiply, Double),
        I::IDiv => (Divide, Int),
        I::LDiv => (Divide, Long),
        I::FDiv => (Divide, Float),
        I::DDiv => (Divide, Double),
        I::IRem => (Remainder, Int),
        I::LRem => (Remainder, Long),
        I::FRem => (Remainder, Float),
        I::DRem => (Remainder, Double),
        I::IAnd => (And, Int),
        I::LAnd => (And, Long),
        I::IOr => (Or, Int),
        I::LOr => (Or, Long),
        I::IXor => (Xor, Int),
        I::LXor => (Xor, Long),
        I::IShL => (ShiftLeft, Int),
        I::LShL => (ShiftLeft, Long),
        I::IShR => (ShiftRight, Int),
        I::LShR => (ShiftRight, Long),
        I::IUShR => (ShiftRightUnsigned, Int),
        I::LUShR => (ShiftRightUnsigned, Long),
        _ => return None,
    })
}

/// The kind and the number of a local variable, and whether it is read.
fn local(instruction: &RawInstruction<'_>) -> Option<(Kind, u16, bool)> {
    use Kind::{Double, Float, Int, Long, Ref};
    use RawInstruction as I;
    Some(match instruction {
        I::ILoad { index } => (Int, (*index).into(), true),
        I::ILoadW { index } => (Int, *index, true),
        I::ILoad0 => (Int, 0, true),
        I::ILoad1 => (Int, 1, true),
        I::ILoad2 => (Int, 2, true),
        I::ILoad3 => (Int, 3, true),
        I::LLoad { index } => (Long, (*index).into(), true),
        I::LLoadW { index } => (Long, *index, true),
        I::LLoad0 => (Long, 0, true),
        I::LLoad1 => (Long, 1, true),
        I::LLoad2 => (Long, 2, true),
        I::LLoad3 => (Long, 3, true),
        I::FLoad { index } => (Float, (*index).into(), true),
        I::FLoadW { index } => (Float, *index, true),
        I::FLoad0 => (Float, 0, true),
        I::FLoad1 => (Float, 1, true),
        I::FLoad2 => (Float, 2, true),
        I::FLoad3 => (Float, 3, true),
        I::DLoad { index } => (Double, (*index).into(), true),
        I::DLoadW { index } => (Double, *index, true),
        I::DLoad0 => (Double, 0, true),
        I::DLoad1 => (Double, 1, true),
        I::DLoad2 => (Double, 2, true),
        I::DLoad3 => (Double, 3, true),
        I::ALoad { index } => (Ref, (*index).into(), true),
        I::ALoadW { index } => (Ref, *index, true),
        I::ALoad0 => (Ref, 0, true),
        I::ALoad1 => (Ref, 1, true),
        I::ALoad2 => (Ref, 2, true),
        I::ALoad3 => (Ref, 3, true),
        I::IStore { index } => (Int, (*index).into(), false),
        I::IStoreW { index } => (Int, *index, false),
        I::IStore0 => (Int, 0, false),
        I::IStore1 => (Int, 1, false),
        I::IStore2 => (Int, 2, false),
        I::IStore3 => (Int, 3, false),
        I::LStore { index } => (Long, (*index).into(), false),
        I::LStoreW { index } => (Long, *index, false),
        I::LStore0 => (Long, 0, false),
        I::LStore1 => (Long, 1, false),
        I::LStore2 => (Long, 2, false),
        I::LStore3 => (Long, 3, false),
        I::FStore { index } => (Float, (*index).into(), false),
        I::FStoreW { index } => (Float, *index, false),
        I::FStore0 => (Float, 0, false),
        I::FStore1 => (Float, 1, false),
        I::FStore2 => (Float, 2, false),
        I::FStore3 => (Float, 3, false),
        I::DStore { index } => (Double, (*index).into(), false),
        I::DStoreW { index } => (Double, *index, false),
        I::DStore0 => (Double, 0, false),
        I::DStore1 => (Double, 1, false),
        I::DStore2 => (Double, 2, false),
        I::DStore3 => (Double, 3, false),
        I::AStore { index } => (Ref, (*index).into(), false),
        I::AStoreW { index } => (Ref, *index, false),
        I::AStore0 => (Ref, 0, false),
        I::AStore1 => (Ref, 1, false),
        I::AStore2 => (Ref, 2, false),
        I::AStore3 => (Ref, 3, false),
        _ => return None,
    })
}

type Jump = Box<dyn Fn(usize) -> Op>;

/// A conditional jump, and how far it goes.
fn comparison(instruction: &RawInstruction<'_>) -> Option<(Jump, i16)> {
    use Comparison::*;
    use RawInstruction as I;
    let with_zero = |comparison, offset: &i16| (Box::new(move |to| Op::If(comparison, to)) as Jump, *offset);
    let of_two = |comparison, offset: &i16| (Box::new(move |to| Op::IfInt(comparison, to)) as Jump, *offset);
    Some(match instruction {
        I::IfEq { offset } => with_zero(Equal, offset),
        I::IfNe { offset } => with_zero(NotEqual, offset),
        I::IfLt { offset } => with_zero(Less, offset),
        I::IfGe { offset } => with_zero(GreaterEqual, offset),
        I::IfGt { offset } => with_zero(Greater, offset),
        I::IfLe { offset } => with_zero(LessEqual, offset),
        I::IfICmpEq { offset } => of_two(Equal, offset),
        I::IfICmpNe { offset } => of_two(NotEqual, offset),
        I::IfICmpLt { offset } => of_two(Less, offset),
        I::IfICmpGe { offset } => of_two(GreaterEqual, offset),
        I::IfICmpGt { offset } => of_two(Greater, offset),
        I::IfICmpLe { offset } => of_two(LessEqual, offset),
        I::IfACmpEq { offset } => (Box::new(|to| Op::IfRef(true, to)), *offset),
        I::IfACmpNe { offset } => (Box::new(|to| Op::IfRef(false, to)), *offset),
        I::IfNull { offset } => (Box::new(|to| Op::IfNull(true, to)), *offset),
        I::IfNonNull { offset } => (Box::new(|to| Op::IfNull(false, to)), *offset),
        _ => return None,
    })
}

//! Classes that no file has: those of lambdas and method references.
//!
//! The Java machine makes a class for each `invokedynamic` of `LambdaMetafactory` while it runs. Here it is made of the
//! same instructions as others: fields for what is captured, and one method that calls the target. For example,
//! `x -> x + n` becomes a class with a field `c0`, whose `apply` calls `lambda$0(this.c0, x)`.

use crate::class::{
    BootstrapArgument, ClassFile, Code, Dynamic, Field, Instruction, Invoke, Kind, MemberRef, Method, Op, access,
};
use crate::classes::OBJECT;
use crate::descriptor::{FieldType, MethodDescriptor};
use crate::models::{BOXES, boxed};

/// The class of a lambda that has a name.
pub(crate) fn lambda(site: &Dynamic, name: &str) -> Option<ClassFile> {
    let factory = &site.bootstrap;
    if factory.0 != "java/lang/invoke/LambdaMetafactory" || !["metafactory", "altMetafactory"].contains(&&*factory.1) {
        return None;
    }
    let [
        BootstrapArgument::MethodType(erased),
        BootstrapArgument::Handle(kind, target),
        BootstrapArgument::MethodType(own),
        ..,
    ] = &site.arguments[..]
    else {
        return None;
    };
    // Bridges and other interfaces are asked for by further arguments.
    if site.arguments.len() > 3 {
        return None;
    }
    let made = MethodDescriptor::parse(&site.descriptor)?;
    let interface = made.result.as_ref()?.class()?.to_string();
    let (erased, own) = (MethodDescriptor::parse(erased)?, MethodDescriptor::parse(own)?);
    let fields: Vec<Field> = made.parameters.iter().enumerate().map(|(number, ty)| field(number, ty)).collect();
    let code = body(name, &made.parameters, &erased, &own, *kind, target)?;
    let method = Method {
        name: site.name.clone(),
        descriptor: descriptor(&erased),
        signature: erased,
        access: 0x0001 | access::SYNTHETIC,
        code: Ok(Some(code)),
    };
    Some(ClassFile {
        name: name.to_string(),
        superclass: Some(OBJECT.to_string()),
        interfaces: vec![interface],
        access: access::FINAL | access::SYNTHETIC,
        fields,
        methods: vec![method],
        source: None,
        nested: None,
    })
}

/// The descriptor of a type.
pub(crate) fn type_text(ty: &FieldType) -> String {
    match ty {
        FieldType::Boolean => "Z".to_string(),
        FieldType::Byte => "B".to_string(),
        FieldType::Char => "C".to_string(),
        FieldType::Short => "S".to_string(),
        FieldType::Int => "I".to_string(),
        FieldType::Long => "J".to_string(),
        FieldType::Float => "F".to_string(),
        FieldType::Double => "D".to_string(),
        FieldType::Ref(class) if class.starts_with('[') => class.clone(),
        FieldType::Ref(class) => format!("L{class};"),
    }
}

fn descriptor(signature: &MethodDescriptor) -> String {
    let parameters: String = signature.parameters.iter().map(type_text).collect();
    format!("({parameters}){}", signature.result.as_ref().map_or("V".to_string(), type_text))
}

fn field(number: usize, ty: &FieldType) -> Field {
    Field { name: format!("c{number}"), descriptor: type_text(ty), access: access::FINAL, constant: None }
}

/// Loads what is captured and the parameters, calls the target, and returns its result.
fn body(
    class: &str,
    captured: &[FieldType],
    erased: &MethodDescriptor,
    own: &MethodDescriptor,
    kind: u8,
    target: &MemberRef,
) -> Option<Code> {
    let signature = MethodDescriptor::parse(&target.descriptor)?;
    let mut ops = Vec::new();
    let receiver = FieldType::Ref(target.class.clone());
    let has_receiver = !matches!(kind, 6 | 8);
    if kind == 8 {
        ops.extend([Op::New(target.class.clone()), Op::Dup]);
    }
    let mut expected = has_receiver.then_some(&receiver).into_iter().chain(&signature.parameters);
    for (number, ty) in captured.iter().enumerate() {
        let field = MemberRef {
            class: class.to_string(),
            name: format!("c{number}"),
            descriptor: type_text(ty),
            is_interface: false,
        };
        ops.extend([Op::Load(Kind::Ref, 0), Op::GetField(field)]);
        convert(ty, expected.next()?, &mut ops)?;
    }
    let mut slot = 1;
    for (passed, ty) in erased.parameters.iter().zip(&own.parameters) {
        ops.push(Op::Load(passed.kind(), slot));
        slot += if passed.kind().is_wide() { 2 } else { 1 };
        convert(passed, ty, &mut ops)?;
        convert(ty, expected.next()?, &mut ops)?;
    }
    let invoke = match kind {
        5 | 9 => Invoke::Virtual,
        6 => Invoke::Static,
        7 | 8 => Invoke::Special,
        _ => return None,
    };
    ops.push(Op::Invoke(invoke, target.clone()));
    let result = if kind == 8 { Some(receiver.clone()) } else { signature.result };
    match (&result, &erased.result) {
        (_, None) => {
            if let Some(result) = &result {
                ops.push(if result.kind().is_wide() { Op::Pop2 } else { Op::Pop });
            }
            ops.push(Op::Return(None));
        }
        (Some(result), Some(wanted)) => {
            convert(result, own.result.as_ref()?, &mut ops)?;
            convert(own.result.as_ref()?, wanted, &mut ops)?;
            ops.push(Op::Return(Some(wanted.kind())));
        }
        (None, Some(_)) => return None,
    }
    let instructions = ops.into_iter().map(|op| Instruction { op }).collect();
    Some(Code { max_locals: slot, instructions, ..Code::default() })
}

/// From one type to another, as method handles convert: casts, boxes, numbers that get wider.
fn convert(from: &FieldType, to: &FieldType, ops: &mut Vec<Op>) -> Option<()> {
    if from == to {
        return Some(());
    }
    match (from, to) {
        (FieldType::Ref(_), FieldType::Ref(class)) => {
            if class != OBJECT {
                ops.push(Op::CheckCast(class.clone()));
            }
        }
        (FieldType::Ref(class), number) => {
            let class = if boxed(class).is_some() { class.as_str() } else { box_of(number) };
            let inside = FieldType::parse(&boxed(class)?.to_string())?;
            let name = format!("{}Value", format!("{inside:?}").to_lowercase());
            ops.push(Op::CheckCast(class.to_string()));
            ops.push(Op::Invoke(Invoke::Virtual, reference(class, &name, &format!("(){}", type_text(&inside)))));
            widen(&inside, number, ops)?;
        }
        (number, FieldType::Ref(_)) => {
            let class = box_of(number);
            let descriptor = format!("({})L{class};", type_text(number));
            ops.push(Op::Invoke(Invoke::Static, reference(class, "valueOf", &descriptor)));
        }
        (number, wider) => widen(number, wider, ops)?,
    }
    Some(())
}

fn widen(from: &FieldType, to: &FieldType, ops: &mut Vec<Op>) -> Option<()> {
    let rank = |kind| [Kind::Int, Kind::Long, Kind::Float, Kind::Double].iter().position(|known| *known == kind);
    let (from, to) = (from.kind(), to.kind());
    if from != to {
        if rank(from)? > rank(to)? {
            return None;
        }
        ops.push(Op::Convert(from, to));
    }
    Some(())
}

fn box_of(number: &FieldType) -> &'static str {
    let letter = type_text(number);
    BOXES.iter().find(|(_, ty)| letter.starts_with(*ty)).map_or(OBJECT, |(class, _)| class)
}

pub(crate) fn reference(class: &str, name: &str, descriptor: &str) -> MemberRef {
    MemberRef {
        class: class.to_string(),
        name: name.to_string(),
        descriptor: descriptor.to_string(),
        is_interface: false,
    }
}

//! Random types: structs in structs, arrays of them, bit-fields of all types and widths, enumerations, unions.
//!
//! ```text
//! struct $r1 { unsigned b0 : 3; struct $r0 r1[2]; short s2; };
//! ```

use crate::differential::random::Random;

/// Numbers: the type, the function that notes one, and the number of bits that a bit-field of it may have.
pub const NUMBERS: [(&str, &str, usize); 12] = [
    ("char", "char", 8),
    ("signed char", "char", 8),
    ("unsigned char", "uchar", 8),
    ("short", "short", 16),
    ("unsigned short", "ushort", 16),
    ("int", "int", 32),
    ("unsigned", "uint", 32),
    ("long", "long", 64),
    ("unsigned long", "ulong", 64),
    ("long long", "long", 64),
    ("_Bool", "bool", 1),
    ("enum $e", "uint", 32),
];

/// A type.
#[derive(Clone, Debug)]
pub enum Type {
    /// A number, and the width if it is a bit-field.
    Number { ty: &'static str, note: &'static str, width: Option<usize> },
    /// So many of a kind.
    Array(Box<Type>, usize),
    /// The struct of this number.
    Record(usize),
}

/// A struct: its members, and their names. What has no name is written, but nothing can be said of it.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The members that have names.
    pub members: Vec<(String, Type)>,
    /// The members as they are written.
    pub text: String,
}

/// A part of an object.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where it is, from the object: `.r1[0].s2`.
    pub path: String,
    /// Its type.
    pub ty: Type,
}

/// The structs of a program.
pub fn records(random: &mut Random) -> Vec<Record> {
    let mut records = Vec::new();
    for _ in 0..3 {
        let record = record(random, records.len());
        records.push(record);
    }
    records
}

/// A struct, in which those before it may be.
fn record(random: &mut Random, before: usize) -> Record {
    let mut record = Record::default();
    for number in 0..2 + random.below(4) {
        if random.once_in(10) {
            let unnamed = ["unsigned : 0;", "int : 3;", "unsigned char : 0;", "long : 17;"];
            record.text += &format!(" {}", random.one_of(&unnamed));
        }
        let name = format!("m{number}");
        let ty = member(random, before);
        record.text += &format!(" {};", declared(&ty, &name));
        record.members.push((name, ty));
    }
    record
}

fn member(random: &mut Random, before: usize) -> Type {
    let (ty, note, bits) = random.one_of(&NUMBERS);
    let number = Type::Number { ty, note, width: None };
    match random.below(10) {
        // Arithmetic on those of more bits is not analysed, so that there are few of them.
        0..=3 if ty != "enum $e" => {
            let most = if random.once_in(20) { bits } else { bits.min(32) };
            Type::Number { ty, note, width: Some(1 + random.below(most)) }
        }
        4 => Type::Array(Box::new(number), 1 + random.below(3)),
        5..=6 if before > 0 => Type::Record(random.below(before)),
        7 if before > 0 => Type::Array(Box::new(Type::Record(random.below(before))), 2),
        _ => number,
    }
}

/// The declaration of something of a type.
pub fn declared(ty: &Type, name: &str) -> String {
    match ty {
        Type::Number { ty, width: Some(width), .. } => format!("{ty} {name} : {width}"),
        Type::Number { ty, .. } => format!("{ty} {name}"),
        Type::Array(of, length) => declared(of, &format!("{name}[{length}]")),
        Type::Record(number) => format!("struct $r{number} {name}"),
    }
}

/// All parts of something of a type, those in parts, too.
pub fn parts(records: &[Record], ty: &Type, path: &str, found: &mut Vec<Part>) {
    found.push(Part { path: path.to_string(), ty: ty.clone() });
    match ty {
        Type::Number { .. } => {}
        Type::Array(of, length) => (0..*length).for_each(|at| parts(records, of, &format!("{path}[{at}]"), found)),
        Type::Record(number) => {
            records[*number].members.iter().for_each(|(name, ty)| parts(records, ty, &format!("{path}.{name}"), found));
        }
    }
}

/// An initializer in braces: values in turn, and by designators, which go deep and may come twice. `value` is a
/// number.
pub fn initializer(
    records: &[Record],
    ty: &Type,
    random: &mut Random,
    value: &mut dyn FnMut(&mut Random) -> String,
) -> String {
    let mut items = Vec::new();
    let mut inner = |ty: &Type, random: &mut Random| match ty {
        Type::Number { .. } if random.once_in(12) => format!("{{ {} }}", value(random)),
        Type::Number { .. } => value(random),
        _ => initializer(records, ty, random, value),
    };
    let (children, mut all) = (children(records, ty), Vec::new());
    parts(records, ty, "", &mut all);
    for (_, child) in children.iter().take(random.below(children.len() + 1)) {
        items.push(inner(child, random));
    }
    for _ in 0..random.below(4) {
        let part = random.one_of(&all[1..]);
        items.push(format!("{} = {}", part.path, inner(&part.ty, random)));
        // What comes next is what follows that part; only the last number may have nothing after it.
        if random.once_in(4) && children.first().is_some_and(|(path, _)| *path == part.path) && children.len() > 1 {
            items.push(inner(&children[1].1, random));
        }
    }
    if items.is_empty() {
        items.push(children.first().map_or("0".to_string(), |(_, child)| inner(child, random)));
    }
    format!("{{ {} }}", items.join(", "))
}

/// The parts that are not in parts.
fn children(records: &[Record], ty: &Type) -> Vec<(String, Type)> {
    match ty {
        Type::Number { .. } => Vec::new(),
        Type::Array(of, length) => (0..*length).map(|at| (format!("[{at}]"), (**of).clone())).collect(),
        Type::Record(number) => {
            records[*number].members.iter().map(|(name, ty)| (format!(".{name}"), ty.clone())).collect()
        }
    }
}

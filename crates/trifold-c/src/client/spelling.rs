//! Types, numbers and stubs as a client writes them.

use crate::typed::{DeclarationKind, Program, Storage};
use crate::types::{EnumId, FloatKind, FunctionType, IntKind, RecordId, Type, TypeId};
use std::collections::BTreeSet;

/// What the texts of calls refer to, and so the client must define.
#[derive(Default)]
pub(super) struct Needed {
    pub numbers: BTreeSet<&'static str>,
    pub stubs: BTreeSet<Stub>,
    pub data: bool,
    pub owned_data: bool,
    pub text: bool,
    pub owned_text: bool,
    /// Functions that choose an object of the second type which one of the first leads to.
    pub elements: BTreeSet<(RecordId, RecordId)>,
    /// Functions that make an object.
    pub objects: BTreeSet<RecordId>,
    /// Do objects meet in calls, of which each is used for nothing else afterwards?
    pub apart: bool,
}

/// A function of the client that the module calls back.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Stub {
    pub name: String,
    /// Its definition.
    pub text: String,
    /// Does it return data?
    pub returns_data: bool,
    /// The function that makes a number for it.
    pub number: Option<&'static str>,
}

impl Stub {
    /// A function of a type, named after a parameter.
    pub fn of(program: &Program, function: &FunctionType, parameter: &str) -> Option<Stub> {
        let types = &program.types;
        let is_plain = |ty: &TypeId| !program.show(*ty).contains(['(', '[', '<']);
        if function.variadic || !function.parameters.iter().chain([&function.result]).all(is_plain) {
            return None;
        }
        let mut needed = Needed::default();
        let (result, returns_data) = match types.get(function.result) {
            Type::Void => (String::new(), false),
            Type::Pointer(to) if *types.get(*to) == Type::Void => ("    return any_data();\n".to_string(), true),
            _ => (format!("    return {};\n", any_number(program, function.result, &mut needed)?), false),
        };
        let parameters = function.parameters.iter().enumerate();
        let parameters: Vec<String> =
            parameters.map(|(at, ty)| declared(&program.show(*ty), &format!("p{at}"))).collect();
        let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
        let kind: String = program.show(function.result).chars().filter(char::is_ascii_alphanumeric).collect();
        let name = format!("stub_{parameter}_{}{kind}", function.parameters.len());
        let text =
            format!("static {}({parameters})\n{{\n{result}}}\n", declared(&program.show(function.result), &name));
        Some(Stub { name, text, returns_data, number: needed.numbers.into_iter().next() })
    }
}

/// The type of a variable for what a function returns, and which is freed later.
pub(super) fn result_type(program: &Program, result: TypeId) -> String {
    let ty = program.show(result);
    let is_plain = ty.ends_with('*') && !ty.contains(['(', '[', '<']);
    let is_plain = is_plain && (ty.ends_with("**") || !ty.contains("const"));
    if is_plain { ty } else { "void *".to_string() }
}

/// A declaration of a name, for types that are written before it.
pub(super) fn declared(ty: &str, name: &str) -> String {
    if ty.ends_with('*') { format!("{ty}{name}") } else { format!("{ty} {name}") }
}

/// How a struct is written: by its typedef, if it has one.
pub(super) fn spell(program: &Program, record: RecordId) -> String {
    typedef(program, record).unwrap_or_else(|| {
        let tag = program.types.record(record).tag.map_or("", |tag| program.text(tag));
        format!("struct {tag}")
    })
}

fn typedef(program: &Program, record: RecordId) -> Option<String> {
    let is_typedef = |declaration: &&crate::typed::Declaration| {
        declaration.kind == DeclarationKind::Typedef && *program.types.get(declaration.ty) == Type::Record(record)
    };
    let found = program.declarations.iter().find(is_typedef)?;
    Some(program.text(found.name?).to_string())
}

/// Words that are no names of variables, though struct tags may be the same with capital letters.
const KEYWORDS: [&str; 12] =
    ["auto", "break", "case", "char", "default", "double", "float", "int", "long", "register", "switch", "union"];

/// A name for variables with such objects. Names of functions of the client are made from it. All differ from those of
/// the module: after `cell *cell;` the type `cell` would be hidden.
pub(super) fn variable_of(program: &Program, record: RecordId) -> String {
    let spelled = spell(program, record);
    let base = spelled.trim_start_matches("struct ").trim_start_matches('_').trim_end_matches("_t");
    let mut name = String::new();
    for (index, letter) in base.char_indices() {
        let is_start = letter.is_uppercase() && index > 0 && base[..index].ends_with(|c: char| c.is_lowercase());
        name += if is_start { "_" } else { "" };
        name.extend(letter.to_lowercase());
    }
    let is_taken = |name: &str| {
        let all = [name.to_string(), format!("some_{name}"), format!("end_{name}"), format!("one_of_{name}")];
        let is_local = |declaration: &crate::typed::Declaration| {
            matches!(declaration.kind, DeclarationKind::Variable(Storage::Automatic) | DeclarationKind::Parameter)
        };
        let mut others = program.declarations.iter().filter(|declaration| !is_local(declaration));
        KEYWORDS.contains(&name)
            || others.any(|other| other.name.is_some_and(|other| all.iter().any(|name| name == program.text(other))))
    };
    while is_taken(&name) {
        name.insert_str(0, "a_");
    }
    name
}

pub(super) fn is_character(ty: &Type) -> bool {
    matches!(ty, Type::Integer(IntKind::Char))
}

/// Any number of a type.
pub(super) fn any_number(program: &Program, ty: TypeId, needed: &mut Needed) -> Option<String> {
    let name = match program.types.get(ty) {
        Type::Bool => "bool",
        Type::Integer(kind) => match kind {
            IntKind::Char => "char",
            IntKind::SChar => "schar",
            IntKind::UChar => "uchar",
            IntKind::Short => "short",
            IntKind::UShort => "ushort",
            IntKind::Int => "int",
            IntKind::UInt => "uint",
            IntKind::Long | IntKind::Long32 => "long",
            IntKind::ULong | IntKind::ULong32 => "ulong",
            IntKind::LongLong => "longlong",
            IntKind::ULongLong => "ulonglong",
            _ => return None,
        },
        Type::Float(FloatKind::Float) => "float",
        Type::Float(FloatKind::Double) => "double",
        Type::Enum(id) => return Some(any_of_enumeration(program, *id, needed)),
        _ => return None,
    };
    needed.numbers.insert(name);
    Some(format!("__VERIFIER_nondet_{name}()"))
}

/// The type of a number, by the name of the function that makes it.
pub(super) fn number_type(name: &str) -> &'static str {
    match name {
        "bool" => "_Bool",
        "char" => "char",
        "schar" => "signed char",
        "uchar" => "unsigned char",
        "short" => "short",
        "ushort" => "unsigned short",
        "uint" => "unsigned int",
        "long" => "long",
        "ulong" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" => "unsigned long long",
        "float" => "float",
        "double" => "double",
        _ => "int",
    }
}

/// Any constant of an enumeration.
pub(super) fn any_of_enumeration(program: &Program, id: EnumId, needed: &mut Needed) -> String {
    let is_of = |ty: TypeId| *program.types.get(ty) == Type::Enum(id);
    let constants = program
        .declarations
        .iter()
        .filter(|declaration| matches!(declaration.kind, DeclarationKind::Constant(_)) && is_of(declaration.ty));
    let constants: Vec<&str> = constants.filter_map(|c| Some(program.text(c.name?))).collect();
    let Some((last, others)) = constants.split_last() else {
        needed.numbers.insert("int");
        return "__VERIFIER_nondet_int()".to_string();
    };
    if !others.is_empty() {
        needed.numbers.insert("bool");
    }
    let choices = others.iter().map(|name| format!("__VERIFIER_nondet_bool() ? {name} : "));
    choices.chain([last.to_string()]).collect()
}

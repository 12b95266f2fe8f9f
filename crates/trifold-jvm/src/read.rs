//! Reads class files: bytes to [`ClassFile`].
//!
//! The reader of the format is the crate `noak`, which is lazy; here names are looked up and jumps are resolved. A
//! class whose structure is broken is refused. A method whose code is broken has a reason instead of code, and
//! execution that comes there is not analysed.

use crate::class::{ClassFile, Code, Constant, Field, Handler, Instruction, LocalName, Method, Nested, Op};
use crate::descriptor::{FieldType, MethodDescriptor, is_entry};
use crate::opcode::operation;
use crate::pool::{Pool, Positions, text_of};
use noak::error::DecodeError;
use noak::reader::attributes::{BootstrapMethod, Code as RawCode, RawInstruction};
use noak::reader::cpool::Index;
use noak::reader::{Attribute, AttributeContent, Class};
use std::collections::BTreeSet;

/// The latest version that is read: that of Java 25.
const LATEST: u16 = 69;

/// Reads a class file.
pub(crate) fn read_class(bytes: &[u8]) -> Result<ClassFile, String> {
    let class = Class::new(bytes).map_err(text_of)?;
    if class.version().major > LATEST {
        return Err(format!("a class file of version {}, which is not known", class.version().major));
    }
    let pool = Pool { pool: class.pool(), bootstrap: bootstrap_methods(&class)? };
    let name = pool.class(class.this_class())?;
    let superclass = class.super_class().map(|index| pool.class(index)).transpose()?;
    let mut interfaces = Vec::new();
    for interface in class.interfaces() {
        interfaces.push(pool.class(interface.map_err(text_of)?)?);
    }
    let mut fields = Vec::new();
    for field in class.fields() {
        let field = field.map_err(text_of)?;
        let descriptor = pool.text(field.descriptor())?;
        FieldType::parse(&descriptor).ok_or_else(|| format!("`{descriptor}` is no type"))?;
        let constant = constant_value(&pool, field.attributes().into_iter())?;
        fields.push(Field {
            name: pool.text(field.name())?,
            descriptor,
            access: field.access_flags().bits(),
            constant,
        });
    }
    let mut methods = Vec::new();
    for method in class.methods() {
        let method = method.map_err(text_of)?;
        let descriptor = pool.text(method.descriptor())?;
        let signature =
            MethodDescriptor::parse(&descriptor).ok_or_else(|| format!("`{descriptor}` is no type of a method"))?;
        let code = read_code(&pool, method.attributes().into_iter());
        let (name, access) = (pool.text(method.name())?, method.access_flags().bits());
        methods.push(Method { name, descriptor, signature, access, code });
    }
    let mut source = None;
    for attribute in class.attributes() {
        if let Ok(AttributeContent::SourceFile(file)) = attribute.map_err(text_of)?.read_content(class.pool()) {
            source = Some(pool.text(file.source_file())?);
        }
    }
    let nested = nested(&class, &pool, &name)?;
    let access = class.access_flags().bits();
    Ok(ClassFile { name, superclass, interfaces, access, fields, methods, source, nested })
}

/// How a class is declared inside of another one, if it is.
fn nested<'b>(class: &Class<'b>, pool: &Pool<'_, 'b>, name: &str) -> Result<Option<Nested>, String> {
    for attribute in class.attributes() {
        let Ok(AttributeContent::InnerClasses(table)) = attribute.map_err(text_of)?.read_content(class.pool()) else {
            continue;
        };
        for inner in table.classes().into_iter().flatten() {
            if pool.class(inner.inner_class()).is_ok_and(|inner| inner == name) {
                let is_member = inner.outer_class().is_some() && inner.inner_name().is_some();
                return Ok(Some(Nested { access: inner.inner_access_flags().bits(), is_member }));
            }
        }
    }
    Ok(None)
}

/// The name of the class that a class file has.
pub fn class_name(bytes: &[u8]) -> Result<String, String> {
    let class = Class::new(bytes).map_err(text_of)?;
    Pool { pool: class.pool(), bootstrap: Vec::new() }.class(class.this_class())
}

/// What other classes have to know of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Is there a `main` that the Java machine starts with?
    pub has_main: bool,
    /// The classes that it mentions.
    pub references: BTreeSet<String>,
}

/// The outline of a class file. Nothing if it cannot be read.
pub fn outline(bytes: &[u8]) -> Option<Outline> {
    let class = read_class(bytes).ok()?;
    let is_main = |method: &Method| method.name == "main" && method.is_static() && is_entry(&method.signature);
    let mut references: BTreeSet<String> = class.superclass.iter().chain(&class.interfaces).cloned().collect();
    let codes = class.methods.iter().filter_map(|method| method.code.as_ref().ok()?.as_ref());
    for op in codes.flat_map(|code| &code.instructions).map(|instruction| &instruction.op) {
        references.extend(match op {
            Op::New(class) | Op::CheckCast(class) | Op::InstanceOf(class) => Some(class.clone()),
            Op::NewArray(class) | Op::MultiNewArray(class, _) => {
                Some(class.trim_start_matches('[').trim_matches(['L', ';']).to_string())
            }
            Op::GetStatic(member) | Op::PutStatic(member) => Some(member.class.clone()),
            Op::GetField(member) | Op::PutField(member) | Op::Invoke(_, member) => Some(member.class.clone()),
            _ => None,
        });
    }
    Some(Outline { has_main: class.methods.iter().any(is_main), references })
}

fn bootstrap_methods<'b>(class: &Class<'b>) -> Result<Vec<BootstrapMethod<'b>>, String> {
    for attribute in class.attributes() {
        if let Ok(AttributeContent::BootstrapMethods(table)) = attribute.map_err(text_of)?.read_content(class.pool()) {
            return table.methods().into_iter().collect::<Result<_, _>>().map_err(text_of);
        }
    }
    Ok(Vec::new())
}

type Attributes<'a, 'b> = &'a mut dyn Iterator<Item = Result<Attribute<'b>, DecodeError>>;

fn constant_value<'b>(
    pool: &Pool<'_, 'b>,
    attributes: impl Iterator<Item = Result<Attribute<'b>, DecodeError>>,
) -> Result<Option<Constant>, String> {
    for attribute in attributes {
        if let Ok(AttributeContent::ConstantValue(value)) = attribute.map_err(text_of)?.read_content(pool.pool) {
            return pool.constant(value.value()).map(Some);
        }
    }
    Ok(None)
}

fn read_code<'b>(
    pool: &Pool<'_, 'b>,
    attributes: impl Iterator<Item = Result<Attribute<'b>, DecodeError>>,
) -> Result<Option<Code>, String> {
    for attribute in attributes {
        let attribute = attribute.map_err(text_of)?;
        if pool.text(attribute.name())? != "Code" {
            continue;
        }
        let AttributeContent::Code(raw) = attribute.read_content(pool.pool).map_err(text_of)? else { continue };
        return translate_code(pool, &raw).map(Some);
    }
    Ok(None)
}

fn translate_code<'b>(pool: &Pool<'_, 'b>, raw: &RawCode<'b>) -> Result<Code, String> {
    let mut all: Vec<(u32, RawInstruction<'b>)> = Vec::new();
    for instruction in raw.raw_instructions() {
        let (at, instruction) = instruction.map_err(text_of)?;
        all.push((at.as_u32(), instruction));
    }
    let positions = Positions(all.iter().enumerate().map(|(index, (at, _))| (*at, index)).collect());
    let mut code = Code { max_locals: raw.max_locals(), ..Code::default() };
    for (at, instruction) in &all {
        let op = operation(pool, &positions, *at, instruction)?;
        code.instructions.push(Instruction { op });
    }
    for handler in raw.exception_handlers() {
        let catches = handler.catch_type().map(|class| pool.class(class)).transpose()?;
        let (start, end) = (positions.from(handler.start().as_u32()), positions.from(handler.end().as_u32()));
        let handler = positions.at(handler.handler().as_u32().into())?;
        code.handlers.push(Handler { start, end, handler, catches });
    }
    let mut attributes = raw.attributes().into_iter();
    read_tables(pool, &positions, &mut attributes, &mut code);
    Ok(code)
}

/// Lines and names of variables. What cannot be read is not there: nothing but messages depends on them.
fn read_tables<'b>(pool: &Pool<'_, 'b>, positions: &Positions, attributes: Attributes<'_, 'b>, code: &mut Code) {
    for attribute in attributes.flatten() {
        let is_lines = pool.text(attribute.name()).is_ok_and(|name| name == "LineNumberTable");
        match attribute.read_content(pool.pool) {
            _ if is_lines => {
                // The format has positions of two bytes, of which `noak` reads four: so this table is read here.
                let pairs = attribute.content().get(2..).unwrap_or_default().chunks_exact(4);
                let pairs =
                    pairs.map(|pair| [u16::from_be_bytes([pair[0], pair[1]]), u16::from_be_bytes([pair[2], pair[3]])]);
                code.lines.extend(pairs.map(|[start, line]| (positions.from(start.into()), line.into())));
            }
            Ok(AttributeContent::LocalVariableTable(table)) => {
                for local in table.locals().into_iter().flatten() {
                    let (start, end) = (local.range().start.as_u32(), local.range().end.as_u32());
                    let name = Index::new(local.name().as_u16()).ok().and_then(|index| pool.text(index).ok());
                    let ty = Index::new(local.descriptor().as_u16()).ok().and_then(|index| pool.text(index).ok());
                    let (Some(name), Some(descriptor)) = (name, ty) else { continue };
                    let (start, end, slot) = (positions.from(start), positions.from(end), local.index());
                    code.locals.push(LocalName { slot, start, end, name, descriptor });
                }
            }
            _ => {}
        }
    }
    code.lines.sort();
}

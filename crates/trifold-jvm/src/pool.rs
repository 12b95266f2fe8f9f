//! The constants of a class file, and the positions of its instructions. For example, constant 7 may be the name of a
//! method, with its class and its type.

use crate::class::{BootstrapArgument, Constant, Dynamic, MemberRef};
use crate::descriptor::FieldType;
use noak::MStr;
use noak::error::DecodeError;
use noak::reader::attributes::BootstrapMethod;
use noak::reader::cpool::{ConstantPool, Index, Item, MethodKind};

pub(crate) fn text_of(error: DecodeError) -> String {
    error.to_string()
}

/// The constants of a class, by their numbers.
pub(crate) struct Pool<'c, 'b> {
    pub pool: &'c ConstantPool<'b>,
    pub bootstrap: Vec<BootstrapMethod<'b>>,
}

fn name_of(text: &MStr) -> Result<String, String> {
    let name = text.to_str().ok_or("a name that is no text")?;
    Ok(name.to_string())
}

/// The units of UTF-16 that modified UTF-8 stands for.
fn units(text: &MStr) -> Vec<u16> {
    let (bytes, mut units, mut at) = (text.as_bytes(), Vec::new(), 0);
    let byte = |at: usize| u16::from(bytes.get(at).copied().unwrap_or(0));
    while at < bytes.len() {
        let (unit, length) = match byte(at) {
            first if first < 0x80 => (first, 1),
            first if first & 0xe0 == 0xc0 => ((first & 0x1f) << 6 | byte(at + 1) & 0x3f, 2),
            first => ((first & 0x0f) << 12 | (byte(at + 1) & 0x3f) << 6 | byte(at + 2) & 0x3f, 3),
        };
        units.push(unit);
        at += length;
    }
    units
}

impl<'b> Pool<'_, 'b> {
    pub fn text(&self, index: Index<noak::reader::cpool::Utf8<'b>>) -> Result<String, String> {
        name_of(self.pool.retrieve(index).map_err(text_of)?)
    }

    pub fn class(&self, index: Index<noak::reader::cpool::Class<'b>>) -> Result<String, String> {
        let name = name_of(self.pool.retrieve(index).map_err(text_of)?.name)?;
        let is_array = name.starts_with('[');
        match is_array && FieldType::parse(&name).is_none() || name.is_empty() {
            true => Err(format!("`{name}` is no class")),
            false => Ok(name),
        }
    }

    /// A field or method, whichever kind of reference it is.
    pub fn member(&self, index: Index<Item<'b>>) -> Result<MemberRef, String> {
        self.member_of(self.pool.get(index).map_err(text_of)?)
    }

    fn member_of(&self, item: &Item<'b>) -> Result<MemberRef, String> {
        let (class, name_and_type, is_interface) = match item {
            Item::FieldRef(reference) => (reference.class, reference.name_and_type, false),
            Item::MethodRef(reference) => (reference.class, reference.name_and_type, false),
            Item::InterfaceMethodRef(reference) => (reference.class, reference.name_and_type, true),
            _ => return Err("something that is no field or method".to_string()),
        };
        let member = self.pool.retrieve(name_and_type).map_err(text_of)?;
        let (name, descriptor) = (name_of(member.name)?, name_of(member.descriptor)?);
        Ok(MemberRef { class: self.class(class)?, name, descriptor, is_interface })
    }

    pub fn index(number: u16) -> Result<Index<Item<'b>>, String> {
        Index::new(number).map_err(text_of)
    }

    pub fn constant(&self, index: Index<Item<'b>>) -> Result<Constant, String> {
        Ok(match self.pool.get(index).map_err(text_of)? {
            Item::Integer(value) => Constant::Int(value.value),
            Item::Long(value) => Constant::Long(value.value),
            Item::Float(value) => Constant::Float(value.value.to_bits()),
            Item::Double(value) => Constant::Double(value.value.to_bits()),
            Item::String(value) => Constant::Text(units(self.pool.retrieve(value.string).map_err(text_of)?)),
            Item::Class(_) => Constant::Class(self.class(Index::new(index.as_u16()).map_err(text_of)?)?),
            Item::MethodHandle(_) => Constant::Other("a method handle"),
            Item::MethodType(_) => Constant::Other("a method type"),
            Item::Dynamic(_) => Constant::Other("a constant that a method computes"),
            _ => return Err("something that is no constant".to_string()),
        })
    }

    pub fn dynamic(&self, index: Index<noak::reader::cpool::InvokeDynamic<'b>>) -> Result<Dynamic, String> {
        let site = self.pool.retrieve(index).map_err(text_of)?;
        let method = self.bootstrap.get(usize::from(site.bootstrap_method_attr)).ok_or("no bootstrap method")?;
        let handle = self.pool.retrieve(method.method_ref()).map_err(text_of)?;
        let target = self.member_of(&handle.reference)?;
        let mut arguments = Vec::new();
        for argument in method.arguments() {
            arguments.push(self.bootstrap_argument(argument.map_err(text_of)?)?);
        }
        let (name, descriptor) = (name_of(site.name_and_type.name)?, name_of(site.name_and_type.descriptor)?);
        Ok(Dynamic { name, descriptor, bootstrap: (target.class, target.name), arguments })
    }

    fn bootstrap_argument(&self, index: Index<Item<'b>>) -> Result<BootstrapArgument, String> {
        Ok(match self.pool.get(index).map_err(text_of)? {
            Item::MethodHandle(handle) => {
                let reference = self.pool.get(handle.reference).map_err(text_of)?;
                BootstrapArgument::Handle(number_of(handle.kind), self.member_of(reference)?)
            }
            Item::MethodType(ty) => BootstrapArgument::MethodType(self.text(ty.descriptor)?),
            _ => self.constant(index).map(|_| BootstrapArgument::Constant)?,
        })
    }
}

fn number_of(kind: MethodKind) -> u8 {
    match kind {
        MethodKind::GetField => 1,
        MethodKind::GetStatic => 2,
        MethodKind::PutField => 3,
        MethodKind::PutStatic => 4,
        MethodKind::InvokeVirtual => 5,
        MethodKind::InvokeStatic => 6,
        MethodKind::InvokeSpecial => 7,
        MethodKind::NewInvokeSpecial => 8,
        MethodKind::InvokeInterface => 9,
    }
}

/// Where instructions start, and what they have become.
pub(crate) struct Positions(pub Vec<(u32, usize)>);

impl Positions {
    /// The instruction at a place in the bytes.
    pub fn at(&self, place: i64) -> Result<usize, String> {
        let place = u32::try_from(place).map_err(|_| "a jump out of the method")?;
        let found = self.0.binary_search_by_key(&place, |(start, _)| *start);
        found.map(|index| self.0[index].1).map_err(|_| "a jump to something that is no instruction".to_string())
    }

    /// The first instruction from a place on.
    pub fn from(&self, place: u32) -> usize {
        self.0.partition_point(|(start, _)| *start < place)
    }
}

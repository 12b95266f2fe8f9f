//! The image of a JDK, `lib/modules`, which has the classes of its library.
//!
//! The file begins with an index: a perfect hash of the names of resources, such as `/java.base/java/util/List.class`.
//! Which module a package is in stands in resources of their own, such as `/packages/java.util`. There is no input
//! here: whoever opens the file reads the bytes that are asked for.

use std::ops::Range;

/// The bytes at the beginning of an image that say how long its index is.
pub const HEADER: usize = 28;

const MAGIC: u32 = 0xcafe_dada;
const HASH: u32 = 0x0100_0193;

/// The index of an image.
#[derive(Debug)]
pub struct Image {
    bytes: Vec<u8>,
    table: usize,
    locations: usize,
    strings: usize,
    little: bool,
}

impl Image {
    /// How many bytes the header and the index have, as the header says.
    pub fn index_length(header: &[u8]) -> Option<usize> {
        let little = is_little(header)?;
        let [table, locations, strings] = [16, 20, 24].map(|at| number(header, at, little));
        let table = usize::try_from(table?).ok()?;
        table.checked_mul(8)?.checked_add(usize::try_from(locations?).ok()?)?.checked_add(strings? as usize + HEADER)
    }

    /// Reads the header and the index.
    pub fn new(bytes: Vec<u8>) -> Option<Image> {
        let length = Image::index_length(&bytes).filter(|length| *length <= bytes.len())?;
        let little = is_little(&bytes)?;
        let table = number(&bytes, 16, little)? as usize;
        let locations = HEADER + 8 * table;
        let strings = locations + number(&bytes, 20, little)? as usize;
        (table > 0 && strings <= length).then_some(Image { bytes, table, locations, strings, little })
    }

    /// Where the bytes of a class are in the file. `read` gives the bytes of a part of it.
    pub fn class(&self, name: &str, read: &dyn Fn(Range<u64>) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
        let package = name.rsplit_once('/').map_or("", |(package, _)| package).replace('/', ".");
        let modules = read(self.find(&format!("/packages/{package}"))?)?;
        for entry in modules.chunks_exact(8) {
            let is_empty = number(entry, 0, self.little)? != 0;
            let module = self.string(number(entry, 4, self.little)? as usize)?;
            let found = self.find(&format!("/{module}/{name}.class")).filter(|_| !is_empty);
            if let Some(found) = found {
                return read(found);
            }
        }
        None
    }

    /// The part of the file that is a resource.
    fn find(&self, name: &str) -> Option<Range<u64>> {
        let slot = |hash: u32| hash as usize % self.table;
        let redirect = number(&self.bytes, HEADER + 4 * slot(hash(name, HASH)), self.little)? as i32;
        let index = match redirect {
            0 => return None,
            negative if negative < 0 => (-1 - i64::from(negative)) as usize,
            seed => slot(hash(name, seed as u32)),
        };
        if index >= self.table {
            return None;
        }
        let at = number(&self.bytes, HEADER + 4 * (self.table + index), self.little)? as usize;
        let attributes = self.attributes(self.locations.checked_add(at)?)?;
        let part = |kind: usize| self.string(attributes[kind] as usize);
        let (module, parent, base, extension) = (part(1)?, part(2)?, part(3)?, part(4)?);
        let mut full = String::new();
        if !module.is_empty() {
            full += &format!("/{module}/");
        }
        if !parent.is_empty() {
            full += &format!("{parent}/");
        }
        full += base;
        if !extension.is_empty() {
            full += &format!(".{extension}");
        }
        // A resource that is compressed is not read.
        if full != name || attributes[6] != 0 {
            return None;
        }
        let start = (self.bytes_before_resources()).checked_add(attributes[5])?;
        Some(start..start.checked_add(attributes[7])?)
    }

    fn bytes_before_resources(&self) -> u64 {
        Image::index_length(&self.bytes).unwrap_or(0) as u64
    }

    fn attributes(&self, start: usize) -> Option<[u64; 8]> {
        let (mut attributes, mut at) = ([0; 8], start);
        loop {
            let byte = *self.bytes.get(at).filter(|_| at < self.strings)?;
            let (kind, length) = (usize::from(byte >> 3), usize::from(byte & 7) + 1);
            if kind == 0 {
                return Some(attributes);
            }
            let value = self.bytes.get(at + 1..at + 1 + length)?;
            *attributes.get_mut(kind)? = value.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
            at += 1 + length;
        }
    }

    fn string(&self, at: usize) -> Option<&str> {
        let rest = self.bytes.get(self.strings.checked_add(at)?..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        std::str::from_utf8(&rest[..end]).ok()
    }
}

fn is_little(header: &[u8]) -> Option<bool> {
    match (number(header, 0, true)?, number(header, 0, false)?) {
        (MAGIC, _) => Some(true),
        (_, MAGIC) => Some(false),
        _ => None,
    }
}

fn number(bytes: &[u8], at: usize, little: bool) -> Option<u32> {
    let part: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(if little { u32::from_le_bytes(part) } else { u32::from_be_bytes(part) })
}

fn hash(name: &str, seed: u32) -> u32 {
    name.bytes().fold(seed, |hash, byte| hash.wrapping_mul(HASH) ^ u32::from(byte)) & 0x7fff_ffff
}

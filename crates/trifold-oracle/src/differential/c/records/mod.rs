//! Random programs about types: objects of random structs are initialised, copied, given to functions and returned by
//! value, changed part by part, and in the end every number in them is noted. For example, a bit-field of seven bits of
//! type `unsigned char` in an array of structs in a struct, set by the second of two designators.
//!
//! Operands have no effects, so that their order does not matter.

mod statement;
mod types;

use crate::differential::random::Random;
use types::{Part, Record, Type, initializer, parts, records};

/// A program that is being written.
struct Writer {
    random: Random,
    text: String,
    records: Vec<Record>,
    /// The numbers that can be read here, by the names of the functions that note them.
    numbers: Vec<Part>,
    /// Structs that can be assigned here.
    wholes: Vec<Part>,
    names: usize,
}

/// The beginning of these programs: an enumeration, and a union of which the first member has all bytes.
const HEAD: &str = "enum $e { $zero, $one, $seven = 7, $big = 3000000000u };
union $u { unsigned long all; signed char c[8]; short s; unsigned short t[4]; int i; unsigned b : 5; };
static int $count(void) { static int calls = 3; static struct { short x, y; } kept = { .y = 7 }; kept.x += calls; return calls++ + kept.x * kept.y; }
static long $deep(int n, signed char c) { return n <= 0 ? c : $deep(n - 1, c * 3 + 1) + n; }
";

/// A program.
pub fn program(mut random: Random) -> String {
    let records = records(&mut random);
    let mut writer =
        Writer { random, text: HEAD.to_string(), records, numbers: Vec::new(), wholes: Vec::new(), names: 0 };
    for number in 0..writer.records.len() {
        let text = writer.records[number].text.clone();
        writer.line(&format!("struct $r{number} {{{text} }};"));
    }
    let last = writer.records.len() - 1;
    for number in 0..=last {
        let quality = writer.random.one_of(&["static", "static const", "static volatile", ""]);
        let value = writer.initializer(number, true);
        writer.line(&format!("{quality} struct $r{number} $g{number} = {value};"));
        writer.function(number);
    }
    writer.line(&format!("static struct $r{last} (*$table[2])(struct $r{last}, int) = {{ $f{last}, $h{last} }};"));
    writer.main();
    writer.text
}

impl Writer {
    fn line(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    fn initializer(&mut self, record: usize, constant: bool) -> String {
        let records = self.records.clone();
        let mut random = self.random.clone();
        let value = initializer(&records, &Type::Record(record), &mut random, &mut |random| {
            self.random = random.clone();
            let value = if constant { self.literal() } else { self.number(1) };
            *random = self.random.clone();
            value
        });
        self.random = random;
        value
    }

    /// Makes the parts of an object known.
    fn know(&mut self, name: &str, record: usize) {
        let mut found = Vec::new();
        parts(&self.records, &Type::Record(record), name, &mut found);
        for part in found {
            match part.ty {
                Type::Number { .. } => self.numbers.push(part),
                Type::Record(_) => self.wholes.push(part),
                Type::Array(..) => {}
            }
        }
    }

    /// Two functions that take and return a struct by value, of which the second calls the first.
    fn function(&mut self, record: usize) {
        for name in ["f", "h"] {
            (self.numbers, self.wholes) = Default::default();
            self.line(&format!("static struct $r{record} ${name}{record}(struct $r{record} a, int n) {{"));
            self.numbers.push(Part { path: "n".to_string(), ty: number_type("int", "int") });
            self.know("a", record);
            for _ in 0..1 + self.random.below(3) {
                self.change();
            }
            if name == "h" {
                self.line(&format!("if (n > 0 && n < 4) return $h{record}($f{record}(a, n), n - 1);"));
            }
            self.line("return a;\n}");
        }
    }

    fn main(&mut self) {
        (self.numbers, self.wholes) = Default::default();
        self.line("int main(void) {");
        let last = self.records.len() - 1;
        for (name, record) in [("x", last), ("y", last), ("z", self.random.below(last + 1))] {
            let value = self.initializer(record, false);
            self.line(&format!("struct $r{record} {name} = {value};"));
            self.know(name, record);
        }
        self.line(&format!("struct $r{last} *p = &x;\nunion $u u = {{ 0x8182838485868788ul }};"));
        self.line(
            "volatile unsigned char v = 250;\nint list[4] = { 1, [2] = 5 }, *to = list;\nchar text[6] = \"ab\" \"c\";",
        );
        for (path, ty, note) in [("v", "unsigned char", "uchar"), ("u.i", "int", "int"), ("list[2]", "int", "int")] {
            self.numbers.push(Part { path: path.to_string(), ty: number_type(ty, note) });
        }
        for _ in 0..8 + self.random.below(12) {
            self.statement(2);
        }
        for name in ["x", "y"] {
            self.note_all(name, last);
        }
        for record in 0..=last {
            self.note_all(&format!("$g{record}"), record);
        }
        self.line("$note_ulong(u.all);\nreturn 0;\n}");
    }

    /// Notes every number of an object.
    fn note_all(&mut self, name: &str, record: usize) {
        let mut found = Vec::new();
        parts(&self.records, &Type::Record(record), name, &mut found);
        for Part { path, ty } in found {
            if let Type::Number { note, .. } = ty {
                self.line(&format!("$note_{note}({path});"));
            }
        }
    }

    fn fresh(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }
}

fn number_type(ty: &'static str, note: &'static str) -> Type {
    Type::Number { ty, note, width: None }
}

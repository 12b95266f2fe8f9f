//! Random programs about values: conversions, structs by value, bit-fields, unions, arrays, initializers, floats,
//! function pointers, and jumps of all kinds.
//!
//! An expression has effects in one of its operands at most, so that the order in which these are evaluated does not
//! matter. Numbers have any type; where they are noted, they are converted to that of the parameter.

mod expression;
mod statement;

use crate::differential::random::Random;

/// The types of numbers, with the name of the function that notes one.
pub const TYPES: [(&str, &str); 9] = [
    ("char", "char"),
    ("unsigned char", "uchar"),
    ("short", "short"),
    ("unsigned short", "ushort"),
    ("int", "int"),
    ("unsigned", "uint"),
    ("long", "long"),
    ("unsigned long", "ulong"),
    ("_Bool", "bool"),
];

const HEAD: &str = "struct $pair { short a; long b; };
struct $bits { int x : 5; unsigned y : 7; long z : 20; _Bool w : 1; int tail; };
struct $all { struct $pair pair; struct $bits bits; int array[3]; struct $pair pairs[2]; double d; struct $all *link; };
union $mixed { int i; unsigned char bytes[8]; long l; unsigned short words[4]; };
enum $color { $red, $green = 5, $blue, $last = -2 };
static int $gi = 3;
static unsigned char $gc = 250;
static long $gl = -8589934592L;
static unsigned $gu = 4000000000u;
static short $gs[4] = { 1, -2, [3] = 300 };
static struct $all $ga = { { 1, 2 }, { .y = 100, .tail = 6 }, { 7, 8 }, .pairs[1] = { 9, 10 }, .d = 0.5 };
static const char *$text = \"three\";
static char $word[8] = \"hello\";
";

/// A program that is being written.
pub struct Writer {
    random: Random,
    text: String,
    /// Numbers that can be read and assigned, all of them initialised.
    places: Vec<String>,
    /// How many names were made.
    names: usize,
    /// May the expression that is being written have effects?
    is_pure: bool,
    /// Loops around the statement, and switches among them.
    loops: usize,
    switches: usize,
    /// What a `return` returns here.
    result: &'static str,
    calls: bool,
}

/// A program.
pub fn program(random: Random) -> String {
    let mut writer = Writer {
        random,
        text: HEAD.to_string(),
        places: Vec::new(),
        names: 0,
        is_pure: false,
        loops: 0,
        switches: 0,
        result: "0",
        calls: false,
    };
    writer.function("static int $f0(int a, unsigned char b)", &["a", "b"], "(int)(a * 3 + b)");
    writer.function("static int $f1(int a, unsigned char b)", &["a", "b"], "(int)b - a");
    writer.text += "static int (*$table[2])(int, unsigned char) = { $f0, $f1 };\n";
    writer.function("static struct $pair $swap(struct $pair p, short n)", &["p.a", "p.b", "n"], "p");
    writer.function(
        "static struct $all $whole(struct $all s)",
        &["s.array[1]", "s.bits.x", "s.bits.z", "s.pair.b"],
        "s",
    );
    writer.function("static double $scale(double d, int n)", &["n"], "d * n + 1");
    writer.function(
        "static unsigned $through(int *out, struct $all *s)",
        &["*out", "s->array[2]", "s->bits.y"],
        "s->bits.y",
    );
    writer.calls = true;
    writer.main();
    writer.text
}

impl Writer {
    fn line(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    fn fresh(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    /// A block after its first line; what is declared in it is not known after it.
    fn block(&mut self, head: &str, body: impl FnOnce(&mut Writer)) {
        self.line(&format!("{head} {{"));
        let known = self.places.len();
        body(self);
        self.places.truncate(known);
        self.line("}");
    }

    fn function(&mut self, head: &str, places: &[&str], result: &'static str) {
        self.places.clear();
        self.places.extend(places.iter().map(|place| place.to_string()));
        self.result = result;
        self.block(head, |this| {
            this.line(&format!("if (!$burn()) return {result};"));
            this.places.extend(["$gi", "$gc", "$gl"].map(str::to_string));
            for _ in 0..1 + this.random.below(3) {
                this.statement(1);
            }
            this.line(&format!("return {result};"));
        });
    }

    fn main(&mut self) {
        self.places.clear();
        self.result = "0";
        self.block("int main(void)", |this| {
            this.line("struct $pair pair = { 5, -6 }, other = { .b = 77 };");
            this.line("struct $bits bits = { -3, 100, 1L << 18, 1, 9 };");
            this.line("struct $all all = $ga, more = { .array = { 1, 2, 3 } }, *to = &all;");
            this.line("union $mixed mixed;");
            this.line("mixed.l = 0x0102030405060708L;");
            this.line("int numbers[4] = { 1, [2] = 5 }, *pi = &numbers[1];");
            this.line("unsigned char raw[4] = { 255, 1 };");
            this.line("double d = 1.5, e = -0.25;");
            this.line("float f = 0.1f;");
            this.line("enum $color color = $green;");
            this.line("int (*call)(int, unsigned char) = $f1;");
            let places = [
                "pair.a",
                "pair.b",
                "other.a",
                "bits.x",
                "bits.y",
                "bits.z",
                "bits.w",
                "bits.tail",
                "all.pair.a",
                "all.bits.y",
                "all.array[0]",
                "all.pairs[1].b",
                "to->array[2]",
                "to->bits.x",
                "to->pairs[0].a",
                "more.array[1]",
                "more.bits.z",
                "numbers[0]",
                "numbers[3]",
                "*pi",
                "raw[1]",
                "$gi",
                "$gc",
                "$gl",
                "$gu",
                "$gs[1]",
                "$gs[3]",
                "$ga.array[0]",
                "$ga.bits.tail",
                "color",
            ];
            this.places.extend(places.map(str::to_string));
            for (ty, _) in TYPES {
                this.declare(ty);
            }
            for _ in 0..8 + this.random.below(8) {
                this.statement(3);
            }
            for (value, ty) in [
                ("pair.a", "short"),
                ("pair.b", "long"),
                ("bits.x", "int"),
                ("bits.y", "uint"),
                ("bits.z", "long"),
                ("all.array[0]", "int"),
                ("all.pairs[1].b", "long"),
                ("$gl", "long"),
                ("$gu", "uint"),
                ("d", "double"),
            ] {
                this.line(&format!("$note_{ty}({value});"));
            }
            this.line("return 0;");
        });
    }

    /// Declares a number of a type.
    fn declare(&mut self, ty: &str) {
        let name = self.fresh("v");
        let value = self.number(2);
        self.line(&format!("{ty} {name} = {value};"));
        self.places.push(name);
    }
}

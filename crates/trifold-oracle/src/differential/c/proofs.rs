//! Random programs about sizes, the order of evaluation, and lifetimes. Many of them fail: those must not be proved.

use crate::differential::random::Random;

const HEAD: &str = "struct $t { int first; char rest[256]; int last; };
struct $s { int i; struct $s *next; };\n";

/// A size: often that of the struct, often spoiled on the way.
fn size(random: &mut Random, depth: u32) -> String {
    let leaves = ["sizeof(struct $t)", "264", "264u", "33 * 8", "520", "8", "sizeof *p", "1", "256"];
    if depth == 0 {
        return random.one_of(&leaves).to_string();
    }
    let types =
        ["unsigned char", "char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool"];
    match random.below(9) {
        0..=2 => random.one_of(&leaves).to_string(),
        3..=5 => format!("({})({})", random.one_of(&types), size(random, depth - 1)),
        6 => format!("({} * {})", size(random, depth - 1), random.one_of(&["1", "2u", "65536u", "16777216u", "1L"])),
        7 => format!("({} {} {})", size(random, depth - 1), random.one_of(&["+", "-", "&"]), size(random, depth - 1)),
        _ => format!("({} << {})", size(random, depth - 1), random.one_of(&["0", "1", "8", "24"])),
    }
}

/// A program that allocates and fills so many bytes.
pub fn sizes(random: &mut Random) -> String {
    let parameter = random.one_of(&["unsigned long", "unsigned", "unsigned short", "unsigned char", "int", "short"]);
    let make = format!("static void *$make({parameter} n) {{ return malloc(n); }}\n");
    let bytes = size(random, 2);
    let allocated = match random.below(4) {
        0 => format!("$make({bytes})"),
        1 => format!("calloc(1, {bytes})"),
        _ => format!("malloc({bytes})"),
    };
    let used = match random.below(3) {
        0 => {
            let filled = size(random, 2);
            format!("p->last = 1;\nmemset(p, 0, {filled});\n$note_int(p->last);\nif (p->last) *(int *)0 = 1;")
        }
        _ => "p->last = 1;\n$note_int(p->last);".to_string(),
    };
    let body = format!("struct $t *p;\np = {allocated};\nif (!p) return 0;\n{used}\nfree(p);\nreturn 0;");
    format!("{HEAD}{make}int main(void) {{\n{body}\n}}\n")
}

/// An `int` that may free or change what others use.
fn operand(random: &mut Random) -> &'static str {
    random.one_of(&[
        "*$p",
        "*$q",
        "(free($p), 0)",
        "$drop($p)",
        "($p = $q, 0)",
        "$g()",
        "($p ? *$p : 0)",
        "1",
        "(*$p = 0)",
        "(*$q)++",
        "(__builtin_free($q), 0)",
        "({ free($q); 0; })",
        "($p == $q)",
        "$c.i",
        "($c.i = 0)",
        "$c.next->i",
        "($c.next = 0, 0)",
        "$say(5)",
    ])
}

/// A program in which the order of evaluation may matter.
pub fn order(random: &mut Random) -> String {
    let head = "static int *$p, *$q;\nstatic struct $s $c, $d;
static int $drop(int *x) { free(x); return 0; }
static int $g(void) { return *$p; }
static int $add(int a, int b) { return a + b; }
static int $sub(int a, int b, int c) { return a - b - c; }\n";
    let (a, b, c) = (operand(random), operand(random), operand(random));
    let statement = match random.below(8) {
        0 => format!("r = $add({a}, {b});"),
        1 => format!("r = $sub({a}, {b}, {c});"),
        2 => format!("r = {a} + {b};"),
        3 => format!("int t[2] = {{ {a}, {b} }};\nr = t[0] + t[1];"),
        4 => format!("*$q = {a};\nr = {b};"),
        5 => format!("r = ({a}, {b});"),
        6 => format!("if ({a} && {b}) r = {c};"),
        _ => format!("$c.i = {a};\nr += {b};"),
    };
    let end = random.one_of(&["", "free($p);", "free($q);", "free($p); free($q);", "*$p = 1; free($p); free($q);"]);
    let start = "int r = 0;\n$p = malloc(sizeof *$p);\n$q = malloc(sizeof *$q);\n*$p = 0;\n*$q = 0;\n$c.next = &$d;";
    format!("{HEAD}{head}int main(void) {{\n{start}\n{statement}\n$note_int(r);\n{end}\nreturn 0;\n}}\n")
}

/// Statements in which `p` and `q` point to things that live for a while.
fn statements(random: &mut Random, depth: u32, text: &mut String) {
    for _ in 0..1 + random.below(3) {
        let pointer = random.one_of(&["p", "q"]);
        let literal = format!("{pointer} = &(struct $s){{ {} }}", random.below(2));
        let mut inner = String::new();
        if depth > 0 {
            statements(random, depth - 1, &mut inner);
        }
        *text += &match random.below(12) {
            0 => format!("{literal};\n"),
            1 => format!("if ({pointer}) r += {pointer}->i;\n"),
            2 => format!("{pointer} = 0;\n"),
            3 => format!("{{\nstruct $s v = {{ 1 }};\n{pointer} = &v;\n{inner}}}\n"),
            4 => format!("if (({literal})->i) {{\n{inner}}} else {{\nr++;\n}}\n"),
            5 => format!("if (rand() & 1) {literal};\n"),
            6 => format!("for (int k = 0; k < 2; k++) {{\n{inner}}}\n"),
            7 => format!("do {{\n{inner}}} while (({literal})->i && n++ < 2);\n"),
            8 => format!("while (n++ < 2 && ({literal})->i) {{\n{inner}}}\n"),
            9 => format!("switch (({literal})->i) {{\ncase 0: ;\n{inner}break;\ndefault: r++;\n}}\n"),
            10 => format!("{pointer} = ({{\nstruct $s w = {{ 0 }};\n{inner}&$o;\n}});\n"),
            _ => format!("for ({literal}; n++ < 2 && {pointer}->i; r++) {{\n{inner}}}\n"),
        };
        if random.once_in(3) {
            *text += "$note_int(r);\n";
        }
    }
}

/// A program in which things die at the ends of their blocks.
pub fn lifetimes(random: &mut Random) -> String {
    let mut text = String::new();
    statements(random, 2, &mut text);
    let start = "struct $s *p = 0, *q = 0;\nint r = 0, n = 0;";
    let end = "if (p) r += p->i;\nif (q) r += q->i;\n$note_int(r);\nreturn 0;";
    format!("{HEAD}static struct $s $o;\nint main(void) {{\n{start}\n{text}{end}\n}}\n")
}

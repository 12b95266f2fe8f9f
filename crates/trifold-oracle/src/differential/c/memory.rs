//! Random programs about memory: pointers that walk over arrays of numbers, arrays of variable length, memory that is
//! filled, and unions with pointers. In many of them an index or a pointer leaves its array: those must not be proved.

use crate::differential::random::Random;

const TYPES: [&str; 5] = ["int", "char", "unsigned char", "short", "long"];

/// A program whose pointers `p` and `q` walk over an array `a` of `n` numbers.
pub fn walks(random: &mut Random) -> String {
    let ty = random.one_of(&TYPES);
    let length = 1 + random.below(6);
    let (made, freed) = match random.below(6) {
        0 => (format!("{ty} *a = malloc(n * sizeof({ty}));"), "free(a);"),
        1 => (format!("{ty} *a = calloc(n, sizeof({ty}));"), "free(a);"),
        2 => (format!("{ty} *a = malloc(sizeof(*a) * n);"), "free(a);"),
        3 => (format!("{ty} v[n];\n{ty} *a = v;"), ""),
        4 => (format!("static {ty} v[{length}];\n{ty} *a = v;"), ""),
        _ => (format!("struct $box b;\nmemset(&b, 0, sizeof b);\nn = 5;\n{ty} *a = b.inside;"), ""),
    };
    let fill = random.one_of(&["a[i] = i * 3 + 1;", "*(a + i) = i;", "a[n - 1 - i] = i & 1;"]);
    let mut text = String::new();
    statements(random, ty, 2, &mut text);
    let head = format!(
        "struct $box {{ int before; {ty} inside[5]; int after; }};
struct $two {{ {ty} *first; {ty} *second; }};
static long $sum(const {ty} *from, int count) {{ long s = 0; while (count-- > 0) s += *from++; return s; }}
static {ty} *$next({ty} *from) {{ return from + 1; }}
static void $move({ty} **from, int by) {{ *from += by; }}\n"
    );
    let start = format!(
        "int n = {length};\nlong r = 0;\n{made}\nfor (int i = 0; i < n; i++) {fill}\n{ty} *p = a, *q = a;\nstruct $two w = {{ a, 0 }};"
    );
    let end = format!("$note_long(r);\nr = $sum(a, n);\n$note_long(r);\n{freed}\nreturn 0;");
    format!("{head}int main(void) {{\n{start}\n{text}{end}\n}}\n")
}

fn statements(random: &mut Random, ty: &str, depth: u32, text: &mut String) {
    for _ in 0..2 + random.below(4) {
        let p = random.one_of(&["p", "q", "w.first"]);
        let q = random.one_of(&["p", "q"]);
        let index = random.one_of(&["0", "0", "1", "2", "-1", "n - 1", "n", "n / 2"]);
        let value = random.one_of(&["0", "7", "n", "(int)r & 15"]);
        let mut inner = String::new();
        if depth > 0 {
            statements(random, ty, depth - 1, &mut inner);
        }
        *text += &match random.below(24) {
            0 => format!("{p}++;\n"),
            1 => format!("{p} += {index};\n"),
            2 => format!("{p} = a + {index};\n"),
            3 => format!("{p} = {q};\n"),
            4 => format!("*{p} = {value};\n"),
            5 => format!("{p}[{index}] = {value};\n"),
            6 => format!("r += *{p};\n"),
            7 => format!("r += {p}[{index}];\n"),
            8 => format!("r += {p} - a;\n"),
            9 => format!("if ({p} < {q}) {{\n{inner}}}\n"),
            10 => format!("if ({p} == {q}) r++;\n"),
            11 => format!("if ({p} != a + n) r += 2;\n"),
            12 => format!("for ({ty} *e = a + n; {q} != e && r++ < 20; {q}++) r += *{q};\n"),
            13 => format!("while ({q} < a + n) r += *{q}++;\n"),
            14 => format!("*{p}++ = {value};\n"),
            15 => format!("r += *--{p};\n"),
            16 => format!("r += $sum({q}, {index});\n"),
            17 => format!("{p} = $next({p});\n"),
            18 => format!("$move(&{q}, {index});\n"),
            19 => format!("memset({p}, {}, {} * sizeof *{p});\n", random.below(3), random.below(4)),
            20 => format!("w.second = {p};\nif (w.second) r += *w.second;\n"),
            21 => format!("for (int i = 0; i < n; i++) {{\na[i] += {value};\n{inner}if (!$burn()) break;\n}}\n"),
            22 => format!("r += *(({p}) + ({index}));\n"),
            _ => format!("{p} = ({p} == {q} ? a : {q});\n"),
        };
        if random.once_in(4) {
            *text += "$note_long(r);\n";
        }
    }
}

/// A program with a union of numbers and pointers.
pub fn unions(random: &mut Random) -> String {
    let head = "struct $s { int i; struct $s *next; };
union $u { long n; struct $s *p; struct { struct $s *first; int count; } pair; struct { struct $s *first; short tag; } other; };
struct $holder { int kind; union $u u; };\n";
    let mut text = String::new();
    for _ in 0..4 + random.below(8) {
        let u = random.one_of(&["u", "v", "h->u"]);
        let other = random.one_of(&["u", "v", "h->u"]);
        text += &match random.below(14) {
            0 => format!("{u}.p = &o;\n"),
            1 => format!("{u}.p = 0;\n"),
            2 => format!("{u}.n = {};\n", random.one_of(&["0", "5", "r"])),
            3 => format!("{u}.pair.first = &o;\n"),
            4 => format!("{u}.pair.count = 3;\n"),
            5 => format!("{u}.other.tag = 9;\n"),
            6 => format!("r += {u}.n;\n"),
            7 => format!("if ({u}.p) r += {u}.p->i;\n"),
            8 => format!("if ({u}.other.first == &o) r += 3;\n"),
            9 => format!("r += {u}.pair.count;\n"),
            10 => format!("{u} = {other};\n"),
            11 => format!("memset(&{u}, 0, sizeof {u});\n"),
            12 => format!("h->kind = 1;\n{u}.p = malloc(sizeof o);\n{u}.p->i = 2;\nr += {u}.p->i;\nfree({u}.p);\n"),
            _ => format!("r += {u}.pair.first->i;\n"),
        };
        if random.once_in(3) {
            text += "$note_long(r);\n";
        }
    }
    let start = "struct $s o = { 4, 0 };\nunion $u u, v;\nlong r = 1;\nstruct $holder *h = calloc(1, sizeof *h);
memset(&u, 0, sizeof u);\nmemset(&v, 0, sizeof v);";
    format!("{head}int main(void) {{\n{start}\n{text}$note_long(r);\nfree(h);\nreturn 0;\n}}\n")
}

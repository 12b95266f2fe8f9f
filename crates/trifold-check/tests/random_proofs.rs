//! Random programs about sizes, the order of evaluation, and lifetimes: what fails when it is compiled with sanitizers
//! must not be proved.

use std::process::Command;
use std::sync::Arc;
use trifold_check::{Alone, Options, Source, Verdict, check};
use trifold_examples::tools::c_compiler;

/// Programs are compiled together, since to start a compiler takes longer than to compile one of them.
const BATCH: u64 = 40;

/// Numbers that look random, and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

const HEAD: &str =
    "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t); void free(void *);
    void *memset(void *, int, size_t); int rand(void);
    struct t { int first; char rest[256]; int last; }; struct s { int i; struct s *next; };\n";

/// A size: often that of the struct, often spoiled on the way.
fn size(random: &mut Random, depth: u32) -> String {
    let leaves = ["sizeof(struct t)", "264", "264u", "33 * 8", "520", "8", "sizeof *p", "1", "256"];
    if depth == 0 {
        return random.one_of(&leaves).to_string();
    }
    let types = ["unsigned char", "char", "short", "unsigned short", "int", "unsigned", "long", "size_t", "_Bool"];
    match random.below(9) {
        0..=2 => random.one_of(&leaves).to_string(),
        3..=5 => format!("({})({})", random.one_of(&types), size(random, depth - 1)),
        6 => format!("({} * {})", size(random, depth - 1), random.one_of(&["1", "2u", "65536u", "16777216u", "1L"])),
        7 => format!("({} {} {})", size(random, depth - 1), random.one_of(&["+", "-", "&"]), size(random, depth - 1)),
        _ => format!("({} << {})", size(random, depth - 1), random.one_of(&["0", "1", "24", "31u", "56"])),
    }
}

fn sizes(random: &mut Random) -> String {
    let parameter = random.one_of(&["size_t", "unsigned", "unsigned short", "unsigned char", "int", "short"]);
    let make = format!("static void *make({parameter} n) {{ return malloc(n); }}\n");
    let bytes = size(random, 2);
    let allocated = match random.below(4) {
        0 => format!("make({bytes})"),
        1 => format!("calloc(1, {bytes})"),
        _ => format!("malloc({bytes})"),
    };
    let used = match random.below(3) {
        0 => {
            let filled = size(random, 2);
            format!("p->last = 1; memset(p, 0, {filled}); if (p->last) *(int *)0 = 1;")
        }
        _ => "p->last = 1;".to_string(),
    };
    format!("{make}int main(void) {{ struct t *p; p = {allocated}; if (!p) return 0; {used} free(p); return 0; }}\n")
}

/// An `int` that may free or change what others use.
fn operand(random: &mut Random) -> &'static str {
    random.one_of(&[
        "*p",
        "*q",
        "(free(p), 0)",
        "drop(p)",
        "(p = q, 0)",
        "g()",
        "(p ? *p : 0)",
        "1",
        "(*p = 0)",
        "(*q)++",
        "(__builtin_free(q), 0)",
        "({ free(q); 0; })",
        "(p == q)",
        "c.i",
        "(c.i = 0)",
        "c.next->i",
        "(c.next = 0, 0)",
    ])
}

fn order(random: &mut Random) -> String {
    let head = "static int *p, *q; static struct s c, d; static int drop(int *x) { free(x); return 0; }
        static int g(void) { return *p; } static int add(int a, int b) { return a + b; }
        static int sub(int a, int b, int c) { return a - b - c; }\n";
    let (a, b, c) = (operand(random), operand(random), operand(random));
    let statement = match random.below(8) {
        0 => format!("r = add({a}, {b});"),
        1 => format!("r = sub({a}, {b}, {c});"),
        2 => format!("r = {a} + {b};"),
        3 => format!("int t[2] = {{ {a}, {b} }}; r = t[0] + t[1];"),
        4 => format!("*q = {a}; r = {b};"),
        5 => format!("r = ({a}, {b});"),
        6 => format!("if ({a} && {b}) r = {c};"),
        _ => format!("c.i = {a}; r += {b};"),
    };
    let end = random.one_of(&["", "free(p);", "free(q);", "free(p); free(q);", "*p = 1; free(p); free(q);"]);
    format!(
        "{head}int main(void) {{ int r = 0; p = malloc(sizeof *p); q = malloc(sizeof *q); *p = 0; *q = 0; c.next = &d;
        {statement} {end} return 0; }}\n"
    )
}

/// Statements in which `p` and `q` point to things that live for a while.
fn statements(random: &mut Random, depth: u32, text: &mut String) {
    for _ in 0..1 + random.below(3) {
        let pointer = random.one_of(&["p", "q"]);
        let literal = format!("{pointer} = &(struct s){{ {} }}", random.below(2));
        let mut inner = String::new();
        if depth > 0 {
            statements(random, depth - 1, &mut inner);
        }
        *text += &match random.below(12) {
            0 => format!("{literal};\n"),
            1 => format!("if ({pointer}) r += {pointer}->i;\n"),
            2 => format!("{pointer} = 0;\n"),
            3 => format!("{{ struct s v = {{ 1 }}; {pointer} = &v; {inner} }}\n"),
            4 => format!("if (({literal})->i) {{ {inner} }} else {{ r++; }}\n"),
            5 => format!("if (rand() & 1) {literal};\n"),
            6 => format!("for (int k = 0; k < 2; k++) {{ {inner} }}\n"),
            7 => format!("do {{ {inner} }} while (({literal})->i && n++ < 2);\n"),
            8 => format!("while (n++ < 2 && ({literal})->i) {{ {inner} }}\n"),
            9 => format!("switch (({literal})->i) {{ case 0: {inner} break; default: r++; }}\n"),
            10 => format!("{pointer} = ({{ struct s w = {{ 0 }}; {inner} &g; }});\n"),
            _ => format!("for ({literal}; n++ < 2 && {pointer}->i; r++) {{ {inner} }}\n"),
        };
    }
}

fn lifetimes(random: &mut Random) -> String {
    let mut text = String::new();
    statements(random, 2, &mut text);
    format!(
        "static struct s g; int main(void) {{ struct s *p = 0, *q = 0; int r = 0, n = 0;
        {text} if (p) r += p->i; if (q) r += q->i; return r * 0; }}\n"
    )
}

/// Which of the programs fail when they run.
fn failing(compiler: &str, programs: &[String]) -> Vec<bool> {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: String| directory.path().join(name);
    let mut command = Command::new(compiler);
    let flags = ["-w", "-g0", "-O0", "-std=gnu11", "-fsanitize=address,null", "-fno-sanitize-recover=all"];
    command.args(flags).arg("-fno-builtin").arg("-o").arg(path("run".to_string()));
    let mut driver = "int atoi(const char *);\n".to_string();
    for (number, text) in programs.iter().enumerate() {
        let file = path(format!("{number}.c"));
        std::fs::write(&file, text.replace("int main(void)", &format!("int main{number}(void)"))).unwrap();
        command.arg(&file);
        driver += &format!("int main{number}(void);\n");
    }
    let names: Vec<String> = (0..programs.len()).map(|number| format!("main{number}")).collect();
    driver += &format!("int (*programs[])(void) = {{ {} }};\n", names.join(", "));
    driver += "int main(int count, char **arguments) { return programs[atoi(arguments[1])](); }\n";
    std::fs::write(path("driver.c".to_string()), driver).unwrap();
    let built = command.arg(path("driver.c".to_string())).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let fails = |number: usize| {
        let mut run = Command::new(path("run".to_string()));
        // Leaks are found by other tests.
        let options = "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1";
        !run.arg(number.to_string()).env("ASAN_OPTIONS", options).output().unwrap().status.success()
    };
    (0..programs.len()).map(fails).collect()
}

fn is_proved(text: &str) -> bool {
    let options = Options { max_structures: Some(2_000), confirm: false, ..Options::default() };
    let checked = check(&Source::new("random.c", text), &options, &(Arc::new(Alone) as _));
    checked.is_ok_and(|checked| checked.report.verdict == Verdict::Proved)
}

/// Judges batches of programs; so many must fail and so many be proved, or there was nothing to be judged.
fn judge(generate: fn(&mut Random) -> String, least: (usize, usize)) {
    let Some(compiler) = c_compiler() else { return };
    let more = std::env::var("RANDOM_BATCHES").ok().and_then(|batches| batches.parse().ok());
    let (mut failed, mut proved) = (0, 0);
    for batch in 0..more.unwrap_or(1) {
        let programs = (0..BATCH).map(|number| {
            let mut random = Random((batch * BATCH + number).wrapping_mul(0x2545_f491_4f6c_dd1d));
            format!("{HEAD}{}", generate(&mut random))
        });
        let programs: Vec<String> = programs.collect();
        for (text, fails) in programs.iter().zip(failing(compiler, &programs)) {
            let is_proved = is_proved(text);
            assert!(!(fails && is_proved), "this fails and is proved:\n{text}");
            failed += usize::from(fails);
            proved += usize::from(is_proved);
        }
    }
    eprintln!("{failed} programs failed, {proved} were proved");
    assert!(failed >= least.0 && proved >= least.1, "only {failed} programs failed, only {proved} were proved");
}

#[test]
fn sizes_are_those_of_the_machine() {
    judge(sizes, (5, 3));
}

#[test]
fn orders_that_fail_are_not_proved() {
    judge(order, (5, 3));
}

#[test]
fn lives_end_as_they_do_in_the_machine() {
    judge(lifetimes, (5, 3));
}

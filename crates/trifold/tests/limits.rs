//! Limits on time and memory are kept, whatever the analysis is at, and the result does not depend on them as long as
//! they are not reached. `TRIFOLD_LIMITS=all` tries all programs with all limits.

mod support;

use std::fmt::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Scratch, trifold, workspace};

/// An analysis may take so much longer than its limit. The machine may be busy with other tests, so that is more than
/// the second that is promised on a quiet one.
const LATE: Duration = Duration::from_secs(2);

/// Many pointers into a list that grows.
fn many_pointers(count: usize) -> String {
    let mut text = String::from("struct node { struct node *n; };\nint main(void) {\n");
    (0..count).for_each(|i| text += &format!("struct node *p{i} = 0;\n"));
    text += "while (any()) { struct node *t = malloc(sizeof *t); if (!t) return 1; t->n = 0;\n";
    for i in 0..count {
        let _ = writeln!(text, "if (any()) {{ t->n = p{i}; p{} = t; }}", (i + 1) % count);
    }
    text + "}\nreturn 0; }\n"
}

/// Objects of many links that lead anywhere.
fn wide_structs(links: usize, pointers: usize) -> String {
    let mut text = String::from("struct node {");
    (0..links).for_each(|i| text += &format!(" struct node *f{i};"));
    text += " };\nint main(void) {\n";
    for i in 0..pointers {
        let _ = writeln!(text, "struct node *p{i} = calloc(1, sizeof(struct node)); if (!p{i}) return 0;");
    }
    text += "while (any()) {\n";
    for i in 0..pointers {
        for j in 0..6 {
            let (link, to) = ((7 * i + 3 * j) % links, (i + j + 1) % pointers);
            let _ = writeln!(text, "if (any()) p{i}->f{link} = p{to};");
        }
        let link = i % links;
        let _ = writeln!(text, "if (any() && p{i}->f{link}) p{i} = p{i}->f{link};");
    }
    text + "}\nreturn 0; }\n"
}

/// A switch of many cases, each of which changes a list.
fn huge_switch(cases: usize) -> String {
    let mut text = String::from(
        "struct node { struct node *n; int v; };\nint main(void) { struct node *h = 0, *c;\n\
         while (any()) { c = malloc(sizeof *c); if (!c) break; c->v = any(); c->n = h; h = c; switch (any()) {\n",
    );
    for i in 0..cases {
        let _ = writeln!(text, "case {i}: if (h->n) {{ c = h->n; h->v = {i}; h->n = c->n; free(c); }} break;");
    }
    text + "} }\nwhile (h) { c = h->n; free(h); h = c; }\nreturn 0; }\n"
}

/// Functions that call each other and mix up trees.
fn recursion(functions: usize) -> String {
    let mut text = String::from("struct t { struct t *l, *r, *p; };\n");
    (0..functions).for_each(|i| text += &format!("void f{i}(struct t *a, struct t *b);\n"));
    for i in 0..functions {
        let (one, other) = ((i + 1) % functions, (i + 3) % functions);
        let _ = writeln!(
            text,
            "void f{i}(struct t *a, struct t *b) {{ if (!a) return; if (any()) {{ a->l = b; f{one}(a->l, a); }} \
             else {{ if (b) b->r = a->l; f{other}(b, a->r); }} if (a->l) a->l->p = b; }}"
        );
    }
    text + "int main(void) { struct t *x = calloc(1, sizeof *x), *y = calloc(1, sizeof *y); if (!x || !y) return 0; \
            x->l = y; f0(x, y); return 0; }\n"
}

/// Many lines, as a macro could write them.
fn many_lines(functions: usize) -> String {
    let mut text = String::from("struct node { struct node *n; int v; };\n");
    for i in 0..functions {
        let _ = writeln!(
            text,
            "static void s{i}(struct node **p, int k) {{\n  struct node *q = *p;\n  if (k > {i}) {{\n    \
             while (q && q->v < k)\n      q = q->n;\n    if (q)\n      q->v = k + {i};\n  }} else if (q)\n    q->v++;\n}}"
        );
    }
    text += "int main(void) { struct node *h = 0, *c; while (any()) { c = malloc(sizeof *c); if (!c) break; c->v = 0; \
             c->n = h; h = c; }\n";
    (0..functions).for_each(|i| text += &format!("s{i}(&h, any());\n"));
    text + "while (h) { c = h->n; free(h); h = c; } return 0; }\n"
}

/// A library of functions that are hard one by one.
fn library(functions: usize) -> String {
    let mut text = String::from("struct node { struct node *n, *p, *k[3]; };\n");
    for i in 0..functions {
        let _ = writeln!(
            text,
            "void op{i}(struct node *a, struct node *b, struct node *c) {{ while (a && a->n) {{ if (b) \
             {{ a->p = b->n; b->n = c; }} if (c) c->p = a; a = a->n; b = c; c = a->p; if (any()) {{ free(b); b = a; }} }} }}"
        );
    }
    text
}

/// Global variables that are mixed up.
fn globals(count: usize) -> String {
    let mut text = String::from("struct node { struct node *l, *r; };\n");
    (0..count).for_each(|i| text += &format!("struct node *g{i};\n"));
    text += "void mix(void) {\n";
    for i in 0..count {
        let (one, other) = ((3 * i + 1) % count, (i + 1) % count);
        let _ = writeln!(
            text,
            "if (any()) g{i} = g{one}; if (g{i} && any()) g{i}->l = g{other}; if (g{i} && any()) g{i} = g{i}->r;"
        );
    }
    text += "}\nint main(void) {";
    (0..count).for_each(|i| text += &format!(" g{i} = calloc(1, sizeof *g{i});"));
    text + " while (any()) mix(); return 0; }\n"
}

/// Loops in loops.
fn nested_loops(depth: usize) -> String {
    let start = "struct node { struct node *n, *d; };\nint main(void) { struct node *a = 0, *b = 0, *c = 0, *t;\n";
    let each = "while (any()) { t = malloc(sizeof *t); if (!t) return 0; t->n = a; t->d = b; if (any()) a = t; \
                else if (any()) { if (c) c->d = t; c = t; } else b = t;\n";
    let end = "while (a) { t = a->n; if (a->d) b = a->d; a = t; } return 0; }\n";
    [start, &each.repeat(depth), &"}".repeat(depth), end].concat()
}

/// A program in which focus splits each structure into very many cases, and its input.
fn explosion(predicates: usize) -> (String, String) {
    let all =
        |each: &dyn Fn(usize) -> String, between: &str| (0..predicates).map(each).collect::<Vec<_>>().join(between);
    let declared = all(&|i| format!("%p p{i}(v)\n"), "");
    let focused = [all(&|i| format!("E(v) p{i}(v)"), ", "), all(&|i| format!("p{i}(v)"), ", ")].join(", ");
    let updates = all(&|i| format!("p{i}(v) = p{}(v) | 1/2", (i + 1) % predicates), " ");
    let program = format!(
        "{declared}%p x(v) unique pointer\n%p n(v1,v2) function\n%%\n%action Explode() {{\n  %f {{ {focused} }}\n  \
         {{ {updates} }}\n}}\n%%\nL1 Explode() L2\nL2 Explode() L1\n"
    );
    let values = all(&|i| format!("  p{i} = {{u0:1/2, u1:1/2, u2:1/2, u3:1/2}}\n"), "");
    let input = format!(
        "%n = {{u0, u1, u2, u3}}\n%p = {{\n  x = {{u0}}\n  n = {{u0->u1:1/2, u1->u1:1/2, u1->u2:1/2, u2->u3:1/2}}\n  \
         sm = {{u1:1/2, u3:1/2}}\n{values}}}\n"
    );
    (program, input)
}

/// The arguments for each program, which are in a directory.
fn programs(scratch: &Scratch) -> Vec<Vec<String>> {
    let declared = "extern int any(void);\n#include <stdlib.h>\n";
    let hard = [
        ("many10.c", many_pointers(10)),
        ("wide40.c", wide_structs(40, 10)),
        ("lines20000.c", many_lines(2000)),
        ("library40.c", library(40)),
        ("globals40.c", globals(40)),
        ("recursion30.c", recursion(30)),
        // The others, for all limits.
        ("many30.c", many_pointers(30)),
        ("many200.c", many_pointers(200)),
        ("wide10.c", wide_structs(10, 6)),
        ("wide100.c", wide_structs(100, 20)),
        ("switch300.c", huge_switch(300)),
        ("switch3000.c", huge_switch(3000)),
        ("recursion3.c", recursion(3)),
        ("recursion200.c", recursion(200)),
        ("lines2000.c", many_lines(200)),
        ("library1.c", library(1)),
        ("globals8.c", globals(8)),
        ("nested3.c", nested_loops(3)),
        ("nested8.c", nested_loops(8)),
    ];
    let (program, input) = explosion(14);
    let tvp = vec!["analyze".to_string(), scratch.file("explosion.tvp", program), scratch.file("explosion.tvs", input)];
    let check =
        |(name, text): (&str, String)| vec!["check".to_string(), scratch.file(name, declared.to_string() + &text)];
    std::iter::once(tvp).chain(hard.into_iter().map(check)).collect()
}

/// Runs the program, and tells how long it took and the most memory that it had, in MiB, where the system tells.
fn measured(arguments: &[String]) -> (Duration, u64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trifold"));
    command.args(arguments).current_dir(workspace());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let mut child = command.spawn().expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("a status").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let peak =
            text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok());
        most = peak.unwrap_or(0u64).max(most);
        if started.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    (started.elapsed(), most >> 10)
}

#[test]
fn limits_on_time_and_memory_are_kept() {
    let scratch = Scratch::new();
    let (times, memories, count): (&[u64], &[u64], usize) = match std::env::var("TRIFOLD_LIMITS") {
        Ok(all) if all == "all" => (&[1, 5], &[256, 1024], usize::MAX),
        _ => (&[1], &[256], 7),
    };
    let mut wrong = Vec::new();
    for arguments in programs(&scratch).iter().take(count) {
        for (time, memory) in times.iter().flat_map(|time| memories.iter().map(move |memory| (*time, *memory))) {
            let limits = ["--timeout", &time.to_string(), "--memory", &memory.to_string()].map(str::to_string);
            let (took, used) = measured(&[arguments, &limits[..]].concat());
            println!("{} --timeout {time} --memory {memory}: {took:.2?}, {used} MiB", arguments[1]);
            if took > Duration::from_secs(time) + LATE || used > memory + memory / 10 {
                wrong.push(format!("{} --timeout {time} --memory {memory}: {took:.2?}, {used} MiB", arguments[1]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program that the usual work does not suffice for ends at the same place on any number of threads, and says what
/// more work would do.
#[test]
fn the_usual_work_ends_at_the_same_place_everywhere() {
    let scratch = Scratch::new();
    let text = format!("extern int any(void);\nextern void *malloc(unsigned long);\n{}", many_pointers(6));
    let file = scratch.file("many6.c", text);
    let report = |threads: &str| {
        let run = trifold([
            "check",
            &file,
            "--domain",
            "tvl",
            "--max-structures",
            "3000",
            "--threads",
            threads,
            "--format",
            "json",
        ]);
        let mut report = run.json();
        forget_times(&mut report);
        (run.status, report.to_string())
    };
    let one = report("1");
    assert_eq!(one, report("2"));
    assert_eq!(one, report("8"));
}

/// Leaves out how long things took.
fn forget_times(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.remove("time_s");
            fields.values_mut().for_each(forget_times);
        }
        serde_json::Value::Array(values) => values.iter_mut().for_each(forget_times),
        _ => {}
    }
}

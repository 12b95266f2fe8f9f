//! Programs of all kinds of statements: loops, branches, objects in objects, the stack, numbers, calls, and every kind
//! of error.

/// The statements of programs. All names are declared in [`HEADER`]; `sub` is the procedure itself, so it recurses.
const STATEMENTS: [&str; 48] = [
    "x = null;",
    "x = y;",
    "y = x;",
    "x = x->next;",
    "y = x->next;",
    "x->next = y;",
    "y->next = x;",
    "x->next = null;",
    "x = new node;",
    "x = new zeroed node;",
    "y = new node or null;",
    "y = stack node;",
    "x = static zeroed node;",
    "free(x);",
    "free(y);",
    "end y;",
    "end o;",
    "l = stack list; o = owner(l, item::link);",
    "o->data = i;",
    "i = o->data;",
    "x = uninit;",
    "g = x;",
    "x = g;",
    "o = new item;",
    "o = stack zeroed item;",
    "l = o->link;",
    "l = l->next;",
    "l->next = l;",
    "o = owner(l, item::link);",
    "o->node = x;",
    "x = o->node;",
    "free(o);",
    "v = x;",
    "x = v;",
    "o = v;",
    "i = nondet;",
    "i = nondet(-1, 2);",
    "i = (i * 3) + 1;",
    "c = u8(i) >> 1u8;",
    "i = i32(c) / i;",
    "x->data = i;",
    "i = x->data;",
    "b = (i < 2) & !b;",
    "assert(x != null);",
    "assume(i != 7);",
    "x = sub(x, i);",
    "sub(y, 1);",
    "x = {sub, other}(null, i);",
];

/// Ends are rarer than the rest.
const ENDS: [&str; 5] = ["stop;", "error(assertion, \"e\");", "unsupported \"u\";", "unknown f(x);", "return;"];

const CONDITIONS: [&str; 7] = ["*", "x == null", "x != y", "i < 3", "b", "l == null", "v != x"];

const HEADER: &str = "struct node { node *next; i32 data; }
struct list { list *next; }
struct item { i32 data; embedded list link; node *node; }
global node *g;
";

/// Some pointers lead somewhere from the start, else most programs would end at their first dereference.
const LOCALS: &str = "    node *y; item *o; list *l; void *v; u8 c; bool b;
    y = new zeroed node; y->next = y; o = stack zeroed item; l = o->link; l->next = l; v = y;
";

/// The text of a program that the numbers decide.
pub fn random_program(decisions: &[u8]) -> String {
    let mut decisions = decisions.iter().copied();
    let mut text = HEADER.to_string();
    text += &format!("entry proc main() {{\n    node *x; i32 i;\n{LOCALS}    x = y;\n");
    block(&mut decisions, 1, &mut text);
    for name in ["sub", "other"] {
        text += &format!("}}\nproc {name}(node *x, i32 i) -> node *r {{\n{LOCALS}");
        block(&mut decisions, 1, &mut text);
    }
    text + "}\n"
}

/// Statements until the numbers say that it is enough, or run out.
fn block(decisions: &mut dyn Iterator<Item = u8>, depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    while let Some(decision) = decisions.next() {
        let mut pick = |from: &[&'static str]| from[usize::from(decisions.next().unwrap_or(0)) % from.len()];
        match decision % 16 {
            0 => break,
            1 => *text += &format!("{indent}{}\n", pick(&ENDS)),
            2..=3 if depth < 5 => {
                *text += &format!("{indent}while ({}) {{\n", pick(&CONDITIONS));
                block(decisions, depth + 1, text);
                *text += &format!("{indent}}}\n");
            }
            4..=5 if depth < 5 => {
                *text += &format!("{indent}if ({}) {{\n", pick(&CONDITIONS));
                block(decisions, depth + 1, text);
                *text += &format!("{indent}}} else {{\n");
                block(decisions, depth + 1, text);
                *text += &format!("{indent}}}\n");
            }
            _ => *text += &format!("{indent}{}\n", pick(&STATEMENTS)),
        }
    }
}

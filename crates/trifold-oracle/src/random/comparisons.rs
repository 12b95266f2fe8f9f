//! Procedures on lists with data, which they compare.

use super::Decisions;

/// Procedures that call each other at random, with random statements on three pointers and two numbers. In half of the
/// programs it is never asked which of two numbers is less.
pub fn random_comparisons(decisions: &[u8]) -> String {
    let mut decisions = Decisions::new(decisions);
    let (is_recursive, only_equal) = (decisions.below(2) == 0, decisions.below(2) == 0);
    let less = |or_equal: &'static str| if only_equal { "==" } else { or_equal };
    let mut text = "struct node { node *n; i32 d; }\n".to_string();
    for name in ["f", "g"] {
        text += &format!("proc {name}(node *p, node *q, i32 i) -> node *r {{ i32 j; j = 1; r = null;\n");
        for _ in 0..3 + decisions.below(6) {
            text += &format!("  {}\n", statement(&mut decisions, name, is_recursive, less));
        }
        text += "}\n";
    }
    text + &MAIN.replace("<=", less("<="))
}

const MAIN: &str = "entry proc main() { node *x; node *y; node *z; i32 c; i32 d; \
    x = new zeroed node; y = new zeroed node; x->n = y; c = nondet(0, 2); x->d = c; \
    z = f(x, y, c); if (*) { y = g(z, x, 1); } \
    if (z != null) { y = z->n; if (y != null) { c = z->d; d = y->d; assert(c <= d); } } }";

fn statement(
    decisions: &mut Decisions<'_>,
    name: &str,
    is_recursive: bool,
    less: impl Fn(&'static str) -> &'static str,
) -> String {
    let (variables, numbers) = (["p", "q", "r"], ["i", "j"]);
    let (x, y) = (decisions.pick(&variables), decisions.pick(&variables));
    let (i, j) = (decisions.pick(&numbers), decisions.pick(&numbers));
    let callee = if is_recursive { decisions.pick(&["f", "g"]) } else { "f" };
    match decisions.below(13) {
        0 => format!("{x} = {y};"),
        1 => format!("if ({x} != null) {{ {y} = {x}->n; }}"),
        2 => format!("if ({x} != null) {{ {x}->n = {y}; }}"),
        3 => format!("if ({x} != null) {{ {x}->n = null; }}"),
        4 => format!("{x} = new zeroed node;"),
        5 => format!("{x} = new node; {x}->n = {y};"),
        6 | 7 if is_recursive || name == "g" => format!("if (*) {{ {x} = {callee}({y}, {x}, {i}); }}"),
        6 => format!("{i} = nondet(0, 3);"),
        7 => format!("{i} = {j};"),
        8 => format!("if ({x} != null) {{ {x}->d = {i}; }}"),
        9 => format!("if ({x} != null) {{ {i} = {x}->d; }}"),
        10 => format!("if ({i} {} {j}) {{ {x} = {y}; }}", less("<")),
        11 => format!("if ({i} {} {j}) {{ {i} = {j}; }} else {{ {j} = nondet(0, 2); }}", less("<=")),
        _ => format!("if ({x} == {y}) {{ {x} = null; }}"),
    }
}

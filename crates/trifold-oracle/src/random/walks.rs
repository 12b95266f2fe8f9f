//! Walks down search trees that compare at each node.

use super::Decisions;

/// Random statements on the nodes of trees, between and inside walks that compare.
pub fn random_walks(decisions: &[u8]) -> String {
    let mut decisions = Decisions::new(decisions);
    let mut text = "struct node { node *a; node *b; i32 d; }\n".to_string();
    for name in ["f", "g"] {
        text += &format!("proc {name}(node *p, node *q, i32 i) -> node *r {{ i32 j; j = 1; r = null;\n");
        let walks = decisions.below(3) > 0;
        if walks {
            text += "  while (p != null) { j = p->d; if (i == j) { r = p; return; }\n";
            text += if decisions.below(2) == 0 { "  q = p;\n" } else { "" };
        }
        for _ in 0..1 + decisions.below(5) {
            text += &format!("  {}\n", statement(&mut decisions, name));
        }
        if walks {
            text += "  if (p != null) { if (i < j) { p = p->a; } else { p = p->b; } } }\n";
        }
        text += "}\n";
    }
    text + MAIN
}

const MAIN: &str = "entry proc main() { node *x; node *y; node *z; i32 c; i32 d; \
    x = new zeroed node; y = new zeroed node; x->a = y; y = new zeroed node; x->b = y; \
    c = nondet(0, 2); x->d = c; d = nondet(0, 3); y->d = d; z = f(x, y, c); y = null; \
    if (*) { z = g(x, z, d); } if (z != null) { y = z->a; if (y != null) { c = z->d; d = y->d; assert(d < c); } } }";

fn statement(decisions: &mut Decisions<'_>, name: &str) -> String {
    let (variables, links, numbers) = (["p", "q", "r"], ["a", "b"], ["i", "j"]);
    let (x, y) = (decisions.pick(&variables), decisions.pick(&variables));
    let (n, m) = (decisions.pick(&links), decisions.pick(&links));
    let (i, j) = (decisions.pick(&numbers), decisions.pick(&numbers));
    match decisions.below(11) {
        0 => format!("if ({x} != null) {{ {y} = {x}->{n}; }}"),
        1 => format!("if ({x} != null) {{ {x}->{n} = {y}; }}"),
        2 => format!("if ({x} != null) {{ {x}->{n} = null; }}"),
        3 => format!("{x} = new zeroed node; {x}->{n} = {y};"),
        4 => format!("if ({x} != null) {{ {x}->d = {i}; }}"),
        5 => format!("if ({x} != null) {{ {i} = {x}->d; if ({i} < {j}) {{ {x}->{n} = null; }} }}"),
        6 => format!("if ({i} < {j}) {{ {x} = {y}; }} else {{ {j} = nondet(0, 2); }}"),
        7 => format!("if ({x} != null) {{ if ({y} != null) {{ {x}->{n} = null; {y}->{m} = {x}; }} }}"),
        8 if name == "g" => format!("if (*) {{ {x} = f({y}, {x}, {i}); }}"),
        9 => format!("if ({x} == {y}) {{ {x} = null; }}"),
        _ => format!("{x} = {y};"),
    }
}

//! Small random programs about lists, of which many are proved and many fail.

use crate::differential::random::Random;

/// Statements; `P` stands for the name of the program, and `X` and `Y` for variables.
const STATEMENTS: [&str; 24] = [
    "X = new PN(3);",
    "X = new PM(4);",
    "X = Y;",
    "X = null;",
    "X.next = Y;",
    "if (X != null) { X.next = Y; }",
    "if (X != null) { X = X.next; }",
    "X = X.next;",
    "if (X != null && X.next == Y) { note(X.v); }",
    "note(i);",
    "i += 3;",
    "i = (byte) (i * 50);",
    "j = i > 2 ? 1 : 0;",
    "i = i / (j + 1);",
    "assert i < 100;",
    "assert X != Y || i > 0;",
    "while (X != null && i < 5) { X = X.next; i++; }",
    "for (int k = 0; k < 3; k++) { PN t = new PN(k); t.next = X; X = t; }",
    "int[] aN = new int[2]; aN[i & 1] = j; note(aN[0]);",
    "if (X instanceof PM) { Y = (PM) X; }",
    "Y = (PM) X;",
    "if (X != null) { i = X.get(i); }",
    "i = X == null ? 7 : X.v;",
    "X = new PN(i).with(Y);",
];

/// A program.
pub fn program(mut random: Random, prefix: &str) -> String {
    let mut body = String::new();
    for number in 0..3 + random.below(6) {
        let (x, y) = (random.one_of(&["p", "q"]), random.one_of(&["p", "q"]));
        let statement = random.one_of(&STATEMENTS).replace('X', x).replace('Y', y);
        body += &format!("        {}\n", statement.replace("aN", &format!("a{number}")));
    }
    let text = format!(
        "class P {{
    static void note(int value) {{ System.out.println(\"int \" + value); }}
    static void note(boolean value) {{ System.out.println(\"boolean \" + (value ? 1 : 0)); }}
    public static void main() {{
        PN p = null, q = new PN(1);
        int i = {}, j = 0;
{body}        note(i);
        note(p == q);
    }}
}}
class PN {{
    PN next;
    int v;
    PN(int v) {{ this.v = v; }}
    int get(int x) {{ return v + x; }}
    PN with(PN other) {{ next = other; return this; }}
}}
class PM extends PN {{
    PM(int v) {{ super(v + 1); }}
    int get(int x) {{ return next.v - x; }}
}}
",
        random.below(4)
    );
    rename(&text, prefix)
}

/// Names of classes begin with that of the program.
fn rename(text: &str, prefix: &str) -> String {
    let mut words = text.replace("PN", &format!("{prefix}N")).replace("PM", &format!("{prefix}M"));
    words = words.replace("class P ", &format!("class {prefix} "));
    words
}

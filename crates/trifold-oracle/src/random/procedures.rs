//! Procedures that call each other at random, with statements that do not go wrong at once.

use super::Decisions;

/// Statements on lists. `X` and `Y` are variables, `F` is a procedure.
pub const ON_LISTS: [&str; 10] = [
    "X = Y;",
    "if (X != null) { Y = X->n; }",
    "if (X != null) { X->n = Y; }",
    "if (X != null) { X->n = null; }",
    "X = new zeroed node;",
    "if (*) { X = F(Y, null); }",
    "if (*) { X = F(Y, X); }",
    "if (X != null) { free(X); X = null; }",
    "if (X == Y) { X = null; }",
    "if (*) { stop; }",
];

/// Statements on objects with two links, globals and the stack.
pub const ON_GRAPHS: [&str; 7] = [
    "if (X != null) { Y = X->m; }",
    "if (X != null) { X->m = Y; }",
    "if (X != null) { X->n = Y; }",
    "if (X != null) { X->m = null; }",
    "g = X;",
    "X = g;",
    "X = stack node; X->n = null; X->m = null;",
];

/// Statements on an object of static memory that a global variable holds.
const ON_STATICS: [&str; 4] = ["X = top;", "top->n = X;", "X = top->n;", "top->n = null;"];

/// Statements on an object of each call, on the stack.
const ON_THE_STACK: [&str; 6] =
    ["X = own;", "own->n = X;", "X = own->n;", "own->n = null;", "if (*) { X = F(own, Y); }", "X = stack zeroed node;"];

const MAIN: &str = "entry proc main() { node *x; node *y; node *z; x = new zeroed node; y = new zeroed node; x->n = y; \
    z = f(x, y); if (*) { y = g(z, x); } while (z != null) { z = z->n; if (*) { return; } } \
    while (x != null) { x = x->n; if (*) { return; } } }\n";

/// Procedures that call each other, with random statements of these on three variables, and a procedure that calls
/// them.
pub fn random_procedures(decisions: &[u8], statements: &[&str]) -> String {
    let mut decisions = Decisions::new(decisions);
    let link = if statements.iter().any(|statement| statement.contains("->m")) { " node *m;" } else { "" };
    let mut text = format!("struct node {{ node *n;{link} }}\nglobal node *g;\n");
    for name in ["f", "g"] {
        text += &random_procedure(name, &mut decisions, statements);
    }
    text + MAIN
}

/// Procedures on lists that see an object of static memory.
pub fn random_procedures_with_statics(decisions: &[u8]) -> String {
    let text = random_procedures(decisions, &[&ON_LISTS[..], &ON_STATICS].concat());
    let locals = "{ node *x; node *y; node *z;";
    text.replace("global node *g;", "global node *g; global node *top;")
        .replace(locals, &format!("{locals} top = static zeroed node;"))
}

/// Procedures on lists of which each has an object on the stack.
pub fn random_procedures_on_the_stack(decisions: &[u8]) -> String {
    let text = random_procedures(decisions, &[&ON_LISTS[..], &ON_THE_STACK].concat());
    text.replace("-> node *r { r = null;", "-> node *r { node *own; r = null; own = stack zeroed node;")
        .replace("x = new zeroed node;", "x = stack zeroed node;")
}

/// A program twice: with an unknown function, and with the body of that function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// The program that calls the unknown function.
    pub unknown: String,
    /// The same procedures in the same order, and after them the function.
    pub known: String,
}

/// Procedures that call an unknown function, and a random body of it.
pub fn random_unknown(decisions: &[u8]) -> Unknown {
    let statements = [&ON_LISTS[..], &ON_GRAPHS, &["X = unknown e(Y, X);", "unknown e(X, Y);"]].concat();
    let (of_program, of_function) = decisions.split_at(decisions.len() * 2 / 3);
    let unknown = random_procedures(of_program, &statements);
    // The function calls none of the others.
    let without_calls = [&ON_LISTS[..5], &ON_LISTS[7..], &ON_GRAPHS].concat();
    let function = random_procedure("e", &mut Decisions::new(of_function), &without_calls);
    let known = format!("{}{function}", unknown.replace("unknown e", "e"));
    Unknown { unknown, known }
}

fn random_procedure(name: &str, decisions: &mut Decisions<'_>, statements: &[&str]) -> String {
    let mut text = format!("proc {name}(node *p, node *q) -> node *r {{ r = null;\n");
    for _ in 0..2 + decisions.below(6) {
        let (x, y) = (decisions.pick(&["p", "q", "r"]), decisions.pick(&["p", "q", "r"]));
        let (callee, statement) = (decisions.pick(&["f", "g"]), decisions.pick(statements));
        text += &format!("  {}\n", statement.replace('X', x).replace('Y', y).replace('F', callee));
    }
    text + "}\n"
}

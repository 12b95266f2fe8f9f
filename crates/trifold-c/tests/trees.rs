//! The trees that come out: places and loads, conversions, resolved names, paths of initializers, labels.

use trifold_c::{
    DeclarationKind, Expr, ExprKind, Function, Initializer, Label, Loaded, PathStep, Program, Stmt, StmtKind, Storage,
    Type,
};

fn loaded(text: &str) -> Loaded {
    trifold_c::load("test.c", text).unwrap_or_else(|failure| panic!("{}", failure.render(false)))
}

/// An expression in words: `Load(Member(Deref(Load(p)), next))`.
fn words(program: &Program, expr: &Expr) -> String {
    let w = |inner: &Expr| words(program, inner);
    match &expr.kind {
        ExprKind::Integer(value) => value.to_string(),
        ExprKind::Name(id) => program.text(program.declaration(*id).name.unwrap()).to_string(),
        ExprKind::Load(place) => format!("Load({})", w(place)),
        ExprKind::Decay(place) => format!("Decay({})", w(place)),
        ExprKind::AddressOf(place) => format!("AddressOf({})", w(place)),
        ExprKind::Deref(pointer) => format!("Deref({})", w(pointer)),
        ExprKind::Index(pointer, index) => format!("Index({}, {})", w(pointer), w(index)),
        ExprKind::Member(base, index) => {
            let Type::Record(id) = program.types.get(base.ty) else { panic!() };
            let name = program.types.record(*id).members.as_ref().unwrap()[*index].name;
            format!("Member({}, {})", w(base), name.map_or("", |name| program.text(name)))
        }
        ExprKind::Convert { operand, .. } => format!("Convert({}, {})", w(operand), program.show(expr.ty)),
        ExprKind::Binary(operator, a, b) => format!("({} {} {})", w(a), operator.text(), w(b)),
        ExprKind::PointerOffset { pointer, index, backwards } => {
            format!("Offset({}, {}{})", w(pointer), if *backwards { "-" } else { "" }, w(index))
        }
        ExprKind::Assign(place, value) => format!("{} := {}", w(place), w(value)),
        ExprKind::CompoundAssign { operator, place, value, computed } => {
            format!("{} {}:= {} as {}", w(place), operator.text(), w(value), program.show(*computed))
        }
        ExprKind::Call(callee, arguments) => {
            format!("{}({})", w(callee), arguments.iter().map(w).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Conditional(test, middle, otherwise) => {
            format!("({} ? {} : {})", w(test), middle.as_deref().map(w).unwrap_or_default(), w(otherwise))
        }
        other => format!("{other:?}"),
    }
}

fn statements(function: &Function) -> &[Stmt] {
    &function.body.statements
}

/// The expression statements of the last function, in words.
fn in_words(text: &str) -> Vec<String> {
    let program = loaded(text).program;
    let function = program.functions.last().unwrap();
    let expression = |statement: &Stmt| match &statement.kind {
        StmtKind::Expr(expr) => Some(words(&program, expr)),
        _ => None,
    };
    statements(function).iter().filter_map(expression).collect()
}

const LIST: &str = "struct list { struct list *next; int data; struct { char tag; }; } *p, *q, node; int n, a[3];
    unsigned char c; struct list *pop(struct list *); double d;";

#[test]
fn places_are_loaded_where_their_value_is_used() {
    let found =
        in_words(&format!("{LIST} void f(void) {{ p = p->next; p->next->data = n; node = *p; n = node.tag; }}"));
    let expected = [
        "p := Load(Member(Deref(Load(p)), next))",
        "Member(Deref(Load(Member(Deref(Load(p)), next))), data) := Load(n)",
        "node := Load(Deref(Load(p)))",
        "n := Convert(Load(Member(Member(node, ), tag)), int)",
    ];
    assert_eq!(found, expected);
}

#[test]
fn arrays_and_functions_decay() {
    let found = in_words(&format!("{LIST} void f(void) {{ n = a[1]; p = pop(&node); p = (*pop)(q); a[n] = *a; }}"));
    let expected = [
        "n := Load(Index(Decay(a), 1))",
        "p := Decay(pop)(AddressOf(node))",
        "p := Decay(Deref(Decay(pop)))(Load(q))",
        "Index(Decay(a), Load(n)) := Load(Deref(Decay(a)))",
    ];
    assert_eq!(found, expected);
}

#[test]
fn conversions_are_explicit() {
    let found = in_words(&format!("{LIST} void f(void) {{ n = c + 1; p = 0; n = p == 0; c += d; p += 2; c <<= n; }}"));
    let expected = [
        "n := (Convert(Load(c), int) + 1)",
        "p := Convert(0, struct list *)",
        "n := (Load(p) == Convert(0, struct list *))",
        "c +:= Load(d) as double",
        "p +:= 2 as struct list *",
        "c <<:= Load(n) as int",
    ];
    assert_eq!(found, expected);
}

#[test]
fn names_are_resolved_by_scope() {
    let text = "int x; extern int y; void f(int x) { x; { long x; x; extern int y; y; } } void g(void) { x; }";
    let program = loaded(text).program;
    let mut found = Vec::new();
    fn visit(program: &Program, statements: &[Stmt], found: &mut Vec<(String, DeclarationKind)>) {
        for statement in statements {
            match &statement.kind {
                StmtKind::Block(block) => visit(program, &block.statements, found),
                StmtKind::Expr(Expr { kind: ExprKind::Load(place), .. }) => {
                    let ExprKind::Name(id) = place.kind else { panic!() };
                    found.push((program.show(place.ty), program.declaration(id).kind));
                }
                _ => {}
            }
        }
    }
    program.functions.iter().for_each(|function| visit(&program, statements(function), &mut found));
    let variable = DeclarationKind::Variable;
    let expected = [
        ("int".to_string(), DeclarationKind::Parameter),
        ("long".to_string(), variable(Storage::Automatic)),
        ("int".to_string(), variable(Storage::External)),
        ("int".to_string(), variable(Storage::External)),
    ];
    assert_eq!(found, expected);
}

fn paths(initializer: &Initializer) -> Vec<Vec<PathStep>> {
    initializer.entries.iter().map(|entry| entry.path.clone()).collect()
}

#[test]
fn initializers_name_the_parts_that_they_fill() {
    use PathStep::{Element, Elements, Member};
    let text = "struct p { int x, y; }; struct l { struct p from, to; } a[] = { 1, 2, 3, [2].to = { .y = 1 }, [3 ... 4] = { { 5 } } };
        struct l b = { .from.y = 1, 2 }; int c = 3;";
    let program = loaded(text).program;
    let found: Vec<_> = program.globals.iter().map(|global| paths(global.initializer.as_ref().unwrap())).collect();
    let first = vec![
        vec![Element(0), Member(0), Member(0)],
        vec![Element(0), Member(0), Member(1)],
        vec![Element(0), Member(1), Member(0)],
        vec![Element(2), Member(1), Member(1)],
        vec![Elements(3, 4), Member(0), Member(0)],
    ];
    assert_eq!(found, [first, vec![vec![Member(0), Member(1)], vec![Member(1), Member(0)]], vec![vec![]]]);
}

#[test]
fn labels_and_cases_have_values() {
    let text = "void f(char c) { switch (c) { case 1: case 'a' ... 'c': x: default: goto x; } }";
    let program = loaded(text).program;
    let StmtKind::Switch(value, body) = &statements(&program.functions[0])[0].kind else { panic!() };
    assert_eq!(program.show(value.ty), "int");
    let StmtKind::Block(block) = &body.kind else { panic!() };
    let StmtKind::Labeled(labels, target) = &block.statements[0].kind else { panic!() };
    let StmtKind::Goto(x) = target.kind else { panic!() };
    assert_eq!(*labels, [Label::Case(1, 1), Label::Case(97, 99), Label::Named(x), Label::Default]);
    assert_eq!(program.text(program.functions[0].labels[x.index()].name), "x");
}

#[test]
fn types_are_shown_as_they_are_written() {
    let text = "int *(*f)(const char *, ...), (*g)[3], **h, *i[2]; union u *j; void k(void); const int *const l;";
    let program = loaded(text).program;
    let shown = |name: &str| {
        let declaration = program.declarations.iter().rfind(|d| d.name.is_some_and(|n| program.text(n) == name));
        program.show(declaration.unwrap().ty)
    };
    let found: Vec<String> = ["f", "g", "h", "i", "j", "k", "l"].map(shown).into();
    let expected = ["int *(*)(const char *, ...)", "int (*)[3]", "int **", "int *[2]", "union u *", "void (void)"];
    assert_eq!(found[..6], expected);
    assert_eq!(found[6], "const int *const");
}

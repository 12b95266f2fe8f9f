//! Checkers run: those of `trifold/checkers.h`, and functions that use them, compiled by the C compiler of the system.

use std::path::PathBuf;
use std::process::Command;
use trifold_examples::c::{directory, headers};
use trifold_examples::tools::c_compiler;

/// All bundled checkers on structures that satisfy them, and on some that do not.
const ALL: &str = r#"
#include <assert.h>
#include "trifold/checkers.h"
struct s { struct s *next; };
struct d { struct d *next, *prev; };
struct t { struct t *left, *right, *parent; };
struct k { struct k *next, *far; };
struct r { struct r *next; struct s *items; };
TRIFOLD_LIST(list, struct s, next)
TRIFOLD_SEGMENT(segment, struct s, next)
TRIFOLD_DLL(dll, struct d, next, prev)
TRIFOLD_DLL_SEGMENT(piece, struct d, next, prev)
TRIFOLD_CIRCULAR(circle, struct s, next)
TRIFOLD_CIRCULAR_DLL(ring, struct d, next, prev)
TRIFOLD_TREE(tree, struct t, left, right)
TRIFOLD_TREE_WITH_PARENT(parents, struct t, left, right, parent)
TRIFOLD_SKIP_LIST(skips, struct k, next, far)
TRIFOLD_LISTS(rows, struct r, next, items, list)
int main(void)
{
    struct s a = { NULL }, b = { &a }, c = { &b };
    assert(list(NULL) && list(&a) && list(&c));
    assert(segment(&c, &a) && segment(&a, &a) && !segment(&a, &c));
    a.next = &c;
    assert(circle(NULL) && circle(&a) && circle(&b) && segment(&c, &a));
    a.next = NULL;
    assert(!circle(&c));

    struct d x = { NULL, NULL }, y = { &x, NULL };
    assert(dll(NULL, NULL) && !dll(&y, NULL));
    x.prev = &y;
    assert(dll(&y, NULL) && !dll(&y, &x) && dll(&x, &y) && piece(&y, NULL, NULL, &x) && piece(&y, NULL, &x, &y));
    assert(!piece(&y, NULL, NULL, &y) && !ring(&y));
    x.next = &y;
    y.prev = &x;
    assert(ring(&x) && ring(&y));

    struct t l = { NULL, NULL, NULL }, m = { &l, NULL, NULL };
    assert(tree(&m) && !parents(&m, NULL));
    l.parent = &m;
    assert(parents(&m, NULL) && !parents(&m, &l));

    struct k end = { NULL, NULL }, low = { &end, NULL }, high = { &low, &end };
    assert(skips(&high) && skips(&end));
    low.far = &end;
    assert(!skips(&high));

    struct r second = { NULL, &c }, first = { &second, NULL };
    assert(rows(&first) && rows(NULL));
    return 0;
}
"#;

/// Examples, and how their functions are called.
const CALLED: [(&str, &str); 8] = [
    ("list_reverse.c", "struct node *x = LIST(n); x = reverse(x); assert(count(x) == n);"),
    ("list_remove.c", "struct node *x = LIST(n); x = remove_element(x, 1); assert(count(x) == (n > 1 ? n - 1 : n));"),
    ("insertion_sort.c", "struct node *x = LIST(n); x = sort(x); assert(count(x) == n);"),
    ("sll_copy_recursive.c", "struct node *x = LIST(n); struct node *y = copy(x); assert(count(y) == n);"),
    ("sll_insert_recursive.c", "struct node *x = LIST(n); x = insert(x, 2); assert(count(x) == n + 1);"),
    ("sll_delete_recursive.c", "struct node *x = LIST(n); x = delete(x, 0); assert(count(x) == (n > 0 ? n - 1 : 0));"),
    ("tree_insert_recursive.c", "struct tree *t = NULL; for (int i = 0; i < n; i++) t = insert(t, i * 7 % 5);"),
    ("parent_insert.c", "struct tree *t = NULL; for (int i = 0; i < n; i++) t = insert(t, i * 7 % 5);"),
];

/// Makes lists, whose values descend to 0, and counts.
const LISTS: &str = "
static struct node *LIST(int n)
{
    struct node *x = NULL;
    for (int i = 0; i < n; i++) { struct node *t = malloc(sizeof *t); t->value = i; t->next = x; x = t; }
    return x;
}
static int count(struct node *x) { int n = 0; for (; x != NULL; x = x->next) n++; return n; }
";

/// Compiles and runs a program, and says whether it comes to its end; nothing if there is no compiler.
fn run(name: &str, text: &str) -> Option<bool> {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (place.join(format!("{name}.main.c")), place.join(format!("{name}.out")));
    std::fs::write(&source, text).expect("a file can be written");
    let mut command = Command::new(c_compiler()?);
    command.args(["-std=c11", "-w", "-I"]).arg(headers()).arg("-o").arg(&binary).arg(&source);
    let compiled = command.output().expect("the compiler runs");
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
    Some(Command::new(&binary).output().expect("it runs").status.success())
}

#[test]
fn bundled_checkers_run() {
    assert_ne!(run("bundled", ALL), Some(false));
}

#[test]
fn functions_with_checkers_run() {
    for (file, call) in CALLED {
        let path = directory().join("checkers").join(file);
        let lists = if call.contains("LIST(") { LISTS } else { "" };
        let main = format!("int main(void) {{ for (int n = 0; n < 6; n++) {{ {call} }} return 0; }}");
        let text = format!("#include \"{}\"\n{lists}{main}", path.display());
        assert_ne!(run(file, &text), Some(false), "{file}");
    }
}

/// Assertions are evaluated: a twin with a bug stops.
#[test]
fn a_bug_is_noticed_when_it_runs() {
    let path = directory().join("checkers/dll_append_recursive_bug.c");
    let main = "int main(void) { struct node *x = append(NULL, NULL, 1); append(x, NULL, 2); return 0; }";
    assert_ne!(run("twin", &format!("#include \"{}\"\n{main}", path.display())), Some(true));
}

//! The text of translations.

use crate::support::translated;

fn shown(text: &str) -> String {
    let program = translated("test.c", text);
    let printed = trifold_ir::print(&program);
    let (reread, _) =
        trifold_ir::parse("printed", &printed).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    assert_eq!(trifold_ir::print(&reread), printed);
    printed
}

/// A program that takes no addresses has nothing but its own variables and fields.
#[test]
fn reversing_a_list_is_as_in_the_papers() {
    insta::assert_snapshot!(shown(
        "struct node { struct node *n; int d; };
         struct node *reverse(struct node *x) {
             struct node *y = 0, *t;
             while (x) { t = y; y = x; x = x->n; y->n = t; }
             return y;
         }"
    ));
}

/// A member whose address is taken is an object of its own, and so is a variable.
#[test]
fn what_has_an_address_is_an_object() {
    insta::assert_snapshot!(shown(
        "struct node { int d; struct node *n; };
         void append(struct node **at, struct node *x) { while (*at) at = &(*at)->n; *at = x; }
         int main(void) { struct node *l = 0, x = {0}; append(&l, &x); return l->d; }"
    ));
}

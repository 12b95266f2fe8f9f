// Merges sorted lists after an element on the stack, so that there is always one to append to.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *build(void)
{
    struct node *list = NULL;
    int key = 100;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        key -= __VERIFIER_nondet_int() != 0;
        n->key = key;
        n->next = list;
        list = n;
    }
    return list;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node start;
    struct node *last = &start;

    start.next = NULL;
    while (a != NULL && b != NULL) {
        struct node **smaller = a->key <= b->key ? &a : &b;
        last->next = *smaller;
        last = *smaller;
        *smaller = last->next;
    }
    last->next = a != NULL ? a : b;
    return start.next;
}

int main(void)
{
    struct node *a = build();
    struct node *b = build();
    struct node *n;

    for (n = merge(a, b); n != NULL; n = a) {
        a = n->next;
        free(n);
    }
    return 0;
}

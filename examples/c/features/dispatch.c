// A container that can be a stack or a queue: its operation is a function pointer in a struct.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct container {
    struct node *first;
    void (*put)(struct container *, struct node *);
};

static void put_first(struct container *c, struct node *n)
{
    n->next = c->first;
    c->first = n;
}

static void put_last(struct container *c, struct node *n)
{
    struct node *last = c->first;

    n->next = NULL;
    if (last == NULL) {
        c->first = n;
        return;
    }
    while (last->next != NULL)
        last = last->next;
    last->next = n;
}

int main(void)
{
    struct container c;

    c.first = NULL;
    if (__VERIFIER_nondet_int())
        c.put = put_first;
    else
        c.put = put_last;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        c.put(&c, n);
    }
    while (c.first != NULL) {
        struct node *n = c.first;
        c.first = n->next;
        free(n);
    }
    return 0;
}

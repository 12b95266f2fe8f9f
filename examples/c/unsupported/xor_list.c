// A doubly linked list with one link per element: the bits of the two addresses, combined.
//
// expect: not-analysed at 27
#include <stdint.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    uintptr_t both;
};

static struct node *other(const struct node *n, const struct node *from)
{
    return (struct node *)(n->both ^ (uintptr_t)from);
}

int main(void)
{
    struct node *last = NULL;
    struct node *before = NULL;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->both = (uintptr_t)last;
        if (last != NULL)
            last->both ^= (uintptr_t)n;
        last = n;
    }
    while (last != NULL) {
        struct node *next = other(last, before);
        free(before);
        before = last;
        last = next;
    }
    free(before);
    return 0;
}

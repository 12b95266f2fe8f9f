// Contracts with checkers that are written in the program: an element is taken out from within a list.
//
// expect: null-dereference at 37
// twin of: segment.c — nothing may be found
#include <stdlib.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

int __VERIFIER_nondet_int(void);

TRIFOLD_LIST(items, struct node, next)
TRIFOLD_SEGMENT(segment, struct node, next)

/*@ requires items(from);
    ensures segment(from, \result) && items(\result); */
struct node *find(struct node *from, int value)
{
    while (from != NULL && from->value != value)
        from = from->next;
    return from;
}

int main(void)
{
    struct node *all = NULL, *found;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = all;
        all = n;
    }
    found = find(all, 7);
    found->value = 8;
    while (all != NULL) {
        struct node *next = all->next;
        free(all);
        all = next;
    }
    return 0;
}

// Walks around a circular list.
//
// expect: null-dereference at 23
// twin of: circular_walk.c — there may be no element
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_CIRCULAR(circle, struct node, next)

int sum(struct node *start)
{
    int total = 0;
    struct node *p;

    trifold_assume(circle(start));
    p = start;
    do {
        total += p->value;
        p = p->next;
    } while (p != start);
    assert(circle(start));
    return total;
}

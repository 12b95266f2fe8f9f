// Walks around a circular doubly linked list, backwards.
//
// expect: null-dereference at 22
// twin of: ring_walk.c — there may be no element
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_CIRCULAR_DLL(ring, struct node, next, prev)

int sum(struct node *start)
{
    int total = 0;
    struct node *p;

    trifold_assume(ring(start));
    p = start->prev;
    while (p != start) {
        total += p->value;
        p = p->prev;
    }
    assert(ring(start));
    return total;
}

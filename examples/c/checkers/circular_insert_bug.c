// Inserts an element into a circular list.
//
// expect: assertion at 29
// twin of: circular_insert.c — the first element does not close the circle
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_CIRCULAR(circle, struct node, next)

struct node *insert(struct node *p, int value)
{
    struct node *n;

    trifold_assume(circle(p));
    n = malloc(sizeof *n);
    n->value = value;
    if (p == NULL) {
        n->next = NULL;
        p = n;
    } else {
        n->next = p->next;
        p->next = n;
    }
    assert(circle(p));
    return p;
}

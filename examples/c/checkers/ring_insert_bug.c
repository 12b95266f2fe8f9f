// Inserts an element into a circular doubly linked list.
//
// expect: assertion at 33
// twin of: ring_insert.c — the order of two updates is wrong, so the element after it leads back past the new one
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_CIRCULAR_DLL(ring, struct node, next, prev)

struct node *insert(struct node *p, int value)
{
    struct node *n;

    trifold_assume(ring(p));
    n = malloc(sizeof *n);
    n->value = value;
    if (p == NULL) {
        n->next = n;
        n->prev = n;
        p = n;
    } else {
        n->next = p->next;
        n->prev = p;
        p->next = n;
        p->next->prev = n;
    }
    assert(ring(p));
    return p;
}

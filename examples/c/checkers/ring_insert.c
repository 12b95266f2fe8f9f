// Inserts an element into a circular doubly linked list.
//
// expect: proved
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
        p->next->prev = n;
        p->next = n;
    }
    assert(ring(p));
    return p;
}

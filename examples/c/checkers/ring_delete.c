// Deletes the element after a given one of a circular doubly linked list.
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

struct node *delete_next(struct node *p)
{
    struct node *n;

    trifold_assume(ring(p));
    if (p == NULL)
        return NULL;
    n = p->next;
    n->prev->next = n->next;
    n->next->prev = n->prev;
    if (n == p)
        p = NULL;
    free(n);
    assert(ring(p));
    return p;
}

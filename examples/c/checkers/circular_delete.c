// Deletes the element after a given one of a circular list.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_CIRCULAR(circle, struct node, next)

struct node *delete_next(struct node *p)
{
    struct node *next;

    trifold_assume(circle(p));
    if (p == NULL)
        return NULL;
    next = p->next;
    if (next == p) {
        free(p);
        return NULL;
    }
    p->next = next->next;
    free(next);
    assert(circle(p));
    return p;
}

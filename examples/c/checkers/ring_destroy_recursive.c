// Frees a circular doubly linked list by recursion, backwards.
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

static void destroy_up_to(struct node *p, struct node *end)
{
    struct node *prev;

    if (p == end)
        return;
    prev = p->prev;
    free(p);
    destroy_up_to(prev, end);
}

void destroy(struct node *start)
{
    trifold_assume(ring(start));
    if (start == NULL)
        return;
    destroy_up_to(start->prev, start);
    free(start);
}

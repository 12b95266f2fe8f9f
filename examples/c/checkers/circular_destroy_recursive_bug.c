// Frees a circular list by recursion.
//
// expect: use-after-free at 21
// twin of: circular_destroy_recursive.c — the first element is freed before it is come to again
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_CIRCULAR(circle, struct node, next)

static void destroy_up_to(struct node *p, struct node *end)
{
    struct node *next;

    if (p == end)
        return;
    next = p->next;
    free(p);
    destroy_up_to(next, end);
}

void destroy(struct node *start)
{
    trifold_assume(circle(start));
    if (start == NULL)
        return;
    destroy_up_to(start->next, NULL);
}

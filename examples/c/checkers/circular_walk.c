// Walks around a circular list.
//
// expect: proved
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
    if (start == NULL)
        return 0;
    p = start;
    do {
        total += p->value;
        p = p->next;
    } while (p != start);
    assert(circle(start));
    return total;
}

// Walks over a piece of a list, up to an element of it.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)
TRIFOLD_SEGMENT(segment, struct node, next)

int walk(struct node *from, struct node *to)
{
    int sum = 0;
    struct node *p;

    trifold_assume(segment(from, to) && list(to));
    for (p = from; p != to; p = p->next)
        sum += p->value;
    assert(list(from));
    return sum;
}

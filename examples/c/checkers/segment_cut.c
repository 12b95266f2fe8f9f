// Frees the elements between two elements of a list.
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

void cut(struct node *from, struct node *to)
{
    struct node *p;

    trifold_assume(segment(from, to) && list(to));
    if (from == to)
        return;
    p = from->next;
    while (p != to) {
        struct node *next = p->next;
        free(p);
        p = next;
    }
    from->next = to;
    assert(list(from));
}

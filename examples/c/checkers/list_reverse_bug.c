// Reverses a list in place.
//
// expect: leak at 21
// twin of: list_reverse.c — the link is read after it was turned round
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *reverse(struct node *x)
{
    struct node *y = NULL;

    trifold_assume(list(x));
    while (x != NULL) {
        x->next = y;
        struct node *next = x->next;
        y = x;
        x = next;
    }
    assert(list(y));
    return y;
}

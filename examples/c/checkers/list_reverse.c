// Reverses a list in place.
//
// expect: proved
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
        struct node *next = x->next;
        x->next = y;
        y = x;
        x = next;
    }
    assert(list(y));
    return y;
}

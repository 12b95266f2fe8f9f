// Merges two lists.
//
// expect: null-dereference at 22
// twin of: sll_merge.c — there may be nothing left of the second list
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *merge(struct node *a, struct node *b)
{
    struct node *result = NULL, *last = NULL;

    trifold_assume(list(a) && list(b));
    while (a != NULL || b != NULL) {
        struct node *n;
        if (a != NULL && a->value < b->value) {
            n = a;
            a = a->next;
        } else {
            n = b;
            b = b->next;
        }
        n->next = NULL;
        if (last == NULL)
            result = n;
        else
            last->next = n;
        last = n;
    }
    assert(list(result));
    return result;
}

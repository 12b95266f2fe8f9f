// Puts one list after another.
//
// expect: assertion at 26
// twin of: sll_concat.c — the list is put after itself
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *concat(struct node *first, struct node *second)
{
    struct node *last;

    trifold_assume(list(first) && list(second));
    if (first == NULL)
        return second;
    last = first;
    while (last->next != NULL)
        last = last->next;
    last->next = first;
    assert(list(first));
    return first;
}

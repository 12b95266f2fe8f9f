// Puts one list after another.
//
// expect: proved
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
    last->next = second;
    assert(list(first));
    return first;
}

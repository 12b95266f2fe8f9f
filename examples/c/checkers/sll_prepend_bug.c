// Puts a new element in front of a list.
//
// expect: assertion at 23
// twin of: sll_prepend.c — the new element leads to itself
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *prepend(struct node *head, int value)
{
    struct node *n;

    trifold_assume(list(head));
    n = malloc(sizeof *n);
    n->value = value;
    n->next = n;
    assert(list(n));
    return n;
}

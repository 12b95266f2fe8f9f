// Copies a list by recursion.
//
// expect: assertion at 28
// twin of: sll_copy_recursive.c — the end of the copy has no value
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *copy(struct node *head)
{
    struct node *n, *rest;

    trifold_assume(list(head));
    if (head == NULL)
        return NULL;
    rest = copy(head->next);
    n = malloc(sizeof *n);
    n->value = head->value;
    if (rest != NULL)
        n->next = rest;
    assert(list(head));
    assert(list(n));
    return n;
}

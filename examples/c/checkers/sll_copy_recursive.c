// Copies a list by recursion.
//
// expect: proved
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
    n->next = rest;
    assert(list(head) && list(n));
    return n;
}

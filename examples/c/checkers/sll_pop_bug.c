// Takes the first element off a list, if there is one.
//
// expect: null-dereference at 20
// twin of: sll_pop.c — the list may be empty
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *pop(struct node *head)
{
    struct node *rest;

    trifold_assume(list(head));
    rest = head->next;
    free(head);
    assert(list(rest));
    return rest;
}

// Copies a list.
//
// expect: leak at 28
// twin of: sll_copy.c — elements after the first one are lost
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *copy(struct node *head)
{
    struct node *result = NULL, *last = NULL, *p;

    trifold_assume(list(head));
    for (p = head; p != NULL; p = p->next) {
        struct node *n = malloc(sizeof *n);
        n->value = p->value;
        n->next = NULL;
        if (last == NULL)
            result = n;
        else
            last->value++;
        last = n;
    }
    assert(list(head));
    assert(list(result));
    return result;
}

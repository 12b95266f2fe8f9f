// Deletes a value from a list by recursion.
//
// expect: assertion at 28
// twin of: sll_delete_recursive.c — the link to the deleted element stays
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *delete(struct node *head, int value)
{
    struct node *next;

    trifold_assume(list(head));
    if (head == NULL)
        return NULL;
    next = head->next;
    if (head->value == value) {
        free(head);
        return next;
    }
    delete(next, value);
    assert(list(head));
    return head;
}

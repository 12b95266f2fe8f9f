// Deletes a value from a list by recursion.
//
// expect: proved
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
    head->next = delete(next, value);
    assert(list(head));
    return head;
}

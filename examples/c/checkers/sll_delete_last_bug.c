// Deletes the last element of a list.
//
// expect: assertion at 30
// twin of: sll_delete_last.c — the only element is not taken off
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *delete_last(struct node *head)
{
    struct node *p, *before = NULL;

    trifold_assume(list(head));
    if (head == NULL)
        return NULL;
    p = head;
    while (p->next != NULL) {
        before = p;
        p = p->next;
    }
    free(p);
    if (before != NULL)
        before->next = NULL;
    assert(list(head));
    return head;
}

// Removes the first element with a given value from a list.
//
// expect: assertion at 29
// twin of: list_remove.c — the first element is freed but stays in the list
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *remove_element(struct node *head, int value)
{
    struct node *p = head, *before = NULL;

    trifold_assume(list(head));
    while (p != NULL && p->value != value) {
        before = p;
        p = p->next;
    }
    if (p != NULL) {
        if (before != NULL)
            before->next = p->next;
        free(p);
    }
    assert(list(head));
    return head;
}

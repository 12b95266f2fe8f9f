// Takes every second element of a list over to another one.
//
// expect: leak at 22
// twin of: sll_split.c — the elements after it are lost
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *split(struct node *head)
{
    struct node *other = NULL, *p = head;

    trifold_assume(list(head));
    while (p != NULL && p->next != NULL) {
        struct node *taken = p->next;
        taken->next = other;
        other = taken;
        p = p->next;
    }
    assert(list(head));
    assert(list(other));
    return other;
}

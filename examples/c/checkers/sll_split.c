// Takes every second element of a list over to another one.
//
// expect: proved
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
        p->next = taken->next;
        taken->next = other;
        other = taken;
        p = p->next;
    }
    assert(list(head));
    assert(list(other));
    return other;
}

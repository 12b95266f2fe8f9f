// Puts a new element after the last one of a list.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *append(struct node *head, int value)
{
    struct node *n, *last;

    trifold_assume(list(head));
    n = malloc(sizeof *n);
    n->value = value;
    n->next = NULL;
    if (head == NULL) {
        head = n;
    } else {
        last = head;
        while (last->next != NULL)
            last = last->next;
        last->next = n;
    }
    assert(list(head));
    return head;
}

// Inserts an element after one that is found by its position.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

void insert_behind(struct node *head, int position)
{
    struct node *p = head, *n;

    trifold_assume(list(head));
    while (p != NULL && position > 0) {
        p = p->next;
        position--;
    }
    if (p != NULL) {
        n = malloc(sizeof *n);
        n->value = position;
        n->next = p->next;
        p->next = n;
    }
    assert(list(head));
}

// Inserts into a sorted list by recursion.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *insert(struct node *head, int value)
{
    trifold_assume(list(head));
    if (head == NULL || value <= head->value) {
        struct node *n = malloc(sizeof *n);
        n->value = value;
        n->next = head;
        return n;
    }
    head->next = insert(head->next, value);
    assert(list(head));
    return head;
}

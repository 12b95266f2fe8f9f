// Puts a new element after the last one of a doubly linked list.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_DLL(dll, struct node, next, prev)

struct node *append(struct node *head, int value)
{
    struct node *n, *last = head;

    trifold_assume(dll(head, NULL));
    n = malloc(sizeof *n);
    n->value = value;
    n->next = NULL;
    n->prev = NULL;
    if (head == NULL)
        return n;
    while (last->next != NULL)
        last = last->next;
    last->next = n;
    n->prev = last;
    assert(dll(head, NULL));
    return head;
}

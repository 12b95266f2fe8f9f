// Puts a new element in front of a doubly linked list.
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

struct node *push_front(struct node *head, int value)
{
    struct node *n;

    trifold_assume(dll(head, NULL));
    n = malloc(sizeof *n);
    n->value = value;
    n->next = head;
    n->prev = NULL;
    if (head != NULL)
        head->prev = n;
    assert(dll(n, NULL));
    return n;
}

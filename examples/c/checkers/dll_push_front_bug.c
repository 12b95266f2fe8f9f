// Puts a new element in front of a doubly linked list.
//
// expect: null-dereference at 25
// twin of: dll_push_front.c — the list may be empty
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
    head->prev = n;
    assert(dll(n, NULL));
    return n;
}

// Takes the first element off a doubly linked list.
//
// expect: assertion at 25
// twin of: dll_pop_front.c — the new first element leads back to the freed one
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_DLL(dll, struct node, next, prev)

struct node *pop_front(struct node *head)
{
    struct node *rest;

    trifold_assume(dll(head, NULL));
    if (head == NULL)
        return NULL;
    rest = head->next;
    free(head);
    assert(dll(rest, NULL));
    return rest;
}

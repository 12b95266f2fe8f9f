// Takes the first element off a doubly linked list.
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

struct node *pop_front(struct node *head)
{
    struct node *rest;

    trifold_assume(dll(head, NULL));
    if (head == NULL)
        return NULL;
    rest = head->next;
    free(head);
    if (rest != NULL)
        rest->prev = NULL;
    assert(dll(rest, NULL));
    return rest;
}

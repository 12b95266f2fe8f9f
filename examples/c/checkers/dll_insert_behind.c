// Inserts an element after the first one of a doubly linked list.
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

struct node *insert_second(struct node *head, int value)
{
    struct node *n;

    trifold_assume(dll(head, NULL));
    n = malloc(sizeof *n);
    n->value = value;
    n->prev = head;
    if (head == NULL) {
        n->next = NULL;
        head = n;
    } else {
        n->next = head->next;
        if (n->next != NULL)
            n->next->prev = n;
        head->next = n;
    }
    assert(dll(head, NULL));
    return head;
}

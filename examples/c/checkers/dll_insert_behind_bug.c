// Inserts an element after the first one of a doubly linked list.
//
// expect: assertion at 33
// twin of: dll_insert_behind.c — the element after it leads back past the new one
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
        head->next = n;
        if (n->next != NULL)
            n->next->prev = head;
    }
    assert(dll(head, NULL));
    return head;
}

// Unlinks and frees an element of a doubly linked list.
//
// expect: assertion at 30
// twin of: dll_unlink.c — the element after it still leads back to the freed one
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_DLL(dll, struct node, next, prev)

struct node *unlink_element(struct node *head, int value)
{
    struct node *p = head;

    trifold_assume(dll(head, NULL));
    while (p != NULL && p->value != value)
        p = p->next;
    if (p != NULL) {
        if (p->prev != NULL)
            p->prev->next = p->next;
        else
            head = p->next;
        free(p);
    }
    assert(dll(head, NULL));
    return head;
}

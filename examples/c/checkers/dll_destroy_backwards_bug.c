// Frees a doubly linked list from its end.
//
// expect: double-free at 30
// twin of: dll_destroy_backwards.c — the first element is freed twice
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_DLL(dll, struct node, next, prev)

void destroy(struct node *head)
{
    struct node *p = head;

    trifold_assume(dll(head, NULL));
    if (p == NULL)
        return;
    while (p->next != NULL)
        p = p->next;
    while (p != NULL) {
        struct node *before = p->prev;
        free(p);
        p = before;
    }
    free(head);
}

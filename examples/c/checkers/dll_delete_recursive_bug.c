// Deletes a value from a doubly linked list by recursion.
//
// expect: assertion at 29
// twin of: dll_delete_recursive.c — the next element leads back to the freed one
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_DLL(dll, struct node, next, prev)

struct node *delete(struct node *p, struct node *before, int value)
{
    struct node *next;

    trifold_assume(dll(p, before));
    if (p == NULL)
        return NULL;
    next = p->next;
    if (p->value == value) {
        free(p);
        return next;
    }
    p->next = delete(next, p, value);
    assert(dll(p, before));
    return p;
}

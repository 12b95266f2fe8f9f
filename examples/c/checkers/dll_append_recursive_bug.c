// Appends an element to a doubly linked list by recursion.
//
// expect: assertion at 27
// twin of: dll_append_recursive.c — the new element leads back to nothing
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_DLL(dll, struct node, next, prev)

struct node *append(struct node *p, struct node *before, int value)
{
    trifold_assume(dll(p, before));
    if (p == NULL) {
        p = malloc(sizeof *p);
        p->value = value;
        p->next = NULL;
        p->prev = NULL;
    } else {
        p->next = append(p->next, p, value);
    }
    assert(dll(p, before));
    return p;
}

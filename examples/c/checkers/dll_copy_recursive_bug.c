// Copies a doubly linked list by recursion.
//
// expect: null-dereference at 28
// twin of: dll_copy_recursive.c — the rest may be empty
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_DLL(dll, struct node, next, prev)

struct node *copy(struct node *p, struct node *before)
{
    struct node *n, *rest;

    trifold_assume(dll(p, before));
    if (p == NULL)
        return NULL;
    rest = copy(p->next, p);
    n = malloc(sizeof *n);
    n->value = p->value;
    n->prev = NULL;
    n->next = rest;
    rest->prev = n;
    assert(dll(p, before) && dll(n, NULL));
    return n;
}

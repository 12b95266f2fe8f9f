// Frees a doubly linked list by recursion.
//
// expect: double-free at 22
// twin of: dll_destroy_recursive.c — elements are freed by the call, and after it
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_DLL(dll, struct node, next, prev)

void destroy(struct node *p, struct node *before)
{
    trifold_assume(dll(p, before));
    if (p != NULL) {
        if (p->next != NULL) {
            destroy(p->next, p);
            free(p->next);
        }
        free(p);
    }
}

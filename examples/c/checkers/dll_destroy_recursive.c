// Frees a doubly linked list by recursion.
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

void destroy(struct node *p, struct node *before)
{
    trifold_assume(dll(p, before));
    if (p != NULL) {
        destroy(p->next, p);
        free(p);
    }
}

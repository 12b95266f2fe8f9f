// Frees a list by recursion, the last element first.
//
// expect: use-after-free at 21
// twin of: sll_destroy_recursive.c — an element is freed before it is read
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

void destroy(struct node *head)
{
    trifold_assume(list(head));
    if (head == NULL)
        return;
    free(head);
    destroy(head->next);
}

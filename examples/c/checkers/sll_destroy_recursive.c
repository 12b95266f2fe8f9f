// Frees a list by recursion, the last element first.
//
// expect: proved
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
    destroy(head->next);
    free(head);
}

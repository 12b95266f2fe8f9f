// Frees a list.
//
// expect: use-after-free at 20
// twin of: sll_destroy.c — the link is read after the element was freed
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
    while (head != NULL) {
        free(head);
        head = head->next;
    }
}

// Frees a list.
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
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
}

// Deletes all elements with negative values.
//
// expect: leak at 27
// twin of: sll_filter.c — the kept elements are lost
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *filter(struct node *head)
{
    struct node *result = NULL, *last = NULL;

    trifold_assume(list(head));
    while (head != NULL) {
        struct node *next = head->next;
        if (head->value < 0) {
            free(head);
        } else {
            head->next = NULL;
            last = head;
            result = last;
        }
        head = next;
    }
    assert(list(result));
    return result;
}

// Sorts a list by taking its elements off one by one and inserting each where it belongs.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_LIST(list, struct node, next)

struct node *sort(struct node *input)
{
    struct node *sorted = NULL;

    trifold_assume(list(input));
    while (input != NULL) {
        struct node *n = input;
        input = input->next;
        if (sorted == NULL || n->value <= sorted->value) {
            n->next = sorted;
            sorted = n;
        } else {
            struct node *before = sorted;
            while (before->next != NULL && before->next->value < n->value)
                before = before->next;
            n->next = before->next;
            before->next = n;
        }
    }
    assert(list(sorted));
    return sorted;
}

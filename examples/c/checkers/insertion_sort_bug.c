// Sorts a list by taking its elements off one by one and inserting each where it belongs.
//
// expect: leak at 30
// twin of: insertion_sort.c — the order of two updates is wrong
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
            before->next = n;
            n->next = before->next;
        }
    }
    assert(list(sorted));
    return sorted;
}

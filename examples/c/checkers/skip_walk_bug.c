// Walks over all elements of a skip list.
//
// expect: null-dereference at 23
// twin of: skip_walk.c — a low element leads to no other high one
#include <assert.h>
#include "trifold/checkers.h"

struct skip {
    struct skip *next;
    struct skip *far;
    int value;
};

TRIFOLD_SKIP_LIST(skip_list, struct skip, next, far)

int sum(struct skip *head)
{
    int total = 0;
    struct skip *p;

    trifold_assume(skip_list(head));
    for (p = head; p != NULL; p = p->next)
        total += p->far->value;
    assert(skip_list(head));
    return total;
}

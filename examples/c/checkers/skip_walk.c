// Walks over all elements of a skip list.
//
// expect: proved
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
        total += p->value;
    assert(skip_list(head));
    return total;
}

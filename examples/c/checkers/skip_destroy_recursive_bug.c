// Frees a skip list by recursion.
//
// expect: leak at 22
// twin of: skip_destroy_recursive.c — the low elements are not freed
#include <assert.h>
#include "trifold/checkers.h"

struct skip {
    struct skip *next;
    struct skip *far;
    int value;
};

TRIFOLD_SKIP_LIST(skip_list, struct skip, next, far)

void destroy(struct skip *p)
{
    trifold_assume(skip_list(p));
    if (p == NULL)
        return;
    destroy(p->far);
    free(p);
}

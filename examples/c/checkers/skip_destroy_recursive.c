// Frees a skip list by recursion.
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

void destroy(struct skip *p)
{
    trifold_assume(skip_list(p));
    if (p == NULL)
        return;
    while (p->next != p->far) {
        struct skip *low = p->next;
        p->next = low->next;
        free(low);
    }
    destroy(p->far);
    free(p);
}

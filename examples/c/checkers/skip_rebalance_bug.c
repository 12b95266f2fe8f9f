// Rebalances a skip list of two levels: which elements are high is decided anew.
//
// expect: assertion at 37
// twin of: skip_rebalance.c — the first element ends the high ones instead of the last
#include <assert.h>
#include "trifold/checkers.h"

extern int __VERIFIER_nondet_int(void);

struct skip {
    struct skip *next;
    struct skip *far;
    int value;
};

TRIFOLD_SKIP_LIST(skip_list, struct skip, next, far)

void rebalance(struct skip *head)
{
    struct skip *high, *p;

    trifold_assume(skip_list(head));
    if (head == NULL)
        return;
    high = head;
    p = head->next;
    while (p != NULL) {
        struct skip *next = p->next;
        p->far = NULL;
        if (__VERIFIER_nondet_int()) {
            high->far = p;
            high = p;
        }
        p = next;
    }
    head->far = NULL;
    assert(skip_list(head));
}

// Keeps a doubly linked list sorted; it is freed from its end.
//
// expect: null-dereference at 45
// twin of: sorted.c — the list may be empty
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct timer {
    int expires;
    struct timer *earlier;
    struct timer *later;
};

static struct timer *start(struct timer *first, int expires)
{
    struct timer *t = malloc(sizeof *t);
    struct timer *before = NULL;
    struct timer *after = first;

    t->expires = expires;
    while (after != NULL && after->expires <= expires) {
        before = after;
        after = after->later;
    }
    t->earlier = before;
    t->later = after;
    if (after != NULL)
        after->earlier = t;
    if (before == NULL)
        return t;
    before->later = t;
    return first;
}

int main(void)
{
    struct timer *first = NULL;
    struct timer *last;

    while (__VERIFIER_nondet_int())
        first = start(first, __VERIFIER_nondet_int());

    last = first;
    while (last->later != NULL)
        last = last->later;
    while (last != NULL) {
        struct timer *t = last;
        last = last->earlier;
        free(t);
    }
    return 0;
}

// Builds a new list of copies of the elements that are positive. The first list stays as it is.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct number {
    int n;
    struct number *next;
};

static struct number *push(struct number *l, int n)
{
    struct number *p = (struct number *)malloc(sizeof(struct number));
    p->n = n;
    p->next = l;
    return p;
}

static struct number *positive(const struct number *l)
{
    struct number *kept = NULL;
    while (l != NULL) {
        if (l->n > 0)
            kept = push(kept, l->n);
        l = l->next;
    }
    return kept;
}

static void drop(struct number *l)
{
    while (l != NULL) {
        struct number *next = l->next;
        free(l);
        l = next;
    }
}

int main(void)
{
    struct number *all = NULL, *some;

    while (__VERIFIER_nondet_int())
        all = push(all, __VERIFIER_nondet_int());
    some = positive(all);
    drop(all);
    drop(some);
    return 0;
}

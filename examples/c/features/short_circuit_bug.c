// Conditions whose second part may be evaluated only if the first part has a certain value.
//
// expect: null-dereference at 16
// twin of: short_circuit.c — the parts of the condition are in the wrong order
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct peak {
    int height;
    struct peak *prev, *next;
};

static int is_summit(const struct peak *p)
{
    return p && (p->prev->height < p->height || !p->prev) && !(p->next && p->next->height > p->height);
}

int main(void)
{
    struct peak *range = NULL;
    struct peak *p;
    int summits = 0;

    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof *p);
        p->height = __VERIFIER_nondet_int();
        p->prev = NULL;
        p->next = range;
        if (range)
            range->prev = p;
        range = p;
    }
    for (p = range; p; p = p->next)
        if (is_summit(p) || (p == range && p->next == NULL))
            summits++;
    while (range) {
        p = range->next;
        free(range);
        range = p;
    }
    return summits > 0;
}

// Deletes elements of a circular list, possibly all of them.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct slot {
    int busy;
    struct slot *next;
};

// Deletes the element after a given one; null if that was the last.
static struct slot *delete_next(struct slot *at)
{
    struct slot *dead = at->next;

    if (dead == at) {
        free(at);
        return NULL;
    }
    at->next = dead->next;
    free(dead);
    return at;
}

int main(void)
{
    struct slot *ring = NULL;

    while (__VERIFIER_nondet_int()) {
        struct slot *s = malloc(sizeof *s);
        s->busy = __VERIFIER_nondet_int();
        if (ring == NULL) {
            s->next = s;
            ring = s;
        } else {
            s->next = ring->next;
            ring->next = s;
        }
    }

    while (ring != NULL && __VERIFIER_nondet_int()) {
        if (ring->next->busy)
            ring = delete_next(ring);
        else
            ring = ring->next;
    }
    while (ring != NULL)
        ring = delete_next(ring);
    return 0;
}

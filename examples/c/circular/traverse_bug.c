// Walks around a circular list until it is back at the start.
//
// expect: double-free at 42
// twin of: traverse.c — the wrong element is freed at the end, for the second time if there were several
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct player {
    int score;
    struct player *next;
};

int main(void)
{
    struct player *start = malloc(sizeof *start);
    struct player *p;
    int best;

    start->score = 0;
    start->next = start;
    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof *p);
        p->score = __VERIFIER_nondet_int();
        p->next = start->next;
        start->next = p;
    }

    best = start->score;
    p = start;
    do {
        if (p->score > best)
            best = p->score;
        p = p->next;
    } while (p != start);

    while (start->next != start) {
        p = start->next;
        start->next = p->next;
        free(p);
    }
    free(p);
    return best > 5;
}

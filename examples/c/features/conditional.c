// Conditional expressions that choose a list, an element, or nothing.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct card {
    int rank;
    struct card *next;
};

static struct card *deal(struct card *hand, int rank)
{
    struct card *c = malloc(sizeof *c);

    c->rank = rank;
    c->next = hand ? hand : NULL;
    return c;
}

static const struct card *better(const struct card *a, const struct card *b)
{
    return a == NULL ? b : b == NULL || a->rank > b->rank ? a : b;
}

int main(void)
{
    struct card *left = NULL, *right = NULL;
    const struct card *best;
    int rank;

    while ((rank = __VERIFIER_nondet_int()) != 0) {
        if (rank > 0)
            left = deal(left, rank);
        else
            right = deal(right, rank);
    }
    best = better(left, right);
    rank = best != NULL ? best->rank : 0;

    while (left != NULL || right != NULL) {
        struct card **hand = left != NULL ? &left : &right;
        struct card *c = *hand;
        *hand = c->next;
        free(c);
    }
    return rank > 10;
}

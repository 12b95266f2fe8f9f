// Deals the elements of a list out to two lists in turn.
//
// expect: null-dereference at 54
// twin of: split.c — the first card may go to the right hand
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct card {
    int rank;
    struct card *next;
};

static struct card *deck(void)
{
    struct card *top = NULL;
    do {
        struct card *c = malloc(sizeof *c);
        c->rank = __VERIFIER_nondet_int();
        c->next = top;
        top = c;
    } while (__VERIFIER_nondet_int());
    return top;
}

static void discard(struct card *hand)
{
    while (hand) {
        struct card *c = hand;
        hand = c->next;
        free(c);
    }
}

int main(void)
{
    struct card *rest = deck();
    struct card *left = NULL, *right = NULL;
    bool to_left = __VERIFIER_nondet_int();

    while (rest) {
        struct card *c = rest;
        rest = rest->next;
        if (to_left) {
            c->next = left;
            left = c;
        } else {
            c->next = right;
            right = c;
        }
        to_left = !to_left;
    }
    left->rank = 0; // The deck was not empty, and the left hand got the first card.
    discard(left);
    discard(right);
    return 0;
}

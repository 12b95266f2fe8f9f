// A queue with two ends: elements come and go at both.
//
// expect: use-after-free at 27
// expect: use-after-free at 36
// expect: null-dereference at 47
// twin of: deque.c — the left end is not cleared when the last element goes at the right
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int value;
    struct cell *left, *right;
};

struct deque {
    struct cell *leftmost, *rightmost;
};

static void push_left(struct deque *d, int value)
{
    struct cell *c = malloc(sizeof *c);
    c->value = value;
    c->left = NULL;
    c->right = d->leftmost;
    if (d->leftmost)
        d->leftmost->left = c;
    else
        d->rightmost = c;
    d->leftmost = c;
}

static void pop_left(struct deque *d)
{
    struct cell *c = d->leftmost;
    d->leftmost = c->right;
    if (d->leftmost)
        d->leftmost->left = NULL;
    else
        d->rightmost = NULL;
    free(c);
}

static void pop_right(struct deque *d)
{
    struct cell *c = d->rightmost;
    d->rightmost = c->left;
    if (d->rightmost)
        d->rightmost->right = NULL;
    free(c);
}

int main(void)
{
    struct deque d = {.leftmost = NULL, .rightmost = NULL};

    for (;;) {
        int action = __VERIFIER_nondet_int();
        if (action > 0)
            push_left(&d, action);
        else if (action == 0 || !d.leftmost)
            break;
        else if (action == -1)
            pop_left(&d);
        else
            pop_right(&d);
    }
    while (d.rightmost)
        pop_right(&d);
    return 0;
}

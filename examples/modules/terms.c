// Sums of terms, in the order of their exponents: two sums are added to a third one.
//
// expect: proved without sharing
#include <stdlib.h>

struct term {
    int factor;
    unsigned exponent;
    struct term *next;
};

struct sum {
    struct term *terms;
};

struct sum *sum_zero(void) {
    struct sum *s = malloc(sizeof *s);
    if (s != NULL)
        s->terms = NULL;
    return s;
}

int sum_add_term(struct sum *s, int factor, unsigned exponent) {
    struct term *before = NULL;
    struct term *at = s->terms;
    while (at != NULL && at->exponent > exponent) {
        before = at;
        at = at->next;
    }
    if (at != NULL && at->exponent == exponent) {
        at->factor += factor;
        return 1;
    }
    struct term *t = malloc(sizeof *t);
    if (t == NULL)
        return 0;
    t->factor = factor;
    t->exponent = exponent;
    t->next = at;
    if (before == NULL)
        s->terms = t;
    else
        before->next = t;
    return 1;
}

int sum_add(struct sum *s, const struct sum *other) {
    for (const struct term *t = other->terms; t != NULL; t = t->next)
        if (!sum_add_term(s, t->factor, t->exponent))
            return 0;
    return 1;
}

int sum_degree(const struct sum *s) {
    return s->terms == NULL ? -1 : (int)(s->terms->exponent & 0xffff);
}

void sum_free(struct sum *s) {
    if (s == NULL)
        return;
    for (struct term *t = s->terms; t != NULL;) {
        struct term *next = t->next;
        free(t);
        t = next;
    }
    free(s);
}

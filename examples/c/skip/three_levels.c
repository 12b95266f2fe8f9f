// A skip list with three levels, which is built from its end and then searched from the top down.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int key;
    struct entry *n1, *n2, *n3;
};

struct index {
    struct entry *first1, *first2, *first3;
};

static void add(struct index *s, int key, int height)
{
    struct entry *e = calloc(1, sizeof *e);

    e->key = key;
    switch (height) {
    case 3:
        e->n3 = s->first3;
        s->first3 = e;
        // fall through
    case 2:
        e->n2 = s->first2;
        s->first2 = e;
        // fall through
    default:
        e->n1 = s->first1;
        s->first1 = e;
    }
}

static int contains(const struct index *s, int key)
{
    const struct entry *e = NULL;
    const struct entry *next;

    next = s->first3;
    while (next != NULL && next->key <= key) {
        e = next;
        next = e->n3;
    }
    next = e != NULL ? e->n2 : s->first2;
    while (next != NULL && next->key <= key) {
        e = next;
        next = e->n2;
    }
    next = e != NULL ? e->n1 : s->first1;
    while (next != NULL && next->key <= key) {
        e = next;
        next = e->n1;
    }
    return e != NULL && e->key == key;
}

int main(void)
{
    struct index s = {NULL, NULL, NULL};
    int key = 1000, found = 0;

    while (__VERIFIER_nondet_int())
        add(&s, --key, __VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int())
        found |= contains(&s, __VERIFIER_nondet_int());
    while (s.first1 != NULL) {
        struct entry *e = s.first1;
        s.first1 = e->n1;
        free(e);
    }
    return found;
}

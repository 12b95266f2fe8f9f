// The problem of Josephus: people stand in a circle, and every third one leaves until one is left.
//
// expect: double-free at 45
// twin of: josephus.c — the first person is freed instead of the one who is left
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct person {
    int number;
    struct person *next;
};

static struct person *stand(int number)
{
    struct person *p = malloc(sizeof *p);
    p->number = number;
    p->next = p;
    return p;
}

int main(void)
{
    struct person *first = stand(1);
    struct person *last = first;
    int number = 1, survivor;

    while (__VERIFIER_nondet_int()) {
        last->next = stand(++number);
        last = last->next;
        last->next = first;
    }

    while (last->next != last) {
        struct person *out;
        for (int i = 1; i < 3; i++)
            last = last->next;
        out = last->next;
        last->next = out->next;
        if (out == last)
            break;
        free(out);
    }
    survivor = last->number;
    free(first);
    return survivor == 1;
}

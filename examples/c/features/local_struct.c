// The struct is declared in the function that uses it.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int largest(void)
{
    struct sample {
        int value;
        struct sample *next;
    } *samples = NULL;
    int max = 0;

    while (__VERIFIER_nondet_int()) {
        struct sample *s = malloc(sizeof *s);
        s->value = __VERIFIER_nondet_int();
        s->next = samples;
        samples = s;
    }
    while (samples) {
        struct sample *s = samples;
        if (s->value > max)
            max = s->value;
        samples = s->next;
        free(s);
    }
    return max;
}

int main(void)
{
    int max = 0, i;

    for (i = 0; i < 2; i++) {
        int m = largest();
        if (m > max)
            max = m;
    }
    return max > 100;
}

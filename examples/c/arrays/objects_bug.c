// An array of a number of objects that is only known when the program runs: each is made, used and freed.
//
// expect: invalid-dereference at 41
// twin of: objects.c — there is one object less
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct sensor {
    int reading;
};

static struct sensor **make_all(int n)
{
    struct sensor **all = malloc(n * sizeof *all);

    for (int i = 0; i < n; i++) {
        all[i] = malloc(sizeof **all);
        all[i]->reading = 0;
    }
    return all;
}

static void free_all(struct sensor **all, int n)
{
    for (int i = 0; i < n; i++)
        free(all[i]);
    free(all);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();

    if (n < 1 || n > 1000)
        return 0;
    struct sensor **all = make_all(n);
    int which;

    while ((which = __VERIFIER_nondet_int()) >= 0 && which <= n)
        all[which]->reading++;
    free_all(all, n);
    return 0;
}

// Assignments inside of conditions and of other expressions.
//
// expect: leak at 38
// twin of: assign_in_condition.c — the ticket that ended the loop is forgotten
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ticket {
    int number;
    struct ticket *next;
};

static struct ticket *waiting;

static struct ticket *take(void)
{
    struct ticket *t;

    if ((t = waiting) != NULL)
        waiting = t->next, t->next = NULL;
    return t;
}

int main(void)
{
    struct ticket *t, *served = NULL;
    int number;

    while ((number = __VERIFIER_nondet_int())) {
        (t = malloc(sizeof *t))->number = number;
        t->next = waiting, waiting = t;
    }
    while ((t = take()) && t->number > 0) {
        t->next = served;
        served = t;
    }
    while ((t = take()))
        free(t);
    for (t = served; (served = t) != NULL; free(served))
        t = t->next;
    return 0;
}

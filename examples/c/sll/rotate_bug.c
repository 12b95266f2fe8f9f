// Moves the first element of a list to its end, several times.
//
// expect: null-dereference at 22
// twin of: rotate.c — a list of one element has no second one
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct task {
    int pid;
    struct task *next;
};

static struct task *rotate(struct task *first)
{
    struct task *second, *last;

    if (first == NULL)
        return first;
    second = first->next;
    last = second;
    while (last->next != NULL)
        last = last->next;
    last->next = first;
    first->next = NULL;
    return second;
}

int main(void)
{
    struct task *run = NULL;
    int pid = 0;

    while (__VERIFIER_nondet_int()) {
        struct task *t = malloc(sizeof *t);
        t->pid = pid++;
        t->next = run;
        run = t;
    }
    while (__VERIFIER_nondet_int())
        run = rotate(run);
    while (run != NULL) {
        struct task *t = run->next;
        free(run);
        run = t;
    }
    return 0;
}

// A list is turned into an array of pointers to its elements, which is walked through by index.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    int cost;
    struct job *next;
};

int main(void)
{
    struct job *list = NULL;
    int n = 0;

    while (n < 1000 && __VERIFIER_nondet_int()) {
        struct job *j = malloc(sizeof *j);

        j->cost = __VERIFIER_nondet_int();
        j->next = list;
        list = j;
        n++;
    }
    struct job **jobs = malloc(n * sizeof *jobs);
    int i = 0;

    for (struct job *j = list; j != NULL && i < n; j = j->next)
        jobs[i++] = j;
    free(jobs);
    while (list != NULL) {
        struct job *j = list;

        list = list->next;
        free(j);
    }
    return 0;
}

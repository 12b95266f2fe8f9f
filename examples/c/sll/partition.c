// Moves flagged elements to a list of their own; the contents of each list are asserted afterwards.
//
// expect: proved
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    bool urgent;
    struct job *next;
};

static void push(struct job **list, struct job *j)
{
    j->next = *list;
    *list = j;
}

static void drop(struct job *list)
{
    while (list != NULL) {
        struct job *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct job *inbox = NULL, *urgent = NULL, *later = NULL;

    while (__VERIFIER_nondet_int()) {
        struct job *j = malloc(sizeof *j);
        j->urgent = __VERIFIER_nondet_int() > 2;
        push(&inbox, j);
    }

    while (inbox != NULL) {
        struct job *j = inbox;
        inbox = inbox->next;
        if (j->urgent)
            push(&urgent, j);
        else
            push(&later, j);
    }

    for (struct job *j = urgent; j != NULL; j = j->next)
        assert(j->urgent);
    for (struct job *j = later; j != NULL; j = j->next)
        assert(!j->urgent);

    drop(urgent);
    drop(later);
    return 0;
}

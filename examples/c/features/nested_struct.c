// A struct inside a struct: the list of pending jobs goes to that of done ones as a whole.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    int cost;
    struct job *next;
};

struct worker {
    int id;
    struct {
        struct job *first;
        struct job *last;
    } pending, done;
};

static void submit(struct worker *w, int cost)
{
    struct job *j = malloc(sizeof *j);

    j->cost = cost;
    j->next = NULL;
    if (w->pending.first == NULL)
        w->pending.first = j;
    else
        w->pending.last->next = j;
    w->pending.last = j;
}

static void finish(struct worker *w)
{
    if (w->pending.first == NULL)
        return;
    if (w->done.first == NULL)
        w->done.first = w->pending.first;
    else
        w->done.last->next = w->pending.first;
    w->done.last = w->pending.last;
    w->pending.first = NULL;
    w->pending.last = NULL;
}

static void clear(struct job *j)
{
    while (j != NULL) {
        struct job *next = j->next;
        free(j);
        j = next;
    }
}

int main(void)
{
    struct worker w = {.id = 1};

    while (__VERIFIER_nondet_int()) {
        submit(&w, __VERIFIER_nondet_int());
        if (__VERIFIER_nondet_int())
            finish(&w);
    }
    clear(w.pending.first);
    clear(w.done.first);
    return 0;
}

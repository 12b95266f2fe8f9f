// Takes the least key out of a binary search tree, again and again: a priority queue.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct event {
    int time;
    struct event *sooner;
    struct event *later;
};

static struct event *schedule(struct event *root, int time)
{
    struct event *e = malloc(sizeof *e);
    struct event *t = root, *parent = NULL;

    e->time = time;
    e->sooner = e->later = NULL;
    while (t != NULL) {
        parent = t;
        t = time < t->time ? t->sooner : t->later;
    }
    if (parent == NULL)
        return e;
    if (time < parent->time)
        parent->sooner = e;
    else
        parent->later = e;
    return root;
}

static struct event *remove_first(struct event *root)
{
    struct event *first = root, *parent = NULL;

    while (first->sooner != NULL) {
        parent = first;
        first = first->sooner;
    }
    if (parent == NULL)
        root = first->later;
    else
        parent->sooner = first->later;
    free(first);
    return root;
}

int main(void)
{
    struct event *agenda = NULL;
    int time;

    while ((time = __VERIFIER_nondet_int()) != 0) {
        if (time > 0)
            agenda = schedule(agenda, time);
        else if (agenda != NULL)
            agenda = remove_first(agenda);
    }
    while (agenda != NULL)
        agenda = remove_first(agenda);
    return 0;
}

// The link is the first member of an object, so that a pointer to the one is a pointer to the other.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link {
    struct link *next;
};

struct task {
    struct link link;
    int priority;
};

static void push(struct link **list, struct link *l)
{
    l->next = *list;
    *list = l;
}

static struct link *pop(struct link **list)
{
    struct link *l = *list;

    if (l != NULL)
        *list = l->next;
    return l;
}

int main(void)
{
    struct link *tasks = NULL;
    struct link *l;
    int urgent = 0;

    while (__VERIFIER_nondet_int()) {
        struct task *t = malloc(sizeof *t);
        t->priority = __VERIFIER_nondet_int();
        push(&tasks, &t->link);
    }
    for (l = tasks; l != NULL; l = l->next)
        if (((struct task *)l)->priority > 0)
            urgent = 1;
    while ((l = pop(&tasks)) != NULL)
        free((struct task *)l);
    return urgent;
}

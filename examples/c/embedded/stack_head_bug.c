// The head of a circular list lives on the stack of the function that needs it.
//
// expect: dangling-stack-pointer at 45
// twin of: stack_head.c — a list whose head is a local variable is returned by copying its head
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link {
    struct link *next, *prev;
};

struct event {
    struct link link; // the first member: a pointer to it is one to the event
    int time;
};

static void enqueue(struct link *head, struct link *l)
{
    l->next = head;
    l->prev = head->prev;
    head->prev->next = l;
    head->prev = l;
}

static struct link *collect(struct link *head)
{
    struct link list = {&list, &list};

    while (__VERIFIER_nondet_int()) {
        struct event *e = malloc(sizeof *e);
        e->time = __VERIFIER_nondet_int();
        enqueue(&list, &e->link);
    }
    *head = list;
    return head->next;
}

int main(void)
{
    struct link head = {&head, &head};
    struct link *l = collect(&head);

    while (l != &head) {
        struct link *next = l->next;
        free((struct event *)l);
        l = next;
    }
    return 0;
}

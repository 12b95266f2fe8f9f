// A ring of tasks around a head that is no task: it is never empty, so nothing tests for NULL.
//
// expect: use-after-free
// twin: ring.c
#include <stdlib.h>

struct task {
    struct task *next;
    struct task *prev;
    int priority;
};

struct task *ring_new(void) {
    struct task *head = malloc(sizeof *head);
    if (head == NULL)
        return NULL;
    head->next = head;
    head->prev = head;
    head->priority = 0;
    return head;
}

int ring_add(struct task *head, int priority) {
    struct task *t = malloc(sizeof *t);
    if (t == NULL)
        return 0;
    t->priority = priority;
    t->prev = head->prev;
    t->next = head;
    head->prev->next = t;
    head->prev = t;
    return 1;
}

int ring_length(const struct task *head) {
    int n = 0;
    for (const struct task *t = head->next; t != head; t = t->next)
        n++;
    return n;
}

int ring_drop_first(struct task *head) {
    struct task *t = head->next;
    if (t == head)
        return 0;
    head->next = t->next;
    free(t);
    return 1;
}

void ring_free(struct task *head) {
    if (head == NULL)
        return;
    while (ring_drop_first(head))
        ;
    free(head);
}

// A circular doubly linked list around a head node that carries no data.
//
// expect: use-after-free at 25
// twin of: circular.c — the element after it still leads back to the freed one
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ring {
    int data;
    struct ring *next;
    struct ring *prev;
};

static void insert_before(struct ring *at, struct ring *n)
{
    n->next = at;
    n->prev = at->prev;
    at->prev->next = n;
    at->prev = n;
}

static void unlink_node(struct ring *n)
{
    n->prev->next = n->next;
}

int main(void)
{
    struct ring *head = malloc(sizeof *head);
    struct ring *p;

    head->next = head;
    head->prev = head;
    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof *p);
        p->data = __VERIFIER_nondet_int();
        insert_before(head, p);
    }

    for (p = head->next; p != head;) {
        struct ring *next = p->next;
        if (p->data < 0) {
            unlink_node(p);
            free(p);
        }
        p = next;
    }

    while (head->next != head) {
        p = head->prev;
        unlink_node(p);
        free(p);
    }
    free(head);
    return 0;
}

// Unlinks elements of a doubly linked list while walking over it.
//
// expect: use-after-free at 39
// twin of: delete.c — the element after it still leads back to the freed one
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct conn {
    int idle;
    struct conn *next;
    struct conn *prev;
} conn_t;

static conn_t *open_all(void)
{
    conn_t *head = NULL;

    while (__VERIFIER_nondet_int()) {
        conn_t *c = malloc(sizeof(conn_t));
        c->idle = __VERIFIER_nondet_int();
        c->prev = NULL;
        c->next = head;
        if (head)
            head->prev = c;
        head = c;
    }
    return head;
}

static conn_t *close_idle(conn_t *head)
{
    conn_t *c = head;

    while (c) {
        conn_t *next = c->next;
        if (c->idle > 3) {
            if (c->prev)
                c->prev->next = c->next;
            else
                head = c->next;
            free(c);
        }
        c = next;
    }
    return head;
}

int main(void)
{
    conn_t *head = open_all();

    head = close_idle(head);
    while (head) {
        conn_t *c = head;
        head = head->next;
        if (head)
            head->prev = NULL;
        free(c);
    }
    return 0;
}

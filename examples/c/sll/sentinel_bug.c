// A list with a sentinel in front: no insertion or deletion has to treat the first element as a special case.
//
// expect: use-after-free at 28
// expect: use-after-free at 36
// expect: leak at 40
// expect: use-after-free at 55
// twin of: sentinel.c — the deleted element stays in the list
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *new_node(int key, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = next;
    return n;
}

static void insert(struct node *sentinel, int key)
{
    struct node *p = sentinel;
    while (p->next != NULL && p->next->key < key)
        p = p->next;
    p->next = new_node(key, p->next);
}

static void delete(struct node *sentinel, int key)
{
    struct node *p = sentinel;
    while (p->next != NULL && p->next->key != key)
        p = p->next;
    if (p->next != NULL) {
        struct node *dead = p->next;
        free(dead);
    }
}

int main(void)
{
    struct node *sentinel = new_node(0, NULL);

    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() > 0)
            insert(sentinel, __VERIFIER_nondet_int());
        else
            delete(sentinel, __VERIFIER_nondet_int());
    }
    while (sentinel != NULL) {
        struct node *next = sentinel->next;
        free(sentinel);
        sentinel = next;
    }
    return 0;
}

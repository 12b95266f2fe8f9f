// A circular singly linked list with a sentinel that holds the key which is looked for.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *find(struct node *sentinel, int key)
{
    struct node *n = sentinel->next;

    sentinel->key = key; // The search always ends: at the latest, here.
    while (n->key != key)
        n = n->next;
    return n == sentinel ? NULL : n;
}

int main(void)
{
    struct node *sentinel = malloc(sizeof *sentinel);
    struct node *n;

    sentinel->key = 0;
    sentinel->next = sentinel;
    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->next = sentinel->next;
        sentinel->next = n;
    }

    n = find(sentinel, __VERIFIER_nondet_int());
    if (n != NULL)
        n->key = 0;

    n = sentinel->next;
    while (n != sentinel) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
    free(sentinel);
    return 0;
}

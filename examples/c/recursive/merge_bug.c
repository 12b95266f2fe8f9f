// Merges two sorted lists by recursion.
//
// expect: null-dereference at 31
// twin of: merge.c — the second list may come to its end first
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *insert(struct node *list, int key)
{
    if (list != NULL && list->key < key) {
        list->next = insert(list->next, key);
        return list;
    } else {
        struct node *n = malloc(sizeof *n);
        n->key = key;
        n->next = list;
        return n;
    }
}

static struct node *merge(struct node *a, struct node *b)
{
    if (a == NULL)
        return b;
    if (a->key <= b->key) {
        a->next = merge(a->next, b);
        return a;
    }
    b->next = merge(a, b->next);
    return b;
}

int main(void)
{
    struct node *a = NULL, *b = NULL, *all;

    while (__VERIFIER_nondet_int())
        a = insert(a, __VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int())
        b = insert(b, __VERIFIER_nondet_int());
    all = merge(a, b);
    while (all != NULL) {
        struct node *n = all;
        all = n->next;
        free(n);
    }
    return 0;
}

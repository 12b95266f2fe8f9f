// Disjoint sets: trees in which the links lead from the children to the parents, and a list of all elements.
//
// expect: uninitialised-pointer at 18
// twin of: union_find.c — the parent of a new element is not set
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct element {
    struct element *parent; // none in the representative of a set
    struct element *next;
};

static struct element *find(struct element *e)
{
    struct element *root = e;

    while (root->parent != NULL)
        root = root->parent;
    while (e != root) {
        struct element *parent = e->parent;
        e->parent = root;
        e = parent;
    }
    return root;
}

static void unite(struct element *a, struct element *b)
{
    a = find(a);
    b = find(b);
    if (a != b)
        a->parent = b;
}

int main(void)
{
    struct element *all = NULL;
    struct element *a, *b;

    while (__VERIFIER_nondet_int()) {
        a = malloc(sizeof *a);
        a->next = all;
        all = a;
    }
    for (a = all; a != NULL; a = a->next) {
        b = all;
        while (b->next != NULL && __VERIFIER_nondet_int())
            b = b->next;
        unite(a, b);
    }
    while (all != NULL) {
        a = all;
        all = a->next;
        free(a);
    }
    return 0;
}

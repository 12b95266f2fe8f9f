// Deletes by recursion all elements with a given key.
//
// expect: leak at 23
// twin of: delete.c — the elements after a deleted one are forgotten
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *delete(struct node *list, int key)
{
    struct node *rest;

    if (list == NULL)
        return NULL;
    rest = delete(list->next, key);
    if (list->key == key) {
        free(list);
        return NULL;
    }
    list->next = rest;
    return list;
}

static void destroy(struct node *list)
{
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    list = delete(list, __VERIFIER_nondet_int());
    destroy(list);
    return 0;
}

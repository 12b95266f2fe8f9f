// Deletes the first element with a given key.
//
// expect: null-dereference at 37
// expect: null-dereference at 39
// twin of: delete.c — it is not asked whether the key was found
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct elem {
    int key;
    struct elem *next;
};

static struct elem *make_list(void)
{
    struct elem *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct elem *e = malloc(sizeof *e);
        e->key = __VERIFIER_nondet_int();
        e->next = l;
        l = e;
    }
    return l;
}

static struct elem *delete(struct elem *l, int key)
{
    struct elem *prev = NULL;
    struct elem *cur = l;

    while (cur != NULL && cur->key != key) {
        prev = cur;
        cur = cur->next;
    }
    if (prev == NULL)
        l = cur->next;
    else
        prev->next = cur->next;
    free(cur);
    return l;
}

int main(void)
{
    struct elem *l = make_list();

    l = delete(l, __VERIFIER_nondet_int());
    l = delete(l, 3);
    while (l != NULL) {
        struct elem *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}

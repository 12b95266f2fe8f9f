// Inserts at the front and after any element of a doubly linked list; the links back are asserted.
//
// expect: proved
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct dnode {
    int value;
    struct dnode *prev;
    struct dnode *next;
};

static struct dnode *insert_front(struct dnode *list, int value)
{
    struct dnode *n = malloc(sizeof *n);

    n->value = value;
    n->prev = NULL;
    n->next = list;
    if (list != NULL)
        list->prev = n;
    return n;
}

static void insert_after(struct dnode *at, int value)
{
    struct dnode *n = malloc(sizeof *n);

    n->value = value;
    n->prev = at;
    n->next = at->next;
    if (at->next != NULL)
        at->next->prev = n;
    at->next = n;
}

int main(void)
{
    struct dnode *list = NULL, *p;

    while (__VERIFIER_nondet_int())
        list = insert_front(list, 1);
    for (p = list; p != NULL; p = p->next)
        if (__VERIFIER_nondet_int() == 2)
            insert_after(p, 2);

    for (p = list; p != NULL; p = p->next)
        assert(p->next == NULL || p->next->prev == p);

    while (list != NULL) {
        p = list->next;
        free(list);
        list = p;
    }
    return 0;
}

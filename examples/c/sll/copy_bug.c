// Copies a list in order, frees the original and goes on with the copy.
//
// expect: uninitialised-pointer at 53
// twin of: copy.c — the last link of the copy is never set
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *copy(const struct node *from)
{
    struct node *head = NULL, *tail = NULL;

    for (; from != NULL; from = from->next) {
        struct node *n = malloc(sizeof *n);
        n->value = from->value;
        if (head == NULL)
            head = n;
        else
            tail->next = n;
        tail = n;
    }
    return head;
}

static void destroy(struct node *l)
{
    struct node *next;
    while (l != NULL) {
        next = l->next;
        free(l);
        l = next;
    }
}

int main(void)
{
    struct node *list = NULL;
    struct node *twin, *p;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    twin = copy(list);
    destroy(list);
    for (p = twin; p != NULL; p = p->next)
        p->value = 1;
    destroy(twin);
    return 0;
}

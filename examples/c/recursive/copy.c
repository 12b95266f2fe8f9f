// Copies a list by recursion.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *cons(int value, struct node *next)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    n->next = next;
    return n;
}

static struct node *copy(const struct node *list)
{
    if (list == NULL)
        return NULL;
    return cons(list->value, copy(list->next));
}

static void destroy(struct node *list)
{
    if (list != NULL) {
        struct node *next = list->next;
        free(list);
        destroy(next);
    }
}

int main(void)
{
    struct node *list = NULL, *twin;

    while (__VERIFIER_nondet_int())
        list = cons(__VERIFIER_nondet_int(), list);
    twin = copy(list);
    destroy(list);
    destroy(twin);
    return 0;
}

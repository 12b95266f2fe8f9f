// Builds a list by recursion and frees it by recursion.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *build(void)
{
    struct node *n;

    if (!__VERIFIER_nondet_int())
        return NULL;
    n = malloc(sizeof *n);
    n->value = __VERIFIER_nondet_int();
    n->next = build();
    return n;
}

static int any_negative(const struct node *l)
{
    return l != NULL && (l->value < 0 || any_negative(l->next));
}

static void destroy(struct node *l)
{
    if (l == NULL)
        return;
    destroy(l->next);
    free(l);
}

int main(void)
{
    struct node *list = build();
    int negative = any_negative(list);

    destroy(list);
    return negative;
}

// A function returns two lists in a struct: the elements below a limit, and the others.
//
// expect: leak at 58
// twin of: struct_return.c — only one of the lists is freed
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct pair {
    struct node *below, *above;
};

static struct pair divide(struct node *list, int limit)
{
    struct pair p = {NULL, NULL};

    while (list != NULL) {
        struct node *n = list;
        list = n->next;
        if (n->value < limit) {
            n->next = p.below;
            p.below = n;
        } else {
            n->next = p.above;
            p.above = n;
        }
    }
    return p;
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
    struct pair p;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    p = divide(list, 0);
    destroy(p.below);
    return 0;
}

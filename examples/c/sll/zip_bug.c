// Interleaves two lists: elements are taken from each in turn, then the rest of the longer one.
//
// expect: null-dereference at 34
// twin of: zip.c — the first list is taken to be the longer one
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *numbers(int first)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = first;
        n->next = list;
        list = n;
        first = -first;
    }
    return list;
}

static struct node *zip(struct node *a, struct node *b)
{
    struct node *result = a;

    if (a == NULL)
        return b;
    while (b != NULL) {
        struct node *rest_a = a->next;
        struct node *rest_b = b->next;

        a->next = b;
        b->next = rest_a;
        a = rest_a;
        b = rest_b;
    }
    return result;
}

int main(void)
{
    struct node *odd = numbers(1);
    struct node *list = zip(odd, numbers(2));

    while (list != NULL) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    return 0;
}

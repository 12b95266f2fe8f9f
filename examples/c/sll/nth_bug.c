// Reads the element at a position that may lie beyond the end.
//
// expect: null-dereference at 17
// twin of: nth.c — only the position is counted, the end of the list is not looked for
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *nth(struct node *list, int n)
{
    while (n > 0) {
        list = list->next;
        --n;
    }
    return list;
}

int main(void)
{
    struct node *list = NULL;
    struct node *n;
    int sum = 0;

    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        n->value = 1;
        n->next = list;
        list = n;
    }

    for (int i = 0; i < 4; i++)
        if ((n = nth(list, __VERIFIER_nondet_int())) != NULL)
            sum += n->value;

    while ((n = list) != NULL) {
        list = n->next;
        free(n);
    }
    return sum > 3;
}

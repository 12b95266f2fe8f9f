// Appends by means of the address of the last link, which is that of a local variable at first.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *read_list(void)
{
    struct node *list;
    struct node **end = &list;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        *end = n;
        end = &n->next;
    }
    *end = NULL;
    return list;
}

int main(void)
{
    struct node *list = read_list();
    struct node *n = list;
    int negative = 0;

    while (n != NULL) {
        negative |= n->value < 0;
        n = n->next;
    }
    while (list != NULL) {
        n = list;
        list = list->next;
        free(n);
    }
    return negative;
}

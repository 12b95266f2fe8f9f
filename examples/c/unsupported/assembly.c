// A line of assembly stands between two operations on a list.
//
// expect: not-analysed at 28
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    n->next = list;
    return n;
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int())
        list = push(list, __VERIFIER_nondet_int());
    __asm__ volatile("" : "+r"(list) : : "memory");
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}

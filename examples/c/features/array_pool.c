// Elements are taken from an array by a computed index, and linked.
//
// expect: proved
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

#define SIZE 4

struct node {
    int value;
    struct node *next;
};

static struct node pool[SIZE];
static int used;

static struct node *take(void)
{
    return used < SIZE ? &pool[used++] : NULL;
}

int main(void)
{
    struct node *list = NULL;
    struct node *n;
    int largest = 0;

    while (__VERIFIER_nondet_int() && (n = take()) != NULL) {
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    for (n = list; n != NULL; n = n->next)
        if (n->value > largest)
            largest = n->value;
    return largest > 10;
}

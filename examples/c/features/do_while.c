// Loops whose condition stands at their end: a list of at least one element is built, counted and freed.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct item {
    int weight;
    struct item *next;
} Item;

static int heavy(const Item *i)
{
    int found = 0;

    do {
        if (i->weight > 3)
            found = 1;
        i = i->next;
    } while (i != NULL && !found);
    return found;
}

int main(void)
{
    Item *bag = NULL;
    int result;

    do {
        Item *i = malloc(sizeof *i);
        i->weight = __VERIFIER_nondet_int();
        i->next = bag;
        bag = i;
    } while (__VERIFIER_nondet_int());

    result = heavy(bag);
    do {
        Item *dead = bag;
        bag = bag->next;
        free(dead);
    } while (bag);
    return result;
}

// Inserts into a sorted list, after the elements that are not greater.
//
// expect: proved
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int __VERIFIER_nondet_int(void);

/*@ requires list(all);
    ensures list(\result) && \result != NULL; */
struct node *insert(struct node *all, int value)
{
    struct node *n = malloc(sizeof *n);
    struct node *before = NULL;
    struct node *at = all;
    n->value = value;
    while (at != NULL && at->value <= value) {
        before = at;
        at = at->next;
    }
    n->next = at;
    if (before == NULL)
        return n;
    before->next = n;
    return all;
}

/*@ requires list(all) && all != NULL;
    ensures list(\result); */
struct node *pop(struct node *all)
{
    struct node *rest = all->next;
    free(all);
    return rest;
}

int main(void)
{
    struct node *all = NULL;
    while (__VERIFIER_nondet_int())
        all = insert(all, __VERIFIER_nondet_int());
    while (all != NULL)
        all = pop(all);
    return 0;
}

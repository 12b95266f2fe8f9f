// A doubly linked list: elements are put in front, and any of them is taken out. `list` knows about `prev`.
//
// expect: proved
#include <stdlib.h>

struct node {
    struct node *next;
    struct node *prev;
};

int __VERIFIER_nondet_int(void);

/*@ requires list(all);
    ensures list(\result) && \result != NULL; */
struct node *push(struct node *all)
{
    struct node *n = malloc(sizeof *n);
    n->next = all;
    n->prev = NULL;
    if (all != NULL)
        all->prev = n;
    return n;
}

/*@ requires list(all) && all != NULL;
    ensures list(\result); */
struct node *take(struct node *all)
{
    struct node *n = all;
    while (n->next != NULL && __VERIFIER_nondet_int())
        n = n->next;
    if (n->next != NULL)
        n->next->prev = n->prev;
    if (n->prev != NULL)
        n->prev->next = n->next;
    else
        all = n->next;
    free(n);
    return all;
}

int main(void)
{
    struct node *all = NULL;
    while (__VERIFIER_nondet_int())
        all = push(all);
    while (all != NULL)
        all = take(all);
    return 0;
}

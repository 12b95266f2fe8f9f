// A list is reversed by a function that calls itself, by its contract.
//
// expect: assertion at 21
// twin of: reverse.c — the element still leads to the list that is passed on
#include <stdlib.h>

struct node {
    struct node *next;
};

int __VERIFIER_nondet_int(void);

/*@ requires list(todo) && list(done);
    ensures list(\result); */
struct node *turn(struct node *todo, struct node *done)
{
    struct node *next;
    if (todo == NULL)
        return done;
    next = todo->next;
    return turn(next, todo);
}

int main(void)
{
    struct node *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = all;
        all = n;
    }
    all = turn(all, NULL);
    while (all != NULL) {
        struct node *next = all->next;
        free(all);
        all = next;
    }
    return 0;
}

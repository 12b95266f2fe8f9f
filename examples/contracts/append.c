// Two lists become one. The contract of each function is all that the others know about it.
//
// expect: proved
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int __VERIFIER_nondet_int(void);

/*@ requires list(rest);
    ensures list(\result) && \result != NULL; */
static struct node *push(struct node *rest, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = rest;
    return n;
}

/*@ requires list(front) && list(behind);
    ensures list(\result); */
static struct node *append(struct node *front, struct node *behind)
{
    struct node *last = front;
    if (front == NULL)
        return behind;
    while (last->next != NULL)
        last = last->next;
    last->next = behind;
    return front;
}

/*@ requires list(all); */
static void destroy(struct node *all)
{
    while (all != NULL) {
        struct node *next = all->next;
        free(all);
        all = next;
    }
}

static struct node *build(void)
{
    struct node *all = NULL;
    while (__VERIFIER_nondet_int())
        all = push(all, __VERIFIER_nondet_int());
    return all;
}

int main(void)
{
    struct node *front = build();
    struct node *behind = build();
    front = append(front, behind);
    destroy(front);
    return 0;
}

// A list is a small struct that is passed and returned by value.
//
// expect: leak at 47
// twin of: struct_value.c — the change is lost together with the copy of the struct
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct list {
    struct node *first;
};

static struct list push(struct list l, int value)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    n->next = l.first;
    l.first = n;
    return l;
}

static int is_empty(struct list l)
{
    return l.first == NULL;
}

static struct list rest(struct list l)
{
    struct node *dead = l.first;

    l.first = dead->next;
    free(dead);
    return l;
}

int main(void)
{
    struct list l = {NULL};

    while (__VERIFIER_nondet_int())
        push(l, __VERIFIER_nondet_int());
    while (!is_empty(l))
        l = rest(l);
    return 0;
}

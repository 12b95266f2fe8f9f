// Structs are assigned as a whole: a list is swapped with another one, and elements are overwritten.
//
// expect: leak at 32
// expect: use-after-free at 49
// twin of: struct_assign.c — the first list is overwritten before it is put in the place of the second
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct list {
    struct node *first;
    int length;
};

static void push(struct list *l, int value)
{
    struct node *n = malloc(sizeof *n);

    *n = (struct node){.value = value, .next = l->first};
    l->first = n;
    if (l->length < 3)
        l->length++;
}

static void swap(struct list *a, struct list *b)
{
    *a = *b;
    *b = *a;
}

// Deletes the first of two elements by moving the second one into its place.
static void drop_first(struct list *l)
{
    struct node *second = l->first->next;

    *l->first = *second;
    free(second);
}

static void clear(struct list *l)
{
    while (l->first != NULL) {
        struct node *n = l->first;
        l->first = n->next;
        free(n);
    }
}

int main(void)
{
    struct list a = {NULL, 0};
    struct list b = a;

    while (__VERIFIER_nondet_int())
        push(&a, __VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int())
        push(&b, __VERIFIER_nondet_int());
    if (a.length > b.length)
        swap(&a, &b);
    if (b.length > 1)
        drop_first(&b);
    clear(&a);
    clear(&b);
    return 0;
}

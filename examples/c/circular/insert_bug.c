// A circular list held by a pointer to its last element: insertion at the front and at the back.
//
// expect: leak at 24
// twin of: insert.c — the new element is tied to the last one directly, and those between get lost
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *insert(struct node *last, int value)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    if (last == NULL) {
        n->next = n;
        return n;
    }
    n->next = last;
    last->next = n;
    return last;
}

static void destroy(struct node *last)
{
    struct node *first;

    if (last == NULL)
        return;
    first = last->next;
    last->next = NULL;
    while (first != NULL) {
        struct node *next = first->next;
        free(first);
        first = next;
    }
}

int main(void)
{
    struct node *last = NULL;

    while (__VERIFIER_nondet_int()) {
        last = insert(last, __VERIFIER_nondet_int());
        if (__VERIFIER_nondet_int())
            last = last->next; // What was inserted at the front now counts as the last.
    }
    destroy(last);
    return 0;
}

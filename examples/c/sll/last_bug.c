// Finds the last element of a list that is not empty and marks it.
//
// expect: uninitialised-pointer at 16
// twin of: last.c — the link of the first element is never set
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int mark;
    struct node *next;
};

static struct node *last(struct node *l)
{
    while (l->next != NULL)
        l = l->next;
    return l;
}

int main(void)
{
    struct node *head = malloc(sizeof *head);
    struct node *end;

    head->mark = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->mark = 0;
        n->next = head;
        head = n;
    }

    end = last(head);
    end->mark = 1;
    if (end->next != NULL)
        end->next->mark = 2;

    do {
        struct node *next = head->next;
        free(head);
        head = next;
    } while (head != NULL);
    return 0;
}

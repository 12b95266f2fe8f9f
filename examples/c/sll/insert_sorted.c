// Inserts values into a sorted list, then asserts that it is sorted.
//
// expect: proved
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

static struct node *insert(struct node *list, int data)
{
    struct node *n = malloc(sizeof *n);
    struct node *prev, *cur;

    n->data = data;
    prev = NULL;
    cur = list;
    while (cur != NULL && cur->data < data) {
        prev = cur;
        cur = cur->next;
    }
    n->next = cur;
    if (prev == NULL)
        return n;
    prev->next = n;
    return list;
}

int main(void)
{
    struct node *list = NULL;
    struct node *p;

    while (__VERIFIER_nondet_int())
        list = insert(list, __VERIFIER_nondet_int());

    for (p = list; p != NULL && p->next != NULL; p = p->next)
        assert(p->data <= p->next->data);

    while (list != NULL) {
        p = list;
        list = list->next;
        free(p);
    }
    return 0;
}

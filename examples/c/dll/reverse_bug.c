// Reverses a doubly linked list by swapping the links of each element.
//
// expect: leak at 37
// twin of: reverse.c — the link is read after it was turned round
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *prev;
    struct node *next;
    int data;
};

static struct node *build(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->data = __VERIFIER_nondet_int();
        n->prev = NULL;
        n->next = list;
        if (list != NULL)
            list->prev = n;
        list = n;
    }
    return list;
}

static struct node *reverse(struct node *list)
{
    struct node *cur = list;
    struct node *last = NULL;

    while (cur != NULL) {
        cur->next = cur->prev;
        struct node *next = cur->next;
        cur->prev = next;
        last = cur;
        cur = next;
    }
    return last;
}

int main(void)
{
    struct node *list = build();

    list = reverse(list);
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}

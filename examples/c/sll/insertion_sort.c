// Sorts a list by insertion: each element is moved to its place in a new list.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

static struct node *sort(struct node *list)
{
    struct node *sorted = NULL;

    while (list != NULL) {
        struct node *n = list;
        struct node *prev = NULL;
        struct node *cur = sorted;

        list = list->next;
        while (cur != NULL && cur->data < n->data) {
            prev = cur;
            cur = cur->next;
        }
        n->next = cur;
        if (prev != NULL)
            prev->next = n;
        else
            sorted = n;
    }
    return sorted;
}

int main(void)
{
    struct node *list = NULL;
    struct node *n;

    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        n->data = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }

    list = sort(list);
    for (n = list; n != NULL; n = n->next)
        if (n->next != NULL && n->next->data < n->data)
            abort();

    while (list != NULL) {
        n = list->next;
        free(list);
        list = n;
    }
    return 0;
}

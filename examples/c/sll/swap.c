// Swaps the elements of a list two by two, by their links.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

static struct node *swap_pairs(struct node *list)
{
    struct node *prev = NULL;
    struct node *first = list;

    if (list != NULL && list->next != NULL)
        list = list->next;
    while (first != NULL && first->next != NULL) {
        struct node *second = first->next;
        first->next = second->next;
        second->next = first;
        if (prev != NULL)
            prev->next = second;
        prev = first;
        first = first->next;
    }
    return list;
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
    list = swap_pairs(list);
    while (list != NULL) {
        n = list->next;
        free(list);
        list = n;
    }
    return 0;
}

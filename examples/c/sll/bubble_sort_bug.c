// Sorts a list by swapping neighbours, by their links, until nothing changes any more.
//
// expect: leak at 29
// twin of: bubble_sort.c — the rest of the list is lost in a swap
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

static struct node *sort(struct node *list)
{
    int changed;

    if (list == NULL)
        return NULL;
    do {
        struct node *before = NULL;
        struct node *x = list;
        struct node *y = list->next;

        changed = 0;
        while (y != NULL) {
            if (x->data > y->data) {
                x->next = NULL;
                y->next = x;
                if (before == NULL)
                    list = y;
                else
                    before->next = y;
                before = y;
                changed = 1;
            } else {
                before = x;
                x = y;
            }
            y = x->next;
        }
    } while (changed);
    return list;
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->data = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    list = sort(list);
    while (list != NULL) {
        struct node *n = list;
        list = list->next;
        free(n);
    }
    return 0;
}

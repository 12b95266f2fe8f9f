// Removes elements by means of a pointer to the link that leads to them.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static void remove_all(struct node **list, int value)
{
    struct node **link = list;

    while (*link != NULL) {
        struct node *n = *link;
        if (n->value == value) {
            *link = n->next;
            free(n);
        } else {
            link = &n->next;
        }
    }
}

static void push(struct node **list, int value)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    n->next = *list;
    *list = n;
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int())
        push(&list, __VERIFIER_nondet_int());
    remove_all(&list, __VERIFIER_nondet_int());
    while (list != NULL) {
        struct node *n = list;
        list = list->next;
        free(n);
    }
    return 0;
}

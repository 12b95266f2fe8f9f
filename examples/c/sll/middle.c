// Finds the middle of a list with a slow and a fast pointer, and cuts the list in two there.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *cut_in_the_middle(struct node *list)
{
    struct node *slow = list, *fast = list, *second;

    if (list == NULL)
        return NULL;
    while (fast->next != NULL && fast->next->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    second = slow->next;
    slow->next = NULL;
    return second;
}

static void destroy(struct node *list)
{
    while (list != NULL) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
}

int main(void)
{
    struct node *first = NULL, *second;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = 0;
        n->next = first;
        first = n;
    }
    second = cut_in_the_middle(first);
    destroy(second);
    destroy(first);
    return 0;
}

// Reverses a list by recursion: the rest first, then its old first element becomes the last.
//
// expect: use-after-free at 40
// twin of: reverse.c — the old first element still leads to the second one
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *reverse(struct node *list)
{
    struct node *rest, *reversed;

    if (list == NULL || list->next == NULL)
        return list;
    rest = list->next;
    reversed = reverse(rest);
    rest->next = list;
    return reversed;
}

int main(void)
{
    struct node *list = NULL;
    struct node *n;

    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    list = reverse(list);
    while (list != NULL) {
        n = list;
        list = n->next;
        free(n);
    }
    return 0;
}

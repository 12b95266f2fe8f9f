// Appends to a list by recursion: the result of a call takes the place of its argument.
//
// expect: leak at 31
// twin of: append.c — the result is ignored
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *append(struct node *list, int value)
{
    if (list == NULL) {
        list = malloc(sizeof *list);
        list->value = value;
        list->next = NULL;
    } else {
        list->next = append(list->next, value);
    }
    return list;
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int())
        append(list, __VERIFIER_nondet_int());
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}

// Loops that are written with goto: a list is searched again from its start after every change.
//
// expect: use-after-free at 25
// expect: leak at 32
// twin of: goto_retry.c — the list still begins with its first element after that was freed
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *remove_negative(struct node *list)
{
    struct node *prev, *cur;

again:
    prev = NULL;
    cur = list;
next:
    if (cur == NULL)
        return list;
    if (cur->value >= 0) {
        prev = cur;
        cur = cur->next;
        goto next;
    }
    if (prev != NULL)
        prev->next = cur->next;
    free(cur);
    goto again;
}

int main(void)
{
    struct node *list = NULL;
    struct node *n;

more:
    if (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
        goto more;
    }
    list = remove_negative(list);
    while ((n = list) != NULL) {
        list = n->next;
        free(n);
    }
    return 0;
}

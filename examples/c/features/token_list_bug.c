// A list of zeros with a single token: after the one there is always the two.
//
// expect: assertion at 32
// twin of: token_list.c — there may be nothing after the one
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *cons(int data, struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->data = data;
    node->next = next;
    return node;
}

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = cons(0, list);
    // BUG: there may be nothing after the one.
    list = cons(2, cons(1, list));
    while (__VERIFIER_nondet_int())
        list = cons(0, list);
    for (struct node *p = list; p != NULL; p = p->next)
        if (p->data == 1)
            assert(p->next != NULL && p->next->data == 2);
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}

// A list of zeros with a single token: after the one there is always the two.
//
// expect: proved
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
    list = cons(1, cons(2, list));
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

// Removes elements that are equal to the one before them.
//
// expect: use-after-free at 23
// expect: leak at 24
// twin of: remove_duplicates.c — the element is freed but stays in the list
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static void remove_duplicates(struct node *list)
{
    struct node *p = list;

    if (p == NULL)
        return;
    while (p->next != NULL) {
        struct node *q = p->next;
        if (p->key == q->key) {
            free(q);
        } else {
            p = q;
        }
    }
}

int main(void)
{
    struct node *list = NULL;
    struct node *p;

    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof *p);
        p->key = __VERIFIER_nondet_int();
        p->next = list;
        list = p;
    }
    remove_duplicates(list);
    while (list != NULL) {
        p = list;
        list = p->next;
        free(p);
    }
    return 0;
}

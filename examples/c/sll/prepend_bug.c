// A list that grows at the front, in one function.
//
// expect: leak at 23
// twin of: prepend.c — the new element does not lead to the list so far
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct list {
    int key;
    struct list *next;
} list_t;

int main(void)
{
    list_t *l = NULL;
    list_t *p;

    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof(list_t));
        p->key = __VERIFIER_nondet_int();
        p->next = NULL;
        l = p;
    }

    p = l;
    while (p) {
        p->key = 0;
        p = p->next;
    }

    while (l) {
        p = l->next;
        free(l);
        l = p;
    }
    return 0;
}

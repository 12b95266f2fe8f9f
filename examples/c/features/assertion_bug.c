// Asserts the properties of a list: every element was visited, and the last one has no successor.
//
// expect: assertion at 37
// twin of: assertion.c — the last element is not visited
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int visited;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    struct node *n, *last = NULL;

    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        n->visited = 0;
        n->next = list;
        if (list == NULL)
            last = n;
        list = n;
    }
    for (n = list; n != last; n = n->next)
        n->visited = 1;

    assert((list == NULL) == (last == NULL));
    if (last != NULL)
        assert(last->next == NULL);
    while (list != NULL) {
        n = list;
        list = n->next;
        assert(n->visited == 1);
        free(n);
    }
    return 0;
}

// A function that is called for every element, through a pointer.
//
// expect: use-after-free at 30
// expect: leak at 36
// twin of: callback.c — one of the actions frees the element that the walk goes on from
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct listener {
    int calls;
    struct listener *next;
};

static void notify(struct listener *l)
{
    if (l->calls < 100)
        l->calls++;
}

static void reset(struct listener *l)
{
    l->calls = 0;
}

static void for_each(struct listener *list, void (*action)(struct listener *))
{
    while (list != NULL) {
        action(list);
        list = list->next;
    }
}

static void destroy(struct listener *l)
{
    free(l);
}

int main(void)
{
    struct listener *list = NULL;

    while (__VERIFIER_nondet_int()) {
        struct listener *l = malloc(sizeof *l);
        l->calls = 0;
        l->next = list;
        list = l;
    }
    for_each(list, __VERIFIER_nondet_int() ? notify : reset);
    for_each(list, destroy);
    return 0;
}

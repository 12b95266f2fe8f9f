// A function that is called for every element, through a pointer.
//
// expect: proved
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
        struct listener *next = list->next;
        action(list);
        list = next;
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

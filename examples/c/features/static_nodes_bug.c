// The list begins as three static elements, linked by their initialisers; others come in front of them.
//
// expect: invalid-free at 48
// twin of: static_nodes.c — the static elements are freed like the others
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct option {
    int value;
    struct option *next;
};

static struct option c = {3, NULL};
static struct option b = {2, &c};
static struct option a = {.next = &b, .value = 1};
static struct option *options = &a;

static void add_option(int value)
{
    struct option *o = malloc(sizeof *o);

    o->value = value;
    o->next = options;
    options = o;
}

static int lookup(int value)
{
    const struct option *o;

    for (o = options; o != NULL; o = o->next)
        if (o->value == value)
            return 1;
    return 0;
}

int main(void)
{
    int found;

    while (__VERIFIER_nondet_int())
        add_option(__VERIFIER_nondet_int());
    found = lookup(__VERIFIER_nondet_int());
    while (options != NULL) {
        struct option *o = options;
        options = o->next;
        free(o);
    }
    return found;
}

// A free list in a static variable: elements are taken from it before new ones are allocated.
//
// expect: use-after-free at 22
// expect: use-after-free at 42
// twin of: global_list.c — the variable still leads to the freed elements
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct block {
    int used;
    struct block *next;
};

static struct block *unused;

static struct block *take(void)
{
    struct block *b = unused;

    if (b != NULL)
        unused = b->next;
    else
        b = malloc(sizeof *b);
    b->used = 1;
    b->next = NULL;
    return b;
}

static void give_back(struct block *b)
{
    b->used = 0;
    b->next = unused;
    unused = b;
}

static void trim(void)
{
    struct block *b = unused;

    while (b != NULL) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct block *a = take();
        struct block *b = take();
        give_back(a);
        give_back(b);
        if (__VERIFIER_nondet_int())
            trim();
    }
    trim();
    return 0;
}

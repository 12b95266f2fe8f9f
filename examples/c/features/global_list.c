// A free list in a static variable: elements are taken from it before new ones are allocated.
//
// expect: proved
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
    while (unused != NULL) {
        struct block *b = unused;
        unused = b->next;
        free(b);
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

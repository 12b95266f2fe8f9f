// Two functions that call each other deal the elements of a list out to two others.
//
// expect: use-after-free at 42
// twin of: mutual.c — the first card is dealt for the second time
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct card {
    int rank;
    struct card *next;
};

static struct card *north, *south;

static void deal_south(struct card *pack);

static void deal_north(struct card *pack)
{
    if (pack != NULL) {
        struct card *rest = pack->next;
        pack->next = north;
        north = pack;
        deal_south(rest);
    }
}

static void deal_south(struct card *pack)
{
    if (pack != NULL) {
        struct card *rest = pack->next;
        pack->next = south;
        south = pack;
        deal_north(rest);
    }
}

static void collect(struct card **hand)
{
    while (*hand != NULL) {
        struct card *c = *hand;
        *hand = c->next;
        free(c);
    }
}

int main(void)
{
    struct card *pack = NULL;

    while (__VERIFIER_nondet_int()) {
        struct card *c = malloc(sizeof *c);
        c->rank = __VERIFIER_nondet_int();
        c->next = pack;
        pack = c;
    }
    deal_north(pack);
    deal_south(pack);
    collect(&north);
    collect(&south);
    return 0;
}

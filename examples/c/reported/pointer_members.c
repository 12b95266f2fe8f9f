// The same with an array that is a member of a struct on the stack.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { SIDES = 2 };

struct piece {
    int kind;
    struct piece *next;
};

struct board {
    struct piece *sides[SIDES];
};

static void set_up(struct board *b)
{
    int side;

    for (side = 0; side < SIDES; side++) {
        b->sides[side] = NULL;
        do {
            struct piece *p = malloc(sizeof *p);
            p->kind = __VERIFIER_nondet_int();
            p->next = b->sides[side];
            b->sides[side] = p;
        } while (__VERIFIER_nondet_int());
    }
}

static void clear(struct board *b)
{
    int side;

    for (side = 0; side < SIDES; side++) {
        while (b->sides[side] != NULL) {
            struct piece *p = b->sides[side];
            b->sides[side] = p->next;
            free(p);
        }
    }
}

int main(void)
{
    struct board board;

    set_up(&board);
    clear(&board);
    return 0;
}

// Grows a game tree from a stack of positions that are still to be explored, and frees it with another one.
//
// expect: leak at 55
// twin of: grow_with_stack.c — only accepted positions are freed
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct position {
    struct position *accept, *decline;
};

struct open {
    struct position *at;
    struct open *below;
};

static struct open *push(struct open *top, struct position *at)
{
    struct open *o = malloc(sizeof *o);

    o->at = at;
    o->below = top;
    return o;
}

int main(void)
{
    struct position *start = calloc(1, sizeof *start);
    struct open *top = push(NULL, start), *rest;

    while (top != NULL) {
        struct position *p = top->at;
        rest = top->below;
        free(top);
        top = rest;
        if (__VERIFIER_nondet_int()) {
            p->accept = calloc(1, sizeof *p);
            top = push(top, p->accept);
        }
        if (__VERIFIER_nondet_int()) {
            p->decline = calloc(1, sizeof *p);
            top = push(top, p->decline);
        }
    }

    top = push(NULL, start);
    while (top != NULL) {
        struct position *p = top->at;
        rest = top->below;
        free(top);
        top = rest;
        if (p->accept != NULL)
            top = push(top, p->accept);
        free(p);
    }
    return 0;
}

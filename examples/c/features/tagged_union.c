// An expression tree whose nodes are numbers or sums, in a union.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct expression {
    enum { NUMBER, SUM } kind;
    union {
        int number;
        struct {
            struct expression *left, *right;
        } sum;
    } of;
};

static struct expression *number(int n)
{
    struct expression *e = malloc(sizeof *e);

    e->kind = NUMBER;
    e->of.number = n;
    return e;
}

static struct expression *sum(struct expression *left, struct expression *right)
{
    struct expression *e = malloc(sizeof *e);

    e->kind = SUM;
    e->of.sum.left = left;
    e->of.sum.right = right;
    return e;
}

int main(void)
{
    struct expression *e = number(1);

    while (__VERIFIER_nondet_int())
        e = sum(number(__VERIFIER_nondet_int()), e);
    while (e->kind == SUM) {
        struct expression *right = e->of.sum.right;
        free(e->of.sum.left);
        free(e);
        e = right;
    }
    free(e);
    return 0;
}

// Two lists share their tail, which is freed when the second one lets it go.
//
// expect: use-after-free at 25
// twin of: reference_count.c — the second reference is not counted
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct version {
    int references;
    struct version *parent;
};

static struct version *derive(struct version *parent)
{
    struct version *v = malloc(sizeof *v);

    v->references = 1;
    v->parent = parent;
    return v;
}

static void release(struct version *v)
{
    while (v != NULL && --v->references == 0) {
        struct version *parent = v->parent;
        free(v);
        v = parent;
    }
}

int main(void)
{
    struct version *base = derive(NULL);
    struct version *left = derive(base);
    struct version *right = derive(base);

    release(base);
    if (__VERIFIER_nondet_int()) {
        release(left);
        release(right);
    } else {
        release(right);
        release(left);
    }
    return 0;
}

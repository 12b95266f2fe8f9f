// Makes a mirror image of a tree by recursion, and frees both.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int value;
    struct tree *left, *right;
};

static struct tree *build(int depth)
{
    struct tree *t = NULL;

    if (depth > 0 && __VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        t->value = depth;
        t->left = build(depth - 1);
        t->right = build(depth - 1);
    }
    return t;
}

static struct tree *mirror(const struct tree *t)
{
    struct tree *m;

    if (t == NULL)
        return NULL;
    m = malloc(sizeof *m);
    m->value = t->value;
    m->left = mirror(t->right);
    m->right = mirror(t->left);
    return m;
}

static void destroy(struct tree *t)
{
    if (t == NULL)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void)
{
    struct tree *t = build(5);
    struct tree *m = mirror(t);

    destroy(t);
    destroy(m);
    return 0;
}

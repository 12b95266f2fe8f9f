// Builds a binary tree of any shape by recursion, counts its leaves, and frees it.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
};

static struct tree *build(int depth)
{
    struct tree *t;

    if (depth == 0 || !__VERIFIER_nondet_int())
        return NULL;
    t = malloc(sizeof *t);
    t->left = build(depth - 1);
    t->right = build(depth - 1);
    return t;
}

static int leaves(const struct tree *t)
{
    if (t == NULL)
        return 0;
    if (t->left == NULL && t->right == NULL)
        return 1;
    return leaves(t->left) + leaves(t->right);
}

static void destroy(struct tree *t)
{
    if (t != NULL) {
        destroy(t->left);
        destroy(t->right);
        free(t);
    }
}

int main(void)
{
    struct tree *t = build(5);
    int n = leaves(t);

    destroy(t);
    return n > 4;
}

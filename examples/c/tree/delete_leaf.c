// Cuts leaves off a tree until nothing is left of it.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left;
    struct tree *right;
};

static struct tree *grow(void)
{
    struct tree *root = calloc(1, sizeof *root);

    while (__VERIFIER_nondet_int()) {
        struct tree *t = root;
        struct tree *fresh = calloc(1, sizeof *fresh);
        while (t->left != NULL && t->right != NULL)
            t = __VERIFIER_nondet_int() ? t->left : t->right;
        if (t->left == NULL)
            t->left = fresh;
        else
            t->right = fresh;
    }
    return root;
}

int main(void)
{
    struct tree *root = grow();

    while (root != NULL) {
        struct tree *parent = NULL;
        struct tree *t = root;

        while (t->left != NULL || t->right != NULL) {
            parent = t;
            t = t->left != NULL ? t->left : t->right;
        }
        if (parent == NULL)
            root = NULL;
        else if (parent->left == t)
            parent->left = NULL;
        else
            parent->right = NULL;
        free(t);
    }
    return 0;
}

// Rotates a tree into a list, one rotation after the other, and frees the list.
//
// expect: null-dereference at 39
// twin of: rotate.c — the tree may be empty
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *rotate_right(struct tree *t)
{
    struct tree *l = t->left;
    t->left = l->right;
    l->right = t;
    return l;
}

int main(void)
{
    struct tree *root = NULL;
    struct tree *t;

    // New elements go above the old ones, at either side.
    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        t->key = __VERIFIER_nondet_int();
        t->left = t->right = NULL;
        if (t->key > 0)
            t->left = root;
        else
            t->right = root;
        root = t;
    }

    while (root->left != NULL)
        root = rotate_right(root);
    t = root;
    while (t != NULL && t->right != NULL) {
        if (t->right->left != NULL)
            t->right = rotate_right(t->right);
        else
            t = t->right;
    }

    while (root != NULL) {
        t = root->right;
        free(root);
        root = t;
    }
    return 0;
}

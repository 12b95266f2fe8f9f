// Copies a tree by recursion.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

TRIFOLD_TREE(tree, struct tree, left, right)

struct tree *copy(struct tree *t)
{
    struct tree *n, *left, *right;

    trifold_assume(tree(t));
    if (t == NULL)
        return NULL;
    left = copy(t->left);
    right = copy(t->right);
    n = malloc(sizeof *n);
    n->key = t->key;
    n->left = left;
    n->right = right;
    assert(tree(t) && tree(n));
    return n;
}

// Copies a tree whose elements know the one above, by recursion.
//
// expect: assertion at 31
// twin of: parent_copy_recursive.c — the copies of right subtrees do not know what is above
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    struct tree *parent;
    int key;
};

TRIFOLD_TREE_WITH_PARENT(tree, struct tree, left, right, parent)

struct tree *copy(struct tree *t, struct tree *above)
{
    struct tree *n;

    trifold_assume(tree(t, above));
    if (t == NULL)
        return NULL;
    n = malloc(sizeof *n);
    n->key = t->key;
    n->parent = NULL;
    n->left = copy(t->left, t);
    if (n->left != NULL)
        n->left->parent = n;
    n->right = copy(t->right, t);
    assert(tree(t, above) && tree(n, NULL));
    return n;
}

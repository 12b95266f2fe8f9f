// Rotates the root of a tree whose elements know the one above.
//
// expect: assertion at 29
// twin of: parent_rotate.c — the subtree that moves keeps its old parent
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    struct tree *parent;
    int key;
};

TRIFOLD_TREE_WITH_PARENT(tree, struct tree, left, right, parent)

struct tree *rotate(struct tree *root)
{
    struct tree *top;

    trifold_assume(tree(root, NULL));
    if (root == NULL || root->left == NULL)
        return root;
    top = root->left;
    root->left = top->right;
    top->right = root;
    root->parent = top;
    top->parent = NULL;
    assert(tree(top, NULL));
    return top;
}

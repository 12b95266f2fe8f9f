// Rotates the root of a tree to the right.
//
// expect: leak at 25
// expect: assertion at 27
// twin of: tree_rotate.c — the order of two updates is wrong
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

TRIFOLD_TREE(tree, struct tree, left, right)

struct tree *rotate(struct tree *root)
{
    struct tree *top;

    trifold_assume(tree(root));
    if (root == NULL || root->left == NULL)
        return root;
    top = root->left;
    top->right = root;
    root->left = top->right;
    assert(tree(top));
    return top;
}

// Rotates the root of a tree to the right.
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

struct tree *rotate(struct tree *root)
{
    struct tree *top;

    trifold_assume(tree(root));
    if (root == NULL || root->left == NULL)
        return root;
    top = root->left;
    root->left = top->right;
    top->right = root;
    assert(tree(top));
    return top;
}

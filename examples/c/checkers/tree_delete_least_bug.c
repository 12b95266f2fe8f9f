// Deletes the least key of a tree.
//
// expect: leak at 35
// twin of: tree_delete_least.c — the right subtree of the element is lost
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

TRIFOLD_TREE(tree, struct tree, left, right)

struct tree *delete_least(struct tree *root)
{
    struct tree *p, *above = NULL, *rest;

    trifold_assume(tree(root));
    if (root == NULL)
        return NULL;
    p = root;
    while (p->left != NULL) {
        above = p;
        p = p->left;
    }
    rest = p->right;
    free(p);
    if (above == NULL)
        root = rest;
    else
        above->left = NULL;
    assert(tree(root));
    return root;
}

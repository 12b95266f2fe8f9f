// Finds the least key of a tree.
//
// expect: null-dereference at 21
// twin of: tree_leftmost.c — the tree may be empty
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

TRIFOLD_TREE(tree, struct tree, left, right)

int least(struct tree *root)
{
    struct tree *p = root;

    trifold_assume(tree(root));
    while (p->left != NULL)
        p = p->left;
    assert(tree(root));
    return p->key;
}

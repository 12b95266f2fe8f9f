// Looks a key up in a binary search tree.
//
// expect: null-dereference at 21
// twin of: tree_find.c — the key may not be in the tree
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

TRIFOLD_TREE(tree, struct tree, left, right)

struct tree *find(struct tree *root, int key)
{
    struct tree *p = root;

    trifold_assume(tree(root));
    while (p->key != key) {
        if (key < p->key)
            p = p->left;
        else
            p = p->right;
    }
    assert(tree(root));
    return p;
}

// Deletes the least key of a tree by recursion.
//
// expect: use-after-free at 25
// twin of: tree_delete_recursive.c — the right subtree is looked up after its parent is freed
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

TRIFOLD_TREE(tree, struct tree, left, right)

struct tree *delete_least(struct tree *t)
{
    struct tree *rest;

    trifold_assume(tree(t));
    if (t == NULL)
        return NULL;
    if (t->left == NULL) {
        free(t);
        rest = t->right;
        return rest;
    }
    t->left = delete_least(t->left);
    assert(tree(t));
    return t;
}

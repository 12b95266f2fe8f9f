// Frees a tree whose elements know the one above, by recursion.
//
// expect: use-after-free at 24
// twin of: parent_destroy_recursive.c — an element is freed before its right subtree
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    struct tree *parent;
    int key;
};

TRIFOLD_TREE_WITH_PARENT(tree, struct tree, left, right, parent)

void destroy(struct tree *t, struct tree *above)
{
    trifold_assume(tree(t, above));
    if (t == NULL)
        return;
    destroy(t->left, t);
    free(t);
    destroy(t->right, t);
}

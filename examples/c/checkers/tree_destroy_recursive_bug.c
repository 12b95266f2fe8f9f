// Frees a tree by recursion.
//
// expect: leak at 22
// twin of: tree_destroy_recursive.c — the right subtrees are not freed
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

TRIFOLD_TREE(tree, struct tree, left, right)

void destroy(struct tree *t)
{
    trifold_assume(tree(t));
    if (t == NULL)
        return;
    destroy(t->left);
    free(t);
}
